// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/lex_statements.h"

#include "repair/framework_macros.h"

namespace gordian {

namespace {

constexpr int kDeepest = 100;  // statements in statements without braces

/// Finds where a statement ends; `end_` is the closing brace of the body.
class Statements {
 public:
  Statements(const Code& code, std::size_t end) : code_(code), end_(end) {}

  /// The token behind the statement that begins here. REQUIRES: at < end.
  std::size_t behind(std::size_t at, int depth = 0) const {
    if (depth > kDeepest) return end_;
    const std::string_view word = code_.text(at);
    if (word == "{") return behind_bracket(at);
    if (word == "if") return behind_if(at, depth);
    if (word == "for" || word == "while" || word == "switch") return behind_head(at, depth);
    if (word == "do") return behind_simple(behind(limited(at + 1), depth + 1));
    if (word == "try") return behind_try(at);
    if (is_block_of_macro(at)) return behind_bracket(behind_bracket(at + 1));
    return behind_simple(at);
  }

 private:
  std::size_t limited(std::size_t at) const { return at < end_ ? at : end_; }

  std::size_t behind_bracket(std::size_t at) const {
    const std::size_t partner = code_.partner(at);
    if (at >= end_ || partner == Code::kNone || partner <= at) return end_;
    return limited(partner + 1);
  }

  std::size_t behind_simple(std::size_t at) const {
    while (at < end_) {
      if (code_.is(at, ";")) return limited(at + 1);
      const std::size_t partner = code_.partner(at);
      at = partner != Code::kNone && partner > at ? partner + 1 : at + 1;
    }
    return end_;
  }

  /// for (...) statement
  std::size_t behind_head(std::size_t at, int depth) const {
    std::size_t head = limited(at + 1);
    if (code_.is(head, "constexpr") || code_.is(head, "consteval")) head = limited(head + 1);
    if (code_.is(head, "!")) head = limited(head + 1);
    const std::size_t body = code_.is(head, "(") ? behind_bracket(head) : head;
    return body < end_ ? behind(body, depth + 1) : end_;
  }

  std::size_t behind_if(std::size_t at, int depth) const {
    std::size_t end = behind_head(at, depth);
    while (end < end_ && code_.is(end, "else") && end + 1 < end_) {
      // A chain of else-if is as long as it wants, not as deep.
      const bool chained = code_.is(end + 1, "if");
      end = chained ? behind_head(end + 1, depth) : behind(end + 1, depth + 1);
    }
    return end;
  }

  std::size_t behind_try(std::size_t at) const {
    std::size_t end = behind_bracket(limited(at + 1));
    while (end < end_ && code_.is(end, "catch")) {
      end = behind_bracket(behind_bracket(limited(end + 1)));
    }
    return end;
  }

  /// SECTION("x") { ... }
  bool is_block_of_macro(std::size_t at) const {
    if (!code_.is_identifier(at) || !code_.is(at + 1, "(")) return false;
    const std::size_t close = code_.partner(at + 1);
    return close != Code::kNone && close + 1 < end_ && code_.is(close + 1, "{");
  }

  const Code& code_;
  std::size_t end_;
};

bool holds_check(const Code& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (code.is_identifier(i) && code.is(i + 1, "(") && is_check_macro(code.text(i))) return true;
  }
  return false;
}

}  // namespace

std::vector<StatementFact> lex_statements(const std::string& file, const Code& code,
                                          std::size_t open) {
  std::vector<StatementFact> statements;
  const std::size_t close = code.partner(open);
  if (close == Code::kNone || close < open) return statements;
  const Statements find(code, close);
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t behind = find.behind(at);
    StatementFact statement;
    statement.range = {file, code[at].begin, code[behind - 1].end, code[at].line};
    statement.assertion = holds_check(code, at, behind);
    statements.push_back(std::move(statement));
    at = behind;
  }
  return statements;
}

}  // namespace gordian
