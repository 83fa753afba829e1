// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <algorithm>
#include <map>

#include "repair/change.h"
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
  constexpr std::string_view kOpening = "([{", kClosing = ")]}";
  const std::size_t kind = kClosing.find(closing);
  return kind == std::string_view::npos ? '\0' : kOpening[kind];
}

constexpr std::string_view kBlanks = " \t";

/// What the first line inside of these braces has more than the line of the closing one.
std::string added_by(const Code& code, std::size_t open) {
  const std::size_t close = code.partner(open);
  if (!code.is(open, "{") || close == Code::kNone || close <= open + 1) return {};
  const std::string_view content = code.content();
  const std::size_t inside = code[open + 1].begin, end = code[close].begin;
  if (!first_in_line(content, inside) || !first_in_line(content, end)) return {};
  const std::string_view deep = indentation_at(content, inside);
  const std::string_view flat = indentation_at(content, end);
  if (deep.size() <= flat.size() || deep.substr(0, flat.size()) != flat) return {};
  return std::string(deep.substr(flat.size()));
}

constexpr std::size_t kDeepestScope = 64;     // deeper ones are not told apart
constexpr std::size_t kLongestPrefix = 1000;  // nobody's names are longer

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

std::size_t line_begin(std::string_view content, std::size_t offset) {
  if (offset == 0) return 0;
  const std::size_t newline = content.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t line_end(std::string_view content, std::size_t offset) {
  const std::size_t newline = content.find('\n', offset);
  if (newline == std::string_view::npos) return content.size();
  return newline > offset && content[newline - 1] == '\r' ? newline - 1 : newline;
}

std::size_t next_line(std::string_view content, std::size_t offset) {
  const std::size_t newline = content.find('\n', offset);
  return newline == std::string_view::npos ? content.size() : newline + 1;
}

std::string_view indentation_at(std::string_view content, std::size_t offset) {
  const std::size_t begin = line_begin(content, offset);
  const std::size_t end = std::min(content.find_first_not_of(kBlanks, begin), content.size());
  return content.substr(begin, end - begin);
}

bool first_in_line(std::string_view content, std::size_t offset) {
  const std::size_t begin = line_begin(content, offset);
  return content.substr(begin, offset - begin).find_first_not_of(kBlanks) == std::string_view::npos;
}

std::string_view newline_of(std::string_view content) {
  std::size_t with = 0, all = 0;
  for (std::size_t at = content.find('\n'); at != std::string_view::npos;
       at = content.find('\n', at + 1)) {
    ++all;
    if (at > 0 && content[at - 1] == '\r') ++with;
  }
  return 2 * with > all ? "\r\n" : "\n";
}

std::string indentation_unit(const Code& code) {
  constexpr std::size_t kDeepest = 8;  // more is a continued line
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string added = added_by(code, i);
    if (!added.empty() && added.size() <= kDeepest) ++seen[added];
  }
  const auto most = std::max_element(
      seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seen.end() ? "  " : most->first;
}

std::string indented(std::string_view text, std::string_view indentation,
                     std::string_view newline) {
  std::string result;
  for (std::string_view line : whole_lines(text)) {
    if (!result.empty()) result += newline;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (!line.empty()) result.append(indentation).append(line);
  }
  return result;
}

void Scopes::reach(std::size_t at) {
  while (!open_.empty() && open_.back().close <= at) {
    prefix_.resize(open_.back().length);
    open_.pop_back();
  }
  if (!code_.is(at, "namespace") || (at > 0 && code_.is(at - 1, "using"))) return;
  std::string name;
  std::size_t next = at + 1;
  while (code_.is_identifier(next) || code_.is(next, "::")) {
    if (!code_.is(next, "inline")) name += code_.text(next);
    ++next;
  }
  if (code_.is(next, "{") && name.find("::") != 0) enter(next, name);
}

void Scopes::enter(std::size_t open, const std::string& name) {
  const std::size_t close = code_.partner(open);
  if (close == Code::kNone || open_.size() >= kDeepestScope || prefix_.size() > kLongestPrefix)
    return;
  open_.push_back({close, prefix_.size()});
  if (!name.empty()) prefix_ += name + "::";
}

std::vector<std::string> Scopes::prefixes() const {
  std::vector<std::string> all = {prefix_};
  while (all.back().size() > 2) {
    const std::size_t cut = all.back().rfind("::", all.back().size() - 3);
    all.push_back(cut == std::string::npos ? "" : all.back().substr(0, cut + 2));
  }
  return all;
}

}  // namespace gordian
