// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/include_lines.h"

#include <algorithm>

#include "repair/layout.h"
#include "repair/lexer.h"

namespace gordian {

namespace {

IncludeKind kind_of(const std::string& text) {
  if (text[0] == '"') return IncludeKind::quoted;
  if (text.find('/') != std::string::npos) return IncludeKind::third_party;
  return text.find('.') != std::string::npos ? IncludeKind::c_library : IncludeKind::cxx_library;
}

bool opens(std::string_view word) {
  return word == "if" || word == "ifdef" || word == "ifndef";
}

/// The name that an include guard tests first: #ifndef X, #if !defined(X).
std::string guarded_name(std::string_view directive) {
  const std::string_view word = directive_word(directive), rest = directive_rest(directive);
  if (word == "ifndef") return std::string(rest);
  std::string name;
  if (word != "if" || rest.substr(0, 8) != "!defined") return name;
  for (const char c : rest.substr(8)) {
    if (c != '(' && c != ')' && c != ' ') name += c;
  }
  return name;
}

/// Walks the tokens up to the first one of code.
class Top {
 public:
  explicit Top(const std::string& content) : content_(content), tokens_(lex(content)) {}

  IncludeRegion run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::directive) {
        directive(i);
      } else if (token.kind == TokenKind::comment) {
        comment(token);
      } else if (!token.dead && depth_ == 0) {
        break;
      }
    }
    return std::move(region_);
  }

 private:
  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(content_) : std::string_view();
  }

  /// Only the file's first comment, up to the first empty line behind it.
  void comment(const Token& token) {
    const bool first = region_.begin == 0 && seen_ == 0;
    const bool follows = region_.begin != 0 && seen_ == 0 &&
                         next_line(content_, region_.begin) == line_begin(content_, token.begin);
    if (first || follows) region_.begin = token.end;
  }

  void directive(std::size_t i) {
    const std::string_view word = directive_word(text(i));
    if (opens(word)) {
      if (depth_ == 0 && is_guard(i)) {
        guard_ = true;
      } else {
        ++depth_;
      }
    } else if (word == "endif") {
      if (depth_ > 0) --depth_;
    } else if (depth_ == 0 && !tokens_[i].dead) {
      if (word == "include") include(tokens_[i]);
      const bool defines = guard_ && word == "define" && seen_ == 1;
      const bool once = word == "pragma" && directive_rest(text(i)) == "once";
      if (region_.includes.empty() && (defines || once)) region_.begin = tokens_[i].end;
    }
    ++seen_;
  }

  /// #ifndef X, #define X right behind it, before any other directive.
  bool is_guard(std::size_t i) const {
    if (guard_ || seen_ != 0) return false;
    const std::string name = guarded_name(text(i));
    std::size_t next = i + 1;
    while (next < tokens_.size() && tokens_[next].kind == TokenKind::comment) ++next;
    if (name.empty() || directive_word(text(next)) != "define") return false;
    const std::string_view defined = directive_rest(text(next));
    return defined.substr(0, name.size()) == name;
  }

  void include(const Token& token) {
    const auto wanted = parse_include(std::string(token.in(content_)));
    if (!wanted) return;  // #include MACRO
    const std::string_view text = token.in(content_);
    const std::string_view rest = directive_rest(text);
    const auto prefix = static_cast<std::size_t>(rest.data() - text.data());
    if (!region_.includes.empty() &&
        next_line(content_, last_end_) != line_begin(content_, token.begin)) {
      ++block_;
    }
    last_end_ = token.end;
    region_.includes.push_back(
        {wanted->name,
         std::string(indentation_at(content_, token.begin)) + std::string(text.substr(0, prefix)),
         wanted->kind, token.begin, token.end, block_});
  }

  const std::string& content_;
  std::vector<Token> tokens_;
  IncludeRegion region_;
  int depth_ = 0, seen_ = 0, block_ = 0;
  bool guard_ = false;
  std::size_t last_end_ = 0;
};

}  // namespace

std::optional<WantedInclude> parse_include(const std::string& text) {
  std::string_view rest = text;
  if (!rest.empty() && rest[0] == '#') rest = directive_rest(rest);
  const char close = rest.empty() ? '\0' : rest[0] == '<' ? '>' : rest[0] == '"' ? '"' : '\0';
  const std::size_t end = close == '\0' ? std::string_view::npos : rest.find(close, 1);
  if (end == std::string_view::npos || end < 2) return std::nullopt;
  WantedInclude wanted;
  wanted.name = std::string(rest.substr(1, end - 1));
  wanted.text = std::string(rest.substr(0, end + 1));
  wanted.kind = kind_of(wanted.text);
  return wanted;
}

IncludeRegion include_region(const std::string& content) {
  return Top(content).run();
}

}  // namespace gordian
