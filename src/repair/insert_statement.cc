// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>

#include "base/text.h"
#include "repair/lexer.h"
#include "repair/placing.h"

namespace gordian {

namespace {

/// The braces of a body in their text, and how its lines are indented.
class Body {
 public:
  Body(const std::string& content, const TextRange& range)
      : content_(content),
        file_(range.file),
        tokens_(lex(content)),
        code_(content_, tokens_),
        newline_(newline_of(content)) {
    if (range.end > content.size() || range.begin + 2 > range.end) return;
    open_ = code_.at_or_after(range.begin);
    close_ = code_.at_or_after(range.end - 1);
    found_ = code_.is(open_, "{") && code_[open_].begin == range.begin && code_.is(close_, "}") &&
             code_[close_].begin == range.end - 1 && code_.partner(open_) == close_;
    if (!found_) return;
    inside_ = code_[open_].end;
    end_ = code_[close_].begin;
    outer_ = first_in_line(content, end_) ? indentation_at(content, end_)
                                          : indentation_at(content, range.begin);
    inner_ = inner_indentation();
  }

  bool found() const { return found_; }
  const Code& code() const { return code_; }
  std::size_t open() const { return open_; }
  std::size_t inside() const { return inside_; }

  /// On lines of its own, at `offset` inside of the braces: code may stand before it and behind it
  /// in its line.
  Edit lines_at(std::size_t offset, std::string_view text) const {
    const std::size_t begin = blanks_before(offset), behind = blanks_behind(offset);
    std::string lines = newline_ + indented(text, inner_, newline_);
    if (at_newline(behind)) return {file_, offset, 0, lines};  // blanks there are not ours to touch
    lines += newline_ + (behind == end_ ? outer_ : inner_);
    return {file_, begin, behind - begin, lines};
  }

  /// All on one line: `first` and what is there get one each.
  Edit opened(std::string_view first) const {
    std::string lines = newline_;
    const std::string held =
        trimmed(std::string_view(content_).substr(inside_, end_ - inside_), " \t");
    for (const std::string_view part : {first, std::string_view(held)}) {
      if (!part.empty()) lines += indented(part, inner_, newline_) + newline_;
    }
    return {file_, inside_, end_ - inside_, lines + outer_};
  }

  bool on_one_line() const {
    return content_.substr(inside_, end_ - inside_).find('\n') == std::string::npos;
  }

  /// Where a line can follow that of `offset`: behind the comment, if it ends with one.
  std::size_t behind_comment(std::size_t offset) const {
    for (const Token& token : tokens_) {
      if (token.begin < offset || token.kind != TokenKind::comment) continue;
      const bool same_line = line_begin(content_, token.begin) == line_begin(content_, offset);
      const bool whole = at_newline(blanks_behind(token.end));
      return same_line && whole && blanks_behind(offset) == token.begin ? token.end : offset;
    }
    return offset;
  }

 private:
  bool at_newline(std::size_t offset) const {
    return offset >= content_.size() || content_[offset] == '\n' || content_[offset] == '\r';
  }
  std::size_t blanks_behind(std::size_t offset) const {
    return std::min(content_.find_first_not_of(" \t", offset), content_.size());
  }
  std::size_t blanks_before(std::size_t offset) const {
    while (offset > inside_ && (content_[offset - 1] == ' ' || content_[offset - 1] == '\t')) {
      --offset;
    }
    return offset;
  }

  bool is_label(std::size_t index) const {
    return code_.is(index + 1, ":") && code_.is_identifier(index);
  }

  /// Of the first line that holds code (or else a comment), or one level more than the braces.
  std::string inner_indentation() const {
    for (std::size_t i = open_ + 1; i < close_;) {
      if (is_label(i)) {
        i += 2;
      } else if (first_in_line(content_, code_[i].begin)) {
        return std::string(indentation_at(content_, code_[i].begin));
      } else {
        i = code_.past(i);
      }
    }
    for (const Token& token : tokens_) {
      const bool in = token.begin > inside_ && token.end <= end_;
      if (in && token.kind == TokenKind::comment && first_in_line(content_, token.begin)) {
        return std::string(indentation_at(content_, token.begin));
      }
    }
    return outer_ + indentation_unit(code_);
  }

  const std::string& content_;
  std::string file_;
  std::vector<Token> tokens_;
  Code code_;
  std::string newline_;
  bool found_ = false;
  std::size_t open_ = 0, close_ = 0;  ///< tokens
  std::size_t inside_ = 0, end_ = 0;  ///< offsets: behind {, of }
  std::string outer_, inner_;
};

/// Behind the last of the guards that a body begins with; the opening brace if there is none.
std::size_t last_guard(const Code& code, std::size_t open) {
  std::size_t last = open;
  while (code.is(last + 1, "gordian") && code.is(last + 2, "::")) {
    std::size_t end = last + 1;
    while (end < code.size() && !code.is(end, ";")) end = code.past(end);
    if (end >= code.size()) break;
    last = end;
  }
  return last;
}

bool is_access(const Code& code, std::size_t index) {
  const std::string_view word = code.text(index);
  return (word == "public" || word == "protected" || word == "private") && code.is(index + 1, ":");
}

}  // namespace

std::optional<Edit> insert_first(const std::string& content, const TextRange& body,
                                 const std::string& text) {
  const Body place(content, body);
  if (!place.found()) return std::nullopt;
  if (place.on_one_line()) return place.opened(text);
  return place.lines_at(place.behind_comment(place.inside()), text);
}

std::optional<Edit> insert_behind_guards(const std::string& content, const TextRange& body,
                                         const std::string& text) {
  const Body place(content, body);
  if (!place.found()) return std::nullopt;
  const std::size_t guard = last_guard(place.code(), place.open());
  if (guard == place.open() || place.on_one_line()) return insert_first(content, body, text);
  return place.lines_at(place.behind_comment(place.code()[guard].end), text);
}

std::optional<Edit> insert_member(const std::string& content, const TextRange& class_body,
                                  const std::string& text) {
  const Body place(content, class_body);
  if (!place.found()) return std::nullopt;
  const bool labelled = is_access(place.code(), place.open() + 1);
  if (place.on_one_line()) {
    return labelled ? place.lines_at(place.code()[place.open() + 2].end, text) : place.opened(text);
  }
  const std::size_t behind = labelled ? place.code()[place.open() + 2].end : place.inside();
  return place.lines_at(place.behind_comment(behind), text);
}

}  // namespace gordian
