// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the place we print to can show: colour, characters, width, redrawing; and lines that are
// made for it. The decisions are pure functions of what the environment says; only
// describe_terminal() looks at the real one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

enum class ColorChoice { automatic, always, never };

/// "auto", "always", "never".
std::optional<ColorChoice> parse_color_choice(std::string_view word);

/// The value of an environment variable; nullopt when unset.
using EnvLookup = std::function<std::optional<std::string>(const char* name)>;
EnvLookup process_environment();

/// --color decides; "auto" means a terminal that is not dumb and no NO_COLOR in the environment.
bool use_color(ColorChoice choice, bool is_tty, const EnvLookup& env);

/// True for a terminal whose cursor can be moved: TERM is set and not "dumb".
bool can_redraw(bool is_tty, const EnvLookup& env);

/// Whether the locale's characters are UTF-8, so that our own bars and ellipses may use them.
bool use_unicode(const EnvLookup& env);

/// What the terminal itself says, else COLUMNS, else 80.
int choose_width(std::optional<int> terminal_says, const EnvLookup& env);
std::optional<int> ask_terminal_width(int fd);

/// How text is to look.
struct Style {
  bool color = false;
  bool unicode = false;
  int width = 0;  ///< lines that may be cut are cut to this; 0: never

  std::string_view ellipsis() const { return unicode ? "\u2026" : "..."; }
  /// A line across, above what comes last.
  std::string rule() const;
};

struct TerminalFacts {
  bool is_tty = false;  ///< a terminal that can be redrawn
  Style style;          ///< width 0 when it is no terminal
};
TerminalFacts describe_terminal(int fd, ColorChoice choice);

enum class Ink { plain, bold, dim, red, green, yellow, cyan };

std::string paint(std::string_view text, Ink ink, bool color);

/// One line built from coloured pieces; colour takes no columns and is never cut in half.
class StyledLine {
 public:
  StyledLine& add(std::string_view text, Ink ink = Ink::plain);
  StyledLine& add(const StyledLine& other);
  int width() const;
  /// Cut at the end to `max_width` columns unless that is 0. No newline.
  std::string render(const Style& style, int max_width = 0) const;

 private:
  struct Piece {
    std::string text;
    Ink ink;
  };
  std::vector<Piece> pieces_;
};

/// One logical line made of words and names. In a pipe it stays one line and nothing is cut, so
/// that it can be searched and pasted. On a terminal it is broken between words; a name that is too
/// long even for a line of its own loses its middle.
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
