// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/terminal_style.h"

#include <gtest/gtest.h>

#include <map>

namespace gordian {
namespace {

EnvLookup env(std::map<std::string, std::string> values) {
  return [values](const char* name) -> std::optional<std::string> {
    auto it = values.find(name);
    if (it == values.end()) return std::nullopt;
    return it->second;
  };
}

TEST(UseColor, AutoFollowsTheTerminal) {
  EXPECT_TRUE(use_color(ColorChoice::automatic, true, env({{"TERM", "xterm"}})));
  EXPECT_FALSE(use_color(ColorChoice::automatic, false, env({{"TERM", "xterm"}})));
  EXPECT_FALSE(use_color(ColorChoice::automatic, true, env({{"TERM", "dumb"}})));
  EXPECT_FALSE(
      use_color(ColorChoice::automatic, true, env({{"TERM", "xterm"}, {"NO_COLOR", "1"}})));
  EXPECT_TRUE(use_color(ColorChoice::automatic, true, env({{"TERM", "xterm"}, {"NO_COLOR", ""}})));
}

TEST(UseColor, ItCanBeForcedByTheEnvironment) {
  EXPECT_TRUE(use_color(ColorChoice::automatic, false, env({{"CLICOLOR_FORCE", "1"}})));
  EXPECT_FALSE(use_color(ColorChoice::automatic, false, env({{"CLICOLOR_FORCE", "0"}})));
  EXPECT_FALSE(use_color(ColorChoice::automatic, true,
                         env({{"TERM", "xterm"}, {"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}})));
  EXPECT_FALSE(
      use_color(ColorChoice::automatic, true, env({{"TERM", "xterm"}, {"CLICOLOR", "0"}})));
}

TEST(UseColor, TheOptionWins) {
  EXPECT_TRUE(use_color(ColorChoice::always, false, env({{"NO_COLOR", "1"}})));
  EXPECT_FALSE(use_color(ColorChoice::never, true, env({{"TERM", "xterm"}})));
}

TEST(ParseColorChoice, KnowsThreeWords) {
  EXPECT_EQ(parse_color_choice("auto"), ColorChoice::automatic);
  EXPECT_EQ(parse_color_choice("always"), ColorChoice::always);
  EXPECT_EQ(parse_color_choice("never"), ColorChoice::never);
  EXPECT_EQ(parse_color_choice("yes"), std::nullopt);
}

TEST(CanRedraw, NotOnADumbTerminalNorInAPipe) {
  EXPECT_TRUE(can_redraw(true, env({{"TERM", "xterm"}})));
  EXPECT_FALSE(can_redraw(true, env({{"TERM", "dumb"}})));
  EXPECT_FALSE(can_redraw(true, env({})));
  EXPECT_FALSE(can_redraw(false, env({{"TERM", "xterm"}})));
}

TEST(UseUnicode, FirstLocaleVariableThatIsSetDecides) {
  EXPECT_TRUE(use_unicode(env({{"LANG", "de_DE.UTF-8"}})));
  EXPECT_TRUE(use_unicode(env({{"LC_ALL", ""}, {"LANG", "C.utf8"}})));
  EXPECT_FALSE(use_unicode(env({{"LC_ALL", "C"}, {"LANG", "de_DE.UTF-8"}})));
  EXPECT_FALSE(use_unicode(env({})));
}

TEST(ChooseWidth, TerminalThenColumnsThenEighty) {
  EXPECT_EQ(choose_width(132, env({{"COLUMNS", "60"}})), 132);
  EXPECT_EQ(choose_width(std::nullopt, env({{"COLUMNS", "60"}})), 60);
  EXPECT_EQ(choose_width(0, env({{"COLUMNS", "many"}})), 80);
  EXPECT_EQ(choose_width(std::nullopt, env({{"COLUMNS", "-3"}})), 80);
}

TEST(Paint, ColourOnlyWhenAsked) {
  EXPECT_EQ(paint("x", Ink::red, true), "\x1b[1;31mx\x1b[0m");
  EXPECT_EQ(paint("x", Ink::red, false), "x");
  EXPECT_EQ(paint("x", Ink::plain, true), "x");
}

TEST(StyledLine, CutsByColumnsAndClosesColours) {
  StyledLine line;
  line.add("abcdef", Ink::red).add("ghijkl");
  EXPECT_EQ(line.width(), 12);
  Style plain, colored;
  colored.color = true;
  EXPECT_EQ(line.render(plain, 12), "abcdefghijkl");
  EXPECT_EQ(line.render(plain, 10), "abcdefg...");
  EXPECT_EQ(line.render(plain, 8), "abcde...");
  EXPECT_EQ(line.render(colored, 8), "\x1b[1;31mabcde...\x1b[0m");
}

TEST(StyledLine, NeverWiderThanAllowed) {
  StyledLine line;
  line.add("ab").add("cd", Ink::dim).add("ef").add("gh");
  for (int width = 1; width <= 8; ++width) {
    EXPECT_LE(line.render({}, width).size(), static_cast<std::size_t>(width));
  }
}

}  // namespace
}  // namespace gordian
