// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The words under which enumerations are written into the database. They are part of the file
// format: once released they stay, even when the text shown to users changes. Words, not numbers,
// so that neither the order of the enumerators nor a look into the file with sqlite3 matters.
// Those of outcomes, dependences, explanations and repairs are in model/: see *_codec.h.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "base/enum_words.h"
#include "base/result.h"
#include "model/isolation.h"
#include "model/outcome.h"
#include "model/run.h"
#include "model/search_phase.h"
#include "model/test.h"

namespace gordian {

/// One specialisation for each stored enumeration, complete.
template <class E>
inline constexpr int kStoredWords = 0;

/// The words of a table of the model, of which `value` is the key.
template <class E, class Row, std::size_t N>
constexpr EnumWords<E, N> words_of_table(const std::array<Row, N>& rows, E Row::*value) {
  EnumWords<E, N> words{};
  for (std::size_t i = 0; i < N; ++i) words[i] = {rows[i].*value, rows[i].word};
  return words;
}

template <>
inline constexpr auto kStoredWords<Isolation> = words_of_table(kIsolations,
                                                               &IsolationTraits::isolation);

template <>
inline constexpr auto kStoredWords<PhaseKind> = words_of_table(kPhases, &PhaseTraits::kind);

template <>
inline constexpr EnumWords<Control, 2> kStoredWords<Control> = {{
    {Control::hooks, "hooks"},
    {Control::flags, "flags"},
}};

template <>
inline constexpr EnumWords<RunEnd, 5> kStoredWords<RunEnd> = {{
    {RunEnd::finished, "finished"},
    {RunEnd::interrupted, "interrupted"},
    {RunEnd::failed_fast, "failed_fast"},
    {RunEnd::timed_out, "timed_out"},
    {RunEnd::unfinished, "unfinished"},
}};

template <>
inline constexpr EnumWords<Notice::Level, 2> kStoredWords<Notice::Level> = {{
    {Notice::Level::info, "info"},
    {Notice::Level::warning, "warning"},
}};

/// Of one that has a table of its own.
inline std::string_view stored_word(Framework framework) {
  return word_of(framework);
}

template <class E>
std::string_view stored_word(E value) {
  for (const auto& [known, word] : kStoredWords<E>) {
    if (known == value) return word;
  }
  GORDIAN_CHECK(!"an enumerator without a stored word");
  return {};
}

inline Error unknown_stored_word(std::string_view word) {
  return internal_error("the database holds an unknown word '" + std::string(word) + "'",
                        "the file may be damaged: move it away, or use --db OTHER");
}

template <class E>
Result<E> parse_stored_word(std::string_view word) {
  if constexpr (std::is_same_v<E, Framework>) {
    if (auto framework = framework_called(word)) return *framework;
  } else if (auto value = value_in(kStoredWords<E>, word)) {
    return *value;
  }
  return unknown_stored_word(word);
}

/// Null: it was not told, as with targets that nobody has looked at.
template <>
inline Result<RuntimeId> parse_stored_word<RuntimeId>(std::string_view word) {
  const RuntimeId runtime = runtime_called(word);
  if (runtime != nullptr || word.empty()) return runtime;
  return internal_error("the database tells of tests that '" + std::string(word) +
                            "' runs, which this version does not know",
                        "use the version that has written it, or --db OTHER");
}

}  // namespace gordian
