// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/terminal_style.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gordian {
namespace {

Style wide(int width) {
  Style style;
  style.width = width;
  return style;
}

FlowLine headline() {
  FlowLine line(0, 4);
  line.glue("D1  ").name("Cart.TheVictimOfTheStory").word("fails after  ", Ink::plain, "    ");
  line.name("Cart.ThePolluterOfTheStory").word("and").glue(" ").name("Cart.B");
  return line;
}

TEST(FlowLine, InAPipeItIsOneLine) {
  EXPECT_EQ(headline().render({}),
            "D1  Cart.TheVictimOfTheStory    fails after  Cart.ThePolluterOfTheStory and Cart.B\n");
}

TEST(FlowLine, OnATerminalItBreaksBetweenWordsAndDropsTheGap) {
  EXPECT_EQ(headline().render(wide(46)),
            "D1  Cart.TheVictimOfTheStory\n"
            "    fails after  Cart.ThePolluterOfTheStory\n"
            "    and Cart.B\n");
}

TEST(FlowLine, AWordWiderThanTheLineLosesTheMiddleOfItsName) {
  EXPECT_EQ(headline().render(wide(31)),
            "D1  Cart.TheVictimOfTheStory\n"
            "    fails after  Cart....Story\n"
            "    and Cart.B\n");
}

TEST(FlowLine, OnOneLineTheLongestNamesGiveWayFirst) {
  EXPECT_EQ(headline().render_one_line(wide(70)),
            "D1  Cart.The...heStory    fails after  Cart.The...heStory and Cart.B\n");
}

TEST(FlowLine, NothingIsEverWiderThanTheTerminal) {
  for (int width = 1; width < 90; ++width) {
    std::string text = headline().render(wide(width)) + headline().render_one_line(wide(width));
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_LE(text.find('\n', at) - at, static_cast<std::size_t>(std::max(width - 1, 1))) << text;
    }
  }
}

TEST(FlowLine, NumbersKeepTheirPercentSign) {
  FlowLine line(2, 4);
  EXPECT_EQ(line.sentence("it is 95 % sure").render(wide(12)), "  it is\n    95 %\n    sure\n");
}

TEST(FlowLine, ASentenceCanContinueTheWordBeforeIt) {
  FlowLine line(0, 4);
  line.glue("note  ").continued("one two").continued("").continued("  three");
  EXPECT_EQ(line.render({}), "note  one two three\n");
  EXPECT_EQ(line.render(wide(11)), "note  one\n    two\n    three\n");
}

TEST(FlowLine, BlankSentencesAndNoWordsAreHarmless) {
  EXPECT_EQ(FlowLine(2, 4).render(wide(40)), "  \n");
  EXPECT_EQ(FlowLine(0, 4).sentence("  a   b ").render({}), "a b\n");
}

}  // namespace
}  // namespace gordian
