// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/source_words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.h"
#include "repair/lexer.h"

namespace gordian::strategies {
namespace {

std::size_t past_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t past_raw(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string end = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t close = text.find(end, open);
  return close == std::string_view::npos ? text.size() : close + end.size();
}

std::size_t past(std::string_view text, std::string_view end, std::size_t from) {
  const std::size_t found = text.find(end, from);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

bool is_open(char c) {
  return c == '(' || c == '[' || c == '{';
}
bool is_close(char c) {
  return c == ')' || c == ']' || c == '}';
}

}  // namespace

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t past_token(std::string_view text, std::size_t at) {
  const char c = text[at];
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  if (c == '/' && next == '/') return past(text, "\n", at);
  if (c == '/' && next == '*') return past(text, "*/", at + 2);
  if (c == '"') return at > 0 && text[at - 1] == 'R' ? past_raw(text, at) : past_quoted(text, at);
  // 1'000 is a number.
  if (c == '\'' && (at == 0 || !is_word_char(text[at - 1]))) return past_quoted(text, at);
  return at + 1;
}

std::size_t closing_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); i = past_token(text, i)) {
    if (is_open(text[i])) ++depth;
    if (is_close(text[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  const bool qualified = word.find("::") != std::string_view::npos;
  for (std::size_t i = 0; i < text.size();) {
    const bool fits = text.compare(i, word.size(), word) == 0 &&
                      (i + word.size() == text.size() || !is_word_char(text[i + word.size()]));
    if (fits) {
      const char before = i > 0 ? text[i - 1] : ' ';
      const bool member = before == '.' || (before == '>' && i > 1 && text[i - 2] == '-');
      const bool inner = before == ':' && !qualified && i > 2 && is_word_char(text[i - 3]);
      if (!is_word_char(before) && !member && !inner) return true;
    }
    i = past_token(text, i);
  }
  return false;
}

std::string plain_name(std::string_view expression) {
  std::size_t end = expression.size();
  while (end > 0 && !is_word_char(expression[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word_char(expression[begin - 1])) --begin;
  std::string name(expression.substr(begin, end - begin));
  for (const std::string_view prefix : {"g_", "s_", "m_", "t_"}) {
    if (name.starts_with(prefix) && name.size() > prefix.size()) name.erase(0, prefix.size());
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::string last_of(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

std::string scope_of(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? "" : name.substr(0, colon);
}

std::string camel_name(std::string_view name) {
  std::string camel;
  bool begin = true;
  for (const char c : name) {
    if (!is_word_char(c) || c == '_') {
      begin = true;
      continue;
    }
    camel += begin ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begin = false;
  }
  return camel;
}

std::vector<std::string> split_arguments(std::string_view inside) {
  std::vector<std::string> arguments;
  int depth = 0, angles = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < inside.size(); i = past_token(inside, i)) {
    if (is_open(inside[i])) ++depth;
    if (is_close(inside[i])) --depth;
    // A template's bracket stands behind a word, an operator behind a space.
    if (inside[i] == '<' && i > 0 && is_word_char(inside[i - 1])) ++angles;
    if (inside[i] == '>' && angles > 0 && inside[i - 1] != '-') --angles;
    if (inside[i] != ',' || depth > 0 || angles > 0) continue;
    arguments.push_back(trimmed(inside.substr(begin, i - begin)));
    begin = i + 1;
  }
  const std::string last = trimmed(inside.substr(begin));
  if (!last.empty() || !arguments.empty()) arguments.push_back(last);
  return arguments;
}

std::vector<std::string_view> split_statements(std::string_view block) {
  std::vector<std::string_view> statements;
  int depth = 0;
  std::size_t begin = 0;
  const auto skip_blank = [&](std::size_t from) {
    while (from < block.size()) {
      const std::size_t next = past_token(block, from);
      const bool comment = block[from] == '/' && next > from + 1;
      if (std::isspace(static_cast<unsigned char>(block[from])) == 0 && !comment) break;
      from = next;
    }
    return from;
  };
  begin = skip_blank(0);
  for (std::size_t i = begin; i < block.size();) {
    const char c = block[i];
    const std::size_t next = past_token(block, i);
    if (is_open(c)) ++depth;
    if (is_close(c)) --depth;
    bool ends = depth == 0 && c == ';';
    if (depth == 0 && c == '}') {  // a block, unless an initializer or lambda that goes on
      const std::size_t after = skip_blank(next);
      const bool goes_on = after < block.size() &&
                           (block[after] == ';' || block[after] == ',' || block[after] == '.' ||
                            block[after] == '(' || block[after] == ')');
      const bool more = block.substr(after).starts_with("else") ||
                        block.substr(after).starts_with("catch") ||
                        block.substr(after).starts_with("while");
      ends = !goes_on && !more;
    }
    i = next;
    if (!ends) continue;
    statements.push_back(block.substr(begin, i - begin));
    i = begin = skip_blank(i);
  }
  return statements;
}

std::string without_indentation(const std::string& content, std::size_t begin,
                                std::string_view text) {
  const std::size_t first = line_begin(content, begin);
  std::size_t indent = 0;
  while (first + indent < begin &&
         (content[first + indent] == ' ' || content[first + indent] == '\t'))
    ++indent;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '\n') continue;
    std::size_t spaces = 0;
    while (spaces < indent && i + 1 + spaces < text.size() &&
           (text[i + 1 + spaces] == ' ' || text[i + 1 + spaces] == '\t'))
      ++spaces;
    i += spaces;
  }
  return out;
}

int line_at(std::string_view content, std::size_t offset) {
  const auto end = content.begin() + static_cast<std::ptrdiff_t>(std::min(offset, content.size()));
  return 1 + static_cast<int>(std::count(content.begin(), end, '\n'));
}

std::size_t offset_of_line(std::string_view content, int line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    const std::size_t newline = content.find('\n', at);
    if (newline == std::string_view::npos) return newline;
    at = newline + 1;
  }
  return at;
}

std::string in_namespaces(const std::string& names, const std::string& inner,
                          const std::string& separator) {
  std::string open, close;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find("::", at), names.size());
    const std::string name = names.substr(at, end - at);
    open += "namespace " + name + " {" + separator;
    close = separator + "}" + (separator == "\n" ? "  // namespace " + name : "") + close;
    at = end + 2;
  }
  return open + inner + close;
}

std::string directory_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

std::string file_name_of(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

std::string relative_to(const std::string& directory, const std::string& file) {
  return std::filesystem::path(file).lexically_relative(directory).generic_string();
}

bool is_below(const std::string& directory, const std::string& file) {
  if (directory.empty()) return true;
  const std::string root = directory.back() == '/' ? directory : directory + "/";
  return std::filesystem::path(file).lexically_normal().string().starts_with(root);
}

}  // namespace gordian::strategies
