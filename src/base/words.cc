// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/words.h"

#include <algorithm>

namespace gordian {

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(' '));
    if (!word.empty()) words.emplace_back(word);
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace gordian
