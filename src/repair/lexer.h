// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A small lexer of C++: enough to know what is code and what is comment, string or preprocessor
// line, and which bracket belongs to which. It expands no macro. Any bytes will do: a string that
// does not end costs the rest of its line (a raw one or a comment the rest of the text), a bracket
// without a partner has none. Linear in the size of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

enum class TokenKind : std::uint8_t {
  identifier,
  number,
  string,       ///< with prefix and quotes; raw ones too
  character,    ///< the same
  punctuation,  ///< one character, or "::"
  comment,      ///< // up to the end of its line, without the newline
  directive,    ///< from # to the end of the line, continued lines too; a comment behind it is not
};

struct Token {
  TokenKind kind = TokenKind::punctuation;
  bool dead = false;  ///< between #if 0 and its end
  int line = 1;
  std::size_t begin = 0, end = 0;

  std::string_view in(std::string_view content) const { return content.substr(begin, end - begin); }
};

/// In order; white space is left out.
std::vector<Token> lex(std::string_view content);

/// The word of a preprocessor line: "include", "if", ...; empty: none.
std::string_view directive_word(std::string_view directive);
/// What stands behind that word, without white space around it.
std::string_view directive_rest(std::string_view directive);

/// What a compiler would see before preprocessing: no comments, no preprocessor lines, nothing that
/// is dead; with the partner of every bracket. Where #if and #else hold brackets each, those of the
/// last branch count.
class Code {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit Code(std::string_view content);
  Code(std::string_view content, const std::vector<Token>& tokens);

  std::string_view content() const { return content_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t index) const { return tokens_[index]; }
  std::string_view text(std::size_t index) const {
    return index < size() ? tokens_[index].in(content_) : std::string_view();
  }
  bool is(std::size_t index, std::string_view text) const {
    return index < size() && this->text(index) == text;
  }
  bool is_identifier(std::size_t index) const {
    return index < size() && tokens_[index].kind == TokenKind::identifier;
  }
  /// Of ( [ { and of ) ] }; kNone: it has none, or this is no bracket.
  std::size_t partner(std::size_t index) const { return index < size() ? partners_[index] : kNone; }
  /// The token behind this one, or behind the bracket that closes it.
  std::size_t past(std::size_t index) const {
    const std::size_t close = partner(index);
    return (close != kNone && close > index ? close : index) + 1;
  }
  /// The first token that begins at this offset or behind it; size() if there is none.
  std::size_t at_or_after(std::size_t offset) const;

 private:
  void match(const std::vector<Token>& tokens);

  std::string_view content_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
};

// How a text is laid out: its lines, its indentation, its newlines.

std::size_t line_begin(std::string_view content, std::size_t offset);
/// Before the newline (and the return before it), or the end of the text.
std::size_t line_end(std::string_view content, std::size_t offset);
/// Behind the newline, or the end of the text.
std::size_t next_line(std::string_view content, std::size_t offset);

/// The blanks that the line of this offset begins with.
std::string_view indentation_at(std::string_view content, std::size_t offset);
/// Nothing but blanks stands before it in its line.
bool first_in_line(std::string_view content, std::size_t offset);

/// "\r\n" if most lines end so.
std::string_view newline_of(std::string_view content);

/// What one level of braces adds: "\t", "  ", "    ", ...; two blanks where the file does not tell.
std::string indentation_unit(const Code& code);

/// Each line of `text` with `indentation` before it, but empty ones; lines end as `newline` says,
/// and the last one with none.
std::string indented(std::string_view text, std::string_view indentation, std::string_view newline);

/// Which namespaces and classes are open at a token, as one walks through the code.
class Scopes {
 public:
  explicit Scopes(const Code& code) : code_(code) {}

  /// To be called for every token in order: leaves scopes that end, enters namespaces.
  void reach(std::size_t at);
  /// A class whose { is this token.
  void enter(std::size_t open, const std::string& name);

  /// "a::b::" + name; unnamed namespaces do not show.
  std::string qualified(const std::string& name) const { return prefix_ + name; }
  /// The prefixes under which a name is looked for, innermost first: "a::b::", "a::", "".
  std::vector<std::string> prefixes() const;

 private:
  struct Scope {
    std::size_t close, length;  ///< token of its }; length of the prefix outside of it
  };
  const Code& code_;
  std::vector<Scope> open_;
  std::string prefix_;
};

}  // namespace gordian
