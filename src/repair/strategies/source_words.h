// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small questions about pieces of C++ text that the strategies ask: words, arguments, statements of
// a block, names for guards. Pure functions that know comments and literals, no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace gordian::strategies {

bool is_word_char(char c);
/// Behind the comment or literal that begins at `at`; at + 1 if none does.
std::size_t past_token(std::string_view text, std::size_t at);
/// The bracket that closes the one at `open`; npos if none does.
std::size_t closing_bracket(std::string_view text, std::size_t open);

/// `word` (maybe qualified: "app::level") stands in the code of `text`, not inside of a longer
/// word, nor behind "." or "->" or, unless it is qualified itself, "::".
bool has_word(std::string_view text, std::string_view word);

/// "g_level", "level_", "app::Cache::level" -> "level". Empty when no name is in it.
std::string plain_name(std::string_view expression);
/// "app::Cache::level" -> "level".
std::string last_of(const std::string& name);
/// "app::Cache::level" -> "app::Cache"; empty: it is in none.
std::string scope_of(const std::string& name);
/// "app::Cache::level_" -> "AppCacheLevel".
std::string camel_name(std::string_view name);

/// What stands between commas, outside of all brackets (of <> too, where they look like ones).
std::vector<std::string> split_arguments(std::string_view inside);

/// Statements of a block without its braces; a nested block belongs to the statement that it ends.
std::vector<std::string_view> split_statements(std::string_view block);
/// `text` with the indentation of its first line (as it stands in `content` at `begin`) taken from
/// its other lines.
std::string without_indentation(const std::string& content, std::size_t begin,
                                std::string_view text);

template <class T>
void add_once(std::vector<T>& all, const T& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

/// Lines count from 1.
int line_at(std::string_view content, std::size_t offset);
/// Where that line begins; npos: there are not so many.
std::size_t offset_of_line(std::string_view content, int line);

/// `inner` inside of the namespaces of "a::b".
std::string in_namespaces(const std::string& names, const std::string& inner,
                          const std::string& separator);

std::string directory_of(const std::string& file);
std::string file_name_of(const std::string& file);
/// Both absolute: "../app/cache.h".
std::string relative_to(const std::string& directory, const std::string& file);
bool is_below(const std::string& directory, const std::string& file);

}  // namespace gordian::strategies
