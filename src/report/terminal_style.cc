// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/terminal_style.h"
#include "base/enum_words.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "report/text.h"

namespace gordian {
namespace {

constexpr int kDefaultWidth = 80;

constexpr EnumWords<Ink, 7> kSgrCodes = {{{Ink::plain, ""},
                                          {Ink::bold, "1"},
                                          {Ink::dim, "2"},
                                          {Ink::red, "1;31"},
                                          {Ink::green, "32"},
                                          {Ink::yellow, "33"},
                                          {Ink::cyan, "36"}}};

bool is_dumb(const EnvLookup& env) {
  std::string term = env("TERM").value_or("");
  return term.empty() || term == "dumb";
}

std::optional<int> positive_number(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

// Less of a name tells nothing; then the end of the line is cut instead.
constexpr int kLeastName = 8;

}  // namespace

std::optional<ColorChoice> parse_color_choice(std::string_view word) {
  if (word == "auto") return ColorChoice::automatic;
  if (word == "always") return ColorChoice::always;
  if (word == "never") return ColorChoice::never;
  return std::nullopt;
}

EnvLookup process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

/// NO_COLOR counts more than CLICOLOR_FORCE: who asks for no colours means it.
bool use_color(ColorChoice choice, bool is_tty, const EnvLookup& env) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  if (!env("NO_COLOR").value_or("").empty()) return false;
  const std::string forced = env("CLICOLOR_FORCE").value_or("");
  if (!forced.empty() && forced != "0") return true;
  return is_tty && !is_dumb(env) && env("CLICOLOR").value_or("1") != "0";
}

bool can_redraw(bool is_tty, const EnvLookup& env) {
  return is_tty && !is_dumb(env);
}

bool use_unicode(const EnvLookup& env) {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (locale.empty()) locale = env(name).value_or("");  // an empty variable counts as unset
  }
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

int choose_width(std::optional<int> terminal_says, const EnvLookup& env) {
  if (terminal_says && *terminal_says > 0) return *terminal_says;
  return positive_number(env("COLUMNS").value_or("")).value_or(kDefaultWidth);
}

std::optional<int> ask_terminal_width(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::string Style::rule() const {
  constexpr int kWidth = 60;
  const int columns = width > 0 ? std::clamp(width - 1, 1, kWidth) : kWidth;
  std::string line;
  for (int i = 0; i < columns; ++i) line += unicode ? "\u2500" : "-";
  return paint(line, Ink::dim, color) + "\n";
}

TerminalFacts describe_terminal(int fd, ColorChoice choice) {
  EnvLookup env = process_environment();
  bool tty = ::isatty(fd) == 1;
  TerminalFacts facts;
  facts.is_tty = can_redraw(tty, env);
  facts.style.color = use_color(choice, tty, env);
  facts.style.unicode = use_unicode(env);
  facts.style.width = tty ? choose_width(ask_terminal_width(fd), env) : 0;
  return facts;
}

std::string paint(std::string_view text, Ink ink, bool color) {
  if (!color || ink == Ink::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", word_in(kSgrCodes, ink), text);
}

StyledLine& StyledLine::add(std::string_view text, Ink ink) {
  if (!text.empty()) pieces_.push_back({std::string(text), ink});
  return *this;
}

StyledLine& StyledLine::add(const StyledLine& other) {
  std::vector<Piece> more = other.pieces_;  // `other` may be this line itself
  pieces_.insert(pieces_.end(), more.begin(), more.end());
  return *this;
}

int StyledLine::width() const {
  int total = 0;
  for (const Piece& piece : pieces_) total += display_width(piece.text);
  return total;
}

std::string StyledLine::render(const Style& style, int max_width) const {
  bool cut = max_width > 0 && width() > max_width;
  std::string out;
  int room = max_width;
  for (const Piece& piece : pieces_) {
    int columns = display_width(piece.text);
    // The piece that reaches into the ellipsis' place is the last one shown.
    if (cut && columns > room - display_width(style.ellipsis())) {
      std::string forced = piece.text + std::string(static_cast<std::size_t>(room), ' ');
      return out + paint(truncate_end(forced, room, style.ellipsis()), piece.ink, style.color);
    }
    out += paint(piece.text, piece.ink, style.color);
    room -= columns;
  }
  return out;
}

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
