// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/isolation.h"

namespace gordian {

std::string_view to_string(Isolation isolation) {
  for (const IsolationTraits& traits : kIsolations) {
    if (traits.isolation == isolation) return traits.word;
  }
  return "unknown";
}

std::optional<Isolation> parse_isolation(std::string_view word) {
  for (const IsolationTraits& traits : kIsolations) {
    if (traits.word == word) return traits.isolation;
  }
  return std::nullopt;
}

std::vector<std::string> isolation_words(bool with_none) {
  std::vector<std::string> words = {std::string(to_string(Isolation::automatic))};
  for (const IsolationTraits& traits : kIsolations) {
    const bool left_out = traits.isolation == Isolation::none && !with_none;
    if (traits.isolation != Isolation::automatic && !left_out) words.emplace_back(traits.word);
  }
  return words;
}

}  // namespace gordian
