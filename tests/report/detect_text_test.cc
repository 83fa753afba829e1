// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "tests/report/detect_samples.h"
#include "tests/report/explain_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using K = OutcomeKind;

std::string last_line(const std::string& text) {
  return std::string(split_lines(text).back());
}

std::vector<TestId> ids(std::uint32_t first, std::uint32_t count) {
  std::vector<TestId> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(TestId{first + i});
  return list;
}

/// One of each kind, with all that can be known of it.
DetectFacts all_kinds() {
  Dependence known = victim(3, {1});
  known.singles = {TestId{1}, TestId{4}, TestId{7}};
  known.cleaners = {TestId{9}};
  known.singles_complete = known.cleaners_complete = true;
  Dependence split = victim(8, {2, 9});
  split.splits_suite = true;
  DetectFacts facts =
      unfinished_search({known, victim(5, {6}, K::crash), split, brittle(14, 7), self_dependent(12),
                         victim(21, {1}, K::timeout), victim(22, {10}, K::exit)});
  facts.nondeterministic = {{TestId{33}, 10, 3, {}, result(K::pass), result(K::fail)}};
  facts.left_out = {
      {TestId{40}, "disabled"}, {TestId{60}, "hangs alone"}, {TestId{41}, "disabled"}};
  facts.notices = {{Notice::Level::warning, "files are shared between orders here"}};
  return facts;
}

TEST(DetectText, AllKinds) {
  expect_golden("detect_all_kinds.txt", detect_summary(all_kinds(), {}));
}

TEST(DetectText, OnATerminalNoLineIsWiderThanIt) {
  DetectFacts facts = all_kinds();
  std::vector<gordian::Test> tests = facts.suite.tests();
  for (gordian::Test& test : tests) test.suite = "Checkout/" + std::string(70, 'x');
  facts.suite = Suite(Framework::gtest, "1.12.1", tests);
  Style style;
  for (int width : {40, 80, 120}) {
    style.width = width;
    style.unicode = true;
    std::string text = detect_summary(facts, style);
    for (std::string_view line : split_lines(text)) EXPECT_LT(display_width(line), width) << line;
  }
  style.width = 80;
  expect_golden("detect_tty.txt", detect_summary(facts, style));
}

TEST(DetectText, VictimsOfOnePolluterStandTogetherAndLargestGroupsFirst) {
  std::string text = detect_summary(sample_search({victim(9, {8}), victim(2, {1}), brittle(5, 8),
                                                   victim(6, {1}), victim(7, {1})}),
                                    {});
  std::size_t three = text.find("3 tests depend on Cart.T1:\nD2 ");
  std::size_t two = text.find("2 tests depend on Cart.T8:\nD1 ");
  ASSERT_NE(three, std::string::npos) << text;
  ASSERT_NE(two, std::string::npos) << text;
  EXPECT_LT(three, two);
  EXPECT_LT(text.find("\nD5 "), two);
  EXPECT_EQ(last_line(text), "5 dependent tests (4 victims, 1 brittle) among 121.");
}

TEST(DetectText, ManyPollutersAreCutWithTheirNumber) {
  Dependence d = victim(0, {1});
  d.singles = ids(1, 18);
  std::string text = detect_summary(sample_search({d}), {});
  EXPECT_TRUE(has(text,
                  "also polluted by Cart.T2, Cart.T3, Cart.T4, Cart.T5, Cart.T6 and 12 more "
                  "(not every test was tried)\n"))
      << text;
}

TEST(DetectText, KnowingThatThereIsNoOtherIsSaid) {
  Dependence d = victim(0, {1});
  d.singles_complete = d.cleaners_complete = true;
  Dependence b = brittle(5, 6);
  b.singles_complete = true;
  std::string text = detect_summary(sample_search({d, b}), {});
  EXPECT_TRUE(has(text, "      no other test alone pollutes it; no test cleans it\n")) << text;
  EXPECT_TRUE(has(text, "      no other test alone sets its state\n")) << text;
  EXPECT_FALSE(has(detect_summary(sample_search({victim(0, {1})}), {}), "no other test"));
}

TEST(DetectText, ALongWitnessStillEndsWithItsTest) {
  Dependence d = victim(50, {1, 2, 3, 4, 5, 6, 7});
  d.confirmed = 1;
  std::string text = detect_summary(sample_search({d}), {});
  EXPECT_TRUE(has(text, "T5 and 2 more together\n")) << text;
  EXPECT_TRUE(has(text, "T5 and 2 more, Cart.T50   (run once)\n")) << text;
}

TEST(DetectText, ADefaultOrderThatShowsTheBadResultIsTold) {
  Dependence d = victim(3, {1});
  d.expected = d.witnessed;
  std::string text = detect_summary(sample_search({d}), {});
  EXPECT_TRUE(has(text, "      by default  FAIL  cart_test.cc:42  Expected")) << text;
  EXPECT_FALSE(has(detect_summary(sample_search({brittle(3, 1)}), {}), "by default"));
}

TEST(DetectText, TwoFailuresAtDifferentPlacesAreNoPlainFailure) {
  Dependence d = victim(3, {1});
  d.alone = d.expected = result(K::fail);
  d.alone.line = d.expected.line = 7;
  EXPECT_TRUE(has(detect_summary(sample_search({d}), {}), "fails differently after  Cart.T1"));
}

TEST(DetectText, ReplayNamesTheDatabaseOrTheOrderFile) {
  DetectFacts facts = sample_search({victim(3, {1})});
  facts.db = "my db";
  EXPECT_TRUE(has(detect_summary(facts, {}), "  gordian replay D1 --db 'my db'\n"));
  facts.db = "";
  facts.target.args = {"--data", "my dir"};
  std::string text = detect_summary(facts, {});
  EXPECT_FALSE(has(text, "gordian replay")) << text;
  EXPECT_TRUE(has(text,
                  "gordian run --isolate none --order FILE /home/me/build/cart_test -- "
                  "--data 'my dir'"))
      << text;
}

TEST(DetectText, AnExplainedTestHasALineForItsCarrier) {
  DetectFacts facts = sample_search({victim(3, {1}), victim(4, {1}), victim(5, {1})});
  facts.dependences[0].explanation = proved_by({total_carrier()});
  facts.dependences[2].explanation = unproved({}, "too long");
  std::string text = detect_summary(facts, {});
  EXPECT_TRUE(has(text, "      carrier     g_total  (int, /src/cart.cc:12)  0 -> 50   proved\n"))
      << text;
  EXPECT_TRUE(has(text, "      carrier     not explained: too long\n")) << text;
  EXPECT_EQ(text.find("carrier  ", text.find("\nD2 ")), text.find("carrier  ", text.find("\nD3 ")));
}

TEST(DetectText, TheNextCommandFollowsWhatIsKnown) {
  DetectFacts facts = sample_search({victim(3, {1})});
  EXPECT_TRUE(has(detect_summary(facts, {}), "Next: gordian explain D1 finds the state"));
  Explanation& explanation = facts.dependences[0].explanation.emplace(proved_by({total_carrier()}));
  EXPECT_TRUE(has(detect_summary(facts, {}), "Next: gordian fix D1 makes a patch"));
  explanation.carriers[0].write = explanation.carriers[0].read = std::nullopt;
  EXPECT_TRUE(has(detect_summary(facts, {}), "Next: gordian explain D1 shows where"));
}

TEST(DetectText, NothingFound) {
  expect_golden("detect_nothing.txt", detect_summary(sample_search(), {}));
}

TEST(DetectText, HostileNamesAndMessagesReachNoTerminal) {
  gordian::Test evil;
  evil.suite = "E\x1b[2J\u202e";
  evil.name = "x\r\n\x9b";
  DetectFacts facts = sample_search({victim(0, {1})});
  facts.suite = Suite(Framework::gtest, "1\x1b", {evil, evil});
  facts.target.binary = "/a\x1b/b";
  facts.db = "a\nb";
  facts.search.algorithm = "au\x1bto";
  facts.dependences[0].witnessed.file = "f\x1b";
  facts.dependences[0].witnessed.message = "a \x1b]0;x\x07\n b\xff";
  facts.left_out = {{TestId{1}, "why\x1b"}};
  facts.notices = {{Notice::Level::info, "n\x1b"}};
  for (int width : {0, 50}) {
    Style style;
    style.width = width;
    std::string text = detect_summary(facts, style);
    EXPECT_EQ(text.find_first_of("\x1b\r\x07\xff"), std::string::npos) << text;
    EXPECT_FALSE(has(text, "\u202e")) << text;
  }
  EXPECT_TRUE(has(detect_summary(facts, {}), "E\\x1b[2J\\u{202e}.x\\r\\n\\x9b  fails after"));
}

}  // namespace
}  // namespace gordian
