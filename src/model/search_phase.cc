// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/search_phase.h"

#include <charconv>
#include <utility>

namespace gordian {
namespace {

/// The kind whose word is at the beginning, and how long that is. Of two such words the longer one
/// is meant.
std::optional<std::pair<PhaseKind, std::size_t>> kind_at_start(std::string_view text) {
  std::optional<std::pair<PhaseKind, std::size_t>> best;
  for (auto [kind, word] : kPhases) {
    if (!text.starts_with(word) || (best && best->second > word.size())) continue;
    const std::string_view rest = text.substr(word.size());
    if (!rest.empty() && !rest.starts_with(' ')) continue;
    best = {kind, word.size()};
  }
  return best;
}

}  // namespace

std::string_view to_string(PhaseKind kind) {
  for (auto [known, word] : kPhases) {
    if (known == kind) return word;
  }
  return "unknown";
}

std::string PhaseKey::text() const {
  std::string text(to_string(kind));
  if (!parameters.empty()) text += " " + parameters;
  return k == 0 ? text : text + " k=" + std::to_string(k);
}

std::optional<PhaseKey> PhaseKey::parse(std::string_view text) {
  const auto kind = kind_at_start(text);
  if (!kind) return std::nullopt;
  PhaseKey key{kind->first};
  std::string_view rest = text.substr(kind->second);
  constexpr std::string_view kLength = " k=";
  if (const std::size_t at = rest.rfind(kLength); at != std::string_view::npos) {
    const std::string_view number = rest.substr(at + kLength.size());
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), key.k);
    if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
    rest = rest.substr(0, at);
  }
  if (!rest.empty()) key.parameters = rest.substr(1);
  return key;
}

int PhaseKey::all_orders_of() const {
  // With parameters it left out what was only seen to be needless: see aware_source().
  const bool all = kind == PhaseKind::exhaustive || kind == PhaseKind::aware;
  return all && parameters.empty() ? k : 0;
}

}  // namespace gordian
