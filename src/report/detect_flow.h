// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One logical line made of words and names. In a pipe it stays one line and nothing is cut, so that
// it can be searched and pasted. On a terminal it is broken between words; a name that is too long
// even for a line of its own loses its middle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/terminal_style.h"

namespace gordian {

class FlowLine {
 public:
  /// Blanks before the first line and before those after it.
  FlowLine(int indent, int hanging_indent) : indent_(indent), hanging_indent_(hanging_indent) {}

  /// Begins a new word; `gap` parts it from the one before unless the line is broken there.
  FlowLine& word(std::string_view text, Ink ink = Ink::plain, std::string_view gap = " ");
  /// Continues the word.
  FlowLine& glue(std::string_view text, Ink ink = Ink::plain);
  /// Continues the word with something that may lose its middle.
  FlowLine& name(std::string_view text, Ink ink = Ink::plain);
  /// Each word of a sentence as a word of this line; "95 %" stays together.
  FlowLine& sentence(std::string_view text, Ink ink = Ink::plain);
  /// The same, but its first word continues the one before.
  FlowLine& continued(std::string_view text, Ink ink = Ink::plain);

  /// Lines of at most style.width - 1 columns, each ending with a newline. Text must be sanitised.
  std::string render(const Style& style) const;
  /// The same without breaking: what does not fit is taken from the longest names.
  std::string render_one_line(const Style& style) const;

 private:
  struct Piece {
    std::string gap;  ///< first piece of a word only
    std::string text;
    Ink ink;
    bool is_name;
    bool begins_word;
  };
  using Pieces = std::vector<Piece>;

  static int width(const Pieces& pieces);
  static std::string fitted(Pieces pieces, int room, const Style& style);
  static Piece blanks(int columns);
  std::vector<Pieces> words() const;

  int indent_, hanging_indent_;
  Pieces pieces_;
};

}  // namespace gordian
