// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/lexer.h"

#include <algorithm>
#include <string>

namespace gordian {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\0';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::size_t kLongestDelimiter = 16;  // of a raw string, by the standard

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        line_start_ = true;
        advance(at_ + 1);
      } else if (const std::size_t splice = splice_at(at_); splice != 0) {
        advance(at_ + splice);
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        take();
      }
    }
    return std::move(tokens_);
  }

 private:
  char look(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  /// Length of a backslash with the newline behind it; 0: there is none.
  std::size_t splice_at(std::size_t at) const {
    if (look(at) != '\\') return 0;
    if (look(at + 1) == '\n') return 2;
    return look(at + 1) == '\r' && look(at + 2) == '\n' ? 3 : 0;
  }

  void advance(std::size_t to) {
    to = std::min(to, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }

  void emit(TokenKind kind, std::size_t end) {
    end = std::min(end, text_.size());
    tokens_.push_back({kind, false, line_, at_, end});
    advance(end);
  }

  void take() {
    const char c = text_[at_];
    const bool first = line_start_;
    if (c == '/' && (look(at_ + 1) == '/' || look(at_ + 1) == '*')) {
      return emit(TokenKind::comment, comment_end(at_));  // a directive may follow a /* comment */
    }
    line_start_ = false;
    if (c == '#' && first) return emit(TokenKind::directive, directive_end());
    if (is_digit(c) || (c == '.' && is_digit(look(at_ + 1)))) {
      return emit(TokenKind::number, number_end(at_));
    }
    if (is_word(c)) return take_word();
    if (c == '"') return emit(TokenKind::string, quoted_end(at_));
    if (c == '\'') return emit(TokenKind::character, quoted_end(at_));
    emit(TokenKind::punctuation, at_ + (c == ':' && look(at_ + 1) == ':' ? 2 : 1));
  }

  void take_word() {
    const std::size_t end = word_end(at_);
    const std::string_view word = text_.substr(at_, end - at_);
    if (look(end) == '"' && is_raw_prefix(word)) return emit(TokenKind::string, raw_end(end));
    if (is_prefix(word) && look(end) == '"') return emit(TokenKind::string, quoted_end(end));
    if (is_prefix(word) && look(end) == '\'') return emit(TokenKind::character, quoted_end(end));
    emit(TokenKind::identifier, end);
  }

  static bool is_prefix(std::string_view word) {
    return word == "u8" || word == "u" || word == "U" || word == "L";
  }
  static bool is_raw_prefix(std::string_view word) {
    return !word.empty() && word.back() == 'R' &&
           (word.size() == 1 || is_prefix(word.substr(0, word.size() - 1)));
  }

  std::size_t word_end(std::size_t at) const {
    while (at < text_.size()) {
      if (is_word(text_[at])) {
        ++at;
      } else if (const std::size_t splice = splice_at(at);
                 splice != 0 && is_word(look(at + splice))) {
        at += splice;
      } else {
        break;
      }
    }
    return at;
  }

  std::size_t number_end(std::size_t at) const {
    for (++at; at < text_.size(); ++at) {
      const char c = text_[at], before = text_[at - 1];
      const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
      if (is_word(c) || c == '.') continue;
      if (c == '\'' && is_word(look(at + 1))) continue;
      if ((c == '+' || c == '-') && exponent) continue;
      break;
    }
    return at;
  }

  /// Behind the closing quote, or before the newline where it is missing.
  std::size_t quoted_end(std::size_t at) const {
    const char quote = text_[at++];
    while (at < text_.size() && text_[at] != '\n') {
      if (const std::size_t splice = splice_at(at); splice != 0) {
        at += splice;
      } else if (text_[at] == '\\' && look(at + 1) != '\n') {
        at += 2;
      } else if (text_[at++] == quote) {
        return at;
      }
    }
    return std::min(at, text_.size());
  }

  std::size_t raw_end(std::size_t quote) const {
    const std::string_view start = text_.substr(quote + 1, kLongestDelimiter + 1);
    const std::size_t length = start.find_first_of("()\\ \t\v\f\n\r\"");
    if (length == std::string_view::npos || start[length] != '(') return quoted_end(quote);
    const std::string close = ")" + std::string(start.substr(0, length)) + "\"";
    const std::size_t end = text_.find(close, quote + 1 + length);
    return end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::size_t comment_end(std::size_t at) const {
    if (text_[at + 1] == '*') {
      const std::size_t end = text_.find("*/", at + 2);
      return end == std::string_view::npos ? text_.size() : end + 2;
    }
    return line_end(at);
  }

  /// Before the newline that ends the line, its continued lines too.
  std::size_t line_end(std::size_t at) const {
    while (true) {
      const std::size_t newline = text_.find('\n', at);
      if (newline == std::string_view::npos) return text_.size();
      const bool returns = newline > 0 && text_[newline - 1] == '\r';
      const std::size_t last = newline - (returns ? 1 : 0);
      if (last == 0 || text_[last - 1] != '\\') return last;
      at = newline + 1;
    }
  }

  std::size_t directive_end() const {
    std::size_t at = at_ + 1, used = at;  // used: behind the last character that is not blank
    while (at < text_.size() && text_[at] != '\n') {
      const char c = text_[at];
      if (const std::size_t splice = splice_at(at); splice != 0) {
        at += splice;
      } else if (c == '/' && look(at + 1) == '/') {
        break;
      } else if (is_blank(c)) {
        ++at;
      } else {
        used = at = piece_end(at);
      }
    }
    return std::min(used, text_.size());
  }

  std::size_t piece_end(std::size_t at) const {
    const char c = text_[at];
    if (c == '/' && look(at + 1) == '*') return comment_end(at);
    if (c == '"' || c == '\'') return quoted_end(at);
    if (is_digit(c)) return number_end(at);
    if (!is_word(c)) return at + 1;
    const std::size_t end = word_end(at);
    const bool raw = look(end) == '"' && is_raw_prefix(text_.substr(at, end - at));
    return raw ? raw_end(end) : end;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_start_ = true;
};

/// One #if: whether what stands in it now is dead, and whether a branch was certainly taken.
struct Conditional {
  bool dead_outside, dead, taken;
};

bool is_never(std::string_view condition) {
  return condition == "0" || condition == "false" || condition == "(0)";
}
bool is_always(std::string_view condition) {
  return condition == "1" || condition == "true" || condition == "(1)";
}

void mark_dead(std::string_view content, std::vector<Token>& tokens) {
  std::vector<Conditional> open;
  for (Token& token : tokens) {
    bool dead = !open.empty() && open.back().dead;
    token.dead = dead;
    if (token.kind != TokenKind::directive) continue;
    const std::string_view word = directive_word(token.in(content));
    const std::string_view rest = directive_rest(token.in(content));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const bool plain = word == "if";
      open.push_back({dead, dead || (plain && is_never(rest)), plain && is_always(rest)});
    } else if (open.empty()) {
      continue;
    } else if (word == "elif" || word == "elifdef" || word == "elifndef" || word == "else") {
      Conditional& now = open.back();
      token.dead = now.dead_outside;
      const bool never = word == "elif" && is_never(rest);
      now.dead = now.dead_outside || now.taken || never;
      now.taken = now.taken || (word == "elif" && is_always(rest));
    } else if (word == "endif") {
      token.dead = open.back().dead_outside;
      open.pop_back();
    }
  }
}

std::string_view without_blanks(std::string_view text) {
  const auto skip = [](char c) { return is_blank(c) || c == '\n' || c == '\\'; };
  while (!text.empty() && skip(text.front())) text.remove_prefix(1);
  while (!text.empty() && skip(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<Token> lex(std::string_view content) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const bool marked = content.substr(0, kByteOrderMark.size()) == kByteOrderMark;
  std::string without;
  if (marked) {  // blank it out, so that offsets stay what they are
    without = std::string(content).replace(0, kByteOrderMark.size(), "   ");
  }
  std::vector<Token> tokens = Lexer(marked ? std::string_view(without) : content).run();
  mark_dead(content, tokens);
  return tokens;
}

std::string_view directive_word(std::string_view directive) {
  directive = without_blanks(directive.substr(std::min<std::size_t>(1, directive.size())));
  std::size_t end = 0;
  while (end < directive.size() && is_word(directive[end])) ++end;
  return directive.substr(0, end);
}

std::string_view directive_rest(std::string_view directive) {
  const std::string_view word = directive_word(directive);
  if (word.empty()) return {};
  const auto behind = static_cast<std::size_t>(word.data() - directive.data()) + word.size();
  std::string_view rest = without_blanks(directive.substr(behind));
  // A comment behind a condition is no part of it.
  if (rest.size() >= 4 && rest.substr(rest.size() - 2) == "*/") {
    const std::size_t open = rest.rfind("/*");
    if (open != std::string_view::npos) rest = without_blanks(rest.substr(0, open));
  }
  return rest;
}

}  // namespace gordian
