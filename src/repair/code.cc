// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>

#include "repair/lexer.h"

namespace gordian {

namespace {

/// Open brackets as a list that shares its tails: what was open at an #if can be taken up again at
/// its #else for the price of one number.
class OpenBrackets {
 public:
  using Top = std::size_t;
  static constexpr Top kEmpty = Code::kNone;

  void push(std::size_t token, char bracket) {
    nodes_.push_back({token, bracket, top_});
    top_ = nodes_.size() - 1;
  }

  /// The token of the innermost open bracket of this kind; those inside of it stay without partner.
  /// Looks only so far: a text of closing brackets must not cost its square.
  std::size_t pop(char bracket) {
    constexpr int kFar = 64;
    Top node = top_;
    for (int i = 0; i < kFar && node != kEmpty; ++i, node = nodes_[node].below) {
      if (nodes_[node].bracket != bracket) continue;
      top_ = nodes_[node].below;
      return nodes_[node].token;
    }
    return Code::kNone;
  }

  Top top() const { return top_; }
  void take_up(Top top) { top_ = top; }

 private:
  struct Node {
    std::size_t token;
    char bracket;
    Top below;
  };
  std::vector<Node> nodes_;
  Top top_ = kEmpty;
};

char opening(char closing) {
  switch (closing) {
    case ')':
      return '(';
    case ']':
      return '[';
    case '}':
      return '{';
    default:
      return '\0';
  }
}

}  // namespace

Code::Code(std::string_view content) : Code(content, lex(content)) {}

Code::Code(std::string_view content, const std::vector<Token>& tokens) : content_(content) {
  match(tokens);
}

void Code::match(const std::vector<Token>& tokens) {
  OpenBrackets open;
  std::vector<OpenBrackets::Top> conditionals;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::comment || token.dead) continue;
    const std::string_view text = token.in(content_);
    if (token.kind == TokenKind::directive) {
      const std::string_view word = directive_word(text);
      if (word == "if" || word == "ifdef" || word == "ifndef") {
        conditionals.push_back(open.top());
      } else if (!conditionals.empty() && word == "endif") {
        conditionals.pop_back();
      } else if (!conditionals.empty() && word.substr(0, 2) == "el") {
        open.take_up(conditionals.back());
      }
      continue;
    }
    const std::size_t index = tokens_.size();
    tokens_.push_back(token);
    partners_.push_back(kNone);
    if (token.kind != TokenKind::punctuation || text.size() != 1) continue;
    const char c = text[0];
    if (c == '(' || c == '[' || c == '{') open.push(index, c);
    if (opening(c) == '\0') continue;
    const std::size_t partner = open.pop(opening(c));
    if (partner == kNone) continue;
    if (partners_[partner] != kNone) partners_[partners_[partner]] = kNone;  // of a branch before
    partners_[index] = partner;
    partners_[partner] = index;
  }
}

std::size_t Code::at_or_after(std::size_t offset) const {
  const auto found =
      std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                       [](const Token& token, std::size_t at) { return token.begin < at; });
  return static_cast<std::size_t>(found - tokens_.begin());
}

}  // namespace gordian
