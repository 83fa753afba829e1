// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/text.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(SanitizeText, ControlsBecomeVisibleAndLayoutStays) {
  EXPECT_EQ(sanitize_text("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(sanitize_text("\x1b]0;owned\x07"), "\\x1b]0;owned\\x07");
  EXPECT_EQ(sanitize_text("50%\r100%\x7f"), "50%\\r100%\\x7f");
  EXPECT_EQ(sanitize_text(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(SanitizeText, EightBitControlsAndDirectionOverridesBecomeVisible) {
  EXPECT_EQ(sanitize_text("\u009b31m"), "\\u{9b}31m");
  EXPECT_EQ(sanitize_text("pass\u202elaf"), "pass\\u{202e}laf");
  EXPECT_EQ(sanitize_text("a\u2066b\ufeff"), "a\\u{2066}b\\u{feff}");
}

TEST(SanitizeText, InvalidUtf8BecomesVisibleAndValidStays) {
  EXPECT_EQ(sanitize_text("caf\u00e9 \u4f60"), "caf\u00e9 \u4f60");
  EXPECT_EQ(sanitize_text("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
  EXPECT_EQ(sanitize_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(sanitize_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past U+10FFFF
  EXPECT_EQ(sanitize_text("cut \xe4\xbd"), "cut \\xe4\\xbd");
}

TEST(SanitizeLine, StaysOnOneLine) {
  EXPECT_EQ(sanitize_line("a\nb\tc"), "a\\nb\\tc");
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\u00e9"), 1);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("\u4f60\u597d"), 4);
  EXPECT_EQ(display_width("\U0001f600"), 2);
}

TEST(TruncateMiddle, KeepsBothEnds) {
  EXPECT_EQ(truncate_middle("Suite.Name", 10, "..."), "Suite.Name");
  EXPECT_EQ(truncate_middle("Suite.LongName", 9, "..."), "Sui...ame");
  EXPECT_EQ(truncate_middle("Suite.LongName", 9, "\u2026"), "Suit\u2026Name");
  EXPECT_EQ(truncate_middle("Suite", 3, "..."), "Sui");
  EXPECT_EQ(truncate_middle("Suite", 0, "..."), "");
}

TEST(TruncateMiddle, NeverCutsACharacter) {
  std::string wide = "\u4f60\u597d\u4f60\u597d\u4f60\u597d";
  for (int width = 0; width <= 12; ++width) {
    std::string cut = truncate_middle(wide, width, "\u2026");
    EXPECT_LE(display_width(cut), width);
    EXPECT_EQ(sanitize_text(cut), cut) << "broken UTF-8 at width " << width;
  }
  // The accent that lost its letter goes too.
  EXPECT_EQ(truncate_middle("aaaae\u0301b", 4, "\u2026"), "aa\u2026b");
}

TEST(TruncateEnd, KeepsTheBeginning) {
  EXPECT_EQ(truncate_end("message", 7, "..."), "message");
  EXPECT_EQ(truncate_end("messages", 7, "..."), "mess...");
}

TEST(SplitLines, FinalNewlineMakesNoLine) {
  EXPECT_EQ(split_lines("a\n\nb\n"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(split_lines("").empty());
  EXPECT_EQ(first_line("a\nb"), "a");
}

TEST(Excerpt, ShortTextIsWhole) {
  EXPECT_EQ(excerpt("a\n\nb\n", "  ", {40, 500}), "  a\n\n  b\n");
}

TEST(Excerpt, SaysHowManyLinesWereCut) {
  EXPECT_EQ(excerpt("1\n2\n3\n4\n5\n6\n", "", {4, 0}),
            "1\n2\n[2 lines cut, --verbose shows all]\n5\n6\n");
  EXPECT_EQ(excerpt("1\n2\n3\n4\n5\n6\n", "", {0, 0}), "1\n2\n3\n4\n5\n6\n");
}

TEST(Excerpt, SaysHowMuchOfALongLineWasCut) {
  EXPECT_EQ(excerpt(std::string(2000, 'x'), "", {40, 10}), "xxxxxxxxxx [1,990 bytes more]\n");
}

}  // namespace
}  // namespace gordian
