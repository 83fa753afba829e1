// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The words of an enumeration as one table, and both ways through it.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace gordian {

template <class E, std::size_t N>
using EnumWords = std::array<std::pair<E, std::string_view>, N>;

/// "unknown" for a value that is not in the table.
template <class E, std::size_t N>
constexpr std::string_view word_in(const EnumWords<E, N>& words, E value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return "unknown";
}

/// nullopt for a word that is not in it.
template <class E, std::size_t N>
constexpr std::optional<E> value_in(const EnumWords<E, N>& words, std::string_view word) {
  for (const auto& [value, known] : words) {
    if (known == word) return value;
  }
  return std::nullopt;
}

}  // namespace gordian
