// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_flow.h"

#include <algorithm>
#include <utility>

#include "report/text.h"

namespace gordian {
namespace {

// Less of a name tells nothing; then the end of the line is cut instead.
constexpr int kLeastName = 8;

}  // namespace

FlowLine& FlowLine::word(std::string_view text, Ink ink, std::string_view gap) {
  std::string before(pieces_.empty() ? "" : gap);
  pieces_.push_back({std::move(before), std::string(text), ink, false, true});
  return *this;
}

FlowLine& FlowLine::glue(std::string_view text, Ink ink) {
  pieces_.push_back({"", std::string(text), ink, false, pieces_.empty()});
  return *this;
}

FlowLine& FlowLine::name(std::string_view text, Ink ink) {
  pieces_.push_back({"", std::string(text), ink, true, pieces_.empty()});
  return *this;
}

FlowLine& FlowLine::sentence(std::string_view text, Ink ink) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find(' '), text.size());
    if (text.front() == '%') {
      glue(" ").name(text.substr(0, end), ink);
    } else if (end > 0) {
      word("").name(text.substr(0, end), ink);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return *this;
}

FlowLine& FlowLine::continued(std::string_view text, Ink ink) {
  const std::size_t end = std::min(text.find(' '), text.size());
  return name(text.substr(0, end), ink).sentence(text.substr(end), ink);
}

int FlowLine::width(const Pieces& pieces) {
  int total = 0;
  for (const Piece& piece : pieces) total += display_width(piece.gap) + display_width(piece.text);
  return total;
}

/// The longest pieces give way first, so that short names stay whole.
std::string FlowLine::fitted(Pieces pieces, int room, const Style& style) {
  int cap = kLeastName, fixed = 0;
  std::vector<int> widths;
  for (const Piece& piece : pieces) {
    int columns = display_width(piece.text);
    fixed += display_width(piece.gap) + (piece.is_name ? 0 : columns);
    if (piece.is_name) widths.push_back(columns);
    if (piece.is_name) cap = std::max(cap, columns);
  }
  auto total = [&](int most) {
    int sum = fixed;
    for (int columns : widths) sum += std::min(columns, most);
    return sum;
  };
  while (room > 0 && cap > kLeastName && total(cap) > room) --cap;
  StyledLine line;
  for (const Piece& piece : pieces) {
    std::string text =
        piece.is_name ? truncate_middle(piece.text, cap, style.ellipsis()) : piece.text;
    line.add(piece.gap).add(text, piece.ink);
  }
  return line.render(style, room) + "\n";
}

std::vector<FlowLine::Pieces> FlowLine::words() const {
  std::vector<Pieces> words;
  for (const Piece& piece : pieces_) {
    if (piece.begins_word) words.emplace_back();
    words.back().push_back(piece);
  }
  return words;
}

FlowLine::Piece FlowLine::blanks(int columns) {
  return {"", std::string(static_cast<std::size_t>(columns), ' '), Ink::plain, false, true};
}

std::string FlowLine::render(const Style& style) const {
  if (style.width == 0) return render_one_line(style);
  int room = std::max(style.width - 1, 1);
  std::string out;
  Pieces line = {blanks(indent_)};
  for (Pieces& word : words()) {
    if (line.size() > 1 && width(line) + width(word) > room) {
      out += fitted(line, room, style);
      line = {blanks(hanging_indent_)};
      word.front().gap.clear();
    }
    line.insert(line.end(), word.begin(), word.end());
  }
  return out + fitted(line, room, style);
}

std::string FlowLine::render_one_line(const Style& style) const {
  Pieces line = {blanks(indent_)};
  line.insert(line.end(), pieces_.begin(), pieces_.end());
  return fitted(line, style.width == 0 ? 0 : std::max(style.width - 1, 1), style);
}

}  // namespace gordian
