// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/terminal_style.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "report/text.h"

namespace gordian {
namespace {

constexpr int kDefaultWidth = 80;

std::string_view sgr_code(Ink ink) {
  switch (ink) {
    case Ink::plain:
      break;
    case Ink::bold:
      return "1";
    case Ink::dim:
      return "2";
    case Ink::red:
      return "1;31";
    case Ink::green:
      return "32";
    case Ink::yellow:
      return "33";
    case Ink::cyan:
      return "36";
  }
  return "";
}

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

std::string Style::rule(int columns) const {
  if (width > 0) columns = std::clamp(width - 1, 1, columns);
  std::string line;
  for (int i = 0; i < columns; ++i) line += unicode ? "\u2500" : "-";
  return line;
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
  return fmt::format("\x1b[{}m{}\x1b[0m", sgr_code(ink), text);
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

}  // namespace gordian
