// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/live_display.h"

#include <gtest/gtest.h>

#include "tests/report/detect_samples.h"
#include "tests/report/fake_terminal.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using namespace testing_support;
using K = OutcomeKind;

/// A display on a fake terminal (or pipe) with a clock turned by hand.
class Stage {
 public:
  explicit Stage(const LiveScreenOptions& options, const DetectFacts& facts = sample_search())
      : terminal_(static_cast<std::size_t>(options.width)),
        display_(
            options,
            [this](std::string_view text) {
              raw_ += text;
              terminal_.write(text);
            },
            [this] { return now_; }) {
    progress_.budget = 60s;
    display_.search_begins(facts);
  }

  Stage& budget(std::chrono::milliseconds budget) { return progress_.budget = budget, *this; }
  Stage& dependents(int count) { return progress_.dependents = count, *this; }
  Stage& doing(std::string what) { return progress_.doing = std::move(what), *this; }
  /// Time passes; then so many orders of an algorithm are done, each with two tests.
  Stage& after(std::chrono::nanoseconds time, std::string algorithm, std::uint64_t done,
               std::uint64_t total) {
    now_ += time;
    progress_.elapsed += time;
    progress_.algorithm = std::move(algorithm);
    progress_.phase_done = progress_.orders = done;
    progress_.tests_run = 2 * done;
    progress_.phase_total = total;
    return display_.progress(progress_), *this;
  }
  SearchDisplay& display() { return display_; }
  FakeTerminal& terminal() { return terminal_; }
  std::string screen() const { return terminal_.screen(); }
  const std::string& raw() const { return raw_; }

 private:
  std::chrono::steady_clock::time_point now_{};
  SearchProgress progress_;
  std::string raw_;
  FakeTerminal terminal_;
  SearchDisplay display_;
};

LiveScreenOptions tty() {
  LiveScreenOptions options;
  options.is_tty = options.unicode = options.color = true;
  return options;
}

TEST(SearchDisplayTty, FindsScrollAboveTheBlock) {
  Stage stage(tty());
  stage.after(2s, "isolation", 60, 121).after(1s, "pairs", 0, 14'520);
  stage.display().found(victim(3, {1}));
  stage.display().found(brittle(4, 2));
  stage.display().found_nondeterministic({TestId{33}, 10, 3, {}, {}, {}});
  stage.display().notice({Notice::Level::warning, "files are shared"});
  stage.dependents(2).doing("confirming Cart.T9").after(27s, "pairs", 3'210, 14'520);
  expect_golden("detect_live_tty.txt", stage.screen());
  EXPECT_TRUE(stage.terminal().cursor_at_line_start());
  stage.display().finish();
  EXPECT_FALSE(has(stage.screen(), "Searching")) << stage.screen();
  EXPECT_TRUE(has(stage.screen(), "    FOUND  victim  Cart.T3  fails after  Cart.T1\n"));
}

TEST(SearchDisplayTty, TimeLeftCountsFromTheBeginningOfThePhase) {
  Stage stage(tty());
  stage.after(50s, "isolation", 120, 121).after(1s, "pairs", 0, 100);
  stage.after(5s, "pairs", 50, 100);
  EXPECT_TRUE(has(stage.screen(), "pairs: 50/100 orders, about 5 s left")) << stage.screen();
  EXPECT_TRUE(has(stage.screen(), "at most 4 s left")) << stage.screen();
}

TEST(SearchDisplayTty, WithoutABudgetTheBarIsThePhase) {
  Stage stage(tty());
  stage.budget(0ms).after(2s, "pairs", 50, 200);
  EXPECT_TRUE(has(stage.screen(), "\u2588\u2591")) << stage.screen();
  EXPECT_TRUE(has(stage.screen(), "25 % of pairs")) << stage.screen();
  stage.after(1s, "random", 7, 0);
  EXPECT_FALSE(has(stage.screen(), "\u2591")) << stage.screen();
  EXPECT_TRUE(has(stage.screen(), "random: 7 orders\n")) << stage.screen();
}

TEST(SearchDisplayTty, OverrunningTheBudgetIsNoNegativeTime) {
  Stage stage(tty());
  stage.after(63s, "pairs", 500, 100);
  EXPECT_TRUE(has(stage.screen(), "at most 0 s left")) << stage.screen();
}

TEST(SearchDisplayTty, ShortSearchesShowNoBlockAndLongOnesNoMoreThanTwentyFramesASecond) {
  Stage stage(tty());
  stage.after(150ms, "pairs", 1, 100);
  EXPECT_EQ(stage.raw(), "");
  for (std::uint64_t i = 0; i < 2000; ++i) stage.after(1ms, "pairs", i, 2000);
  EXPECT_LE(stage.terminal().writes(), 41);
  EXPECT_GE(stage.terminal().writes(), 35);
}

TEST(SearchDisplayTty, LongNamesAreCutToOneLine) {
  DetectFacts facts = sample_search();
  std::vector<gordian::Test> tests = facts.suite.tests();
  for (gordian::Test& test : tests) test.suite = std::string(70, 'x');
  facts.suite = Suite(Framework::gtest, "1.12.1", tests);
  Stage stage(tty(), facts);
  stage.doing("confirming " + std::string(100, 'y')).after(1s, "pairs", 1, 100);
  stage.display().found(victim(3, {1}));
  stage.after(1s, "pairs", 2, 100);
  EXPECT_EQ(split_lines(stage.screen()).size(), 5U) << stage.screen();
  EXPECT_TRUE(has(stage.screen(), "xx.T3  fails after  xx")) << stage.screen();
}

TEST(SearchDisplayPipe, PlainLinesAndASignOfLife) {
  Stage stage(LiveScreenOptions{});
  stage.after(1s, "isolation", 121, 121);
  stage.display().phase_ended({PhaseKind::isolation, 121, 121, 0, 1s, true});
  stage.display().found(victim(3, {1}, K::crash));
  stage.display().found(victim(8, {2, 9}));
  stage.display().found(self_dependent(5));
  stage.display().found_nondeterministic({TestId{33}, 10, 3, {}, {}, {}});
  stage.dependents(3).doing("confirming Cart.T9").after(9s, "pairs", 3'210, 14'520);
  stage.after(9s, "pairs", 5'000, 14'520).doing("").after(1s, "pairs", 6'000, 14'520);
  stage.display().phase_ended({PhaseKind::pairs, 6'000, 12'000, 3, 19s, false});
  stage.display().finish();
  EXPECT_EQ(stage.raw().find('\x1b'), std::string::npos);
  expect_golden("detect_live_pipe.txt", stage.raw());
}

TEST(SearchDisplayPipe, NamesAreNeverCut) {
  DetectFacts facts = sample_search();
  std::vector<gordian::Test> tests = facts.suite.tests();
  tests[3].name = std::string(300, 'x');
  facts.suite = Suite(Framework::gtest, "1.12.1", tests);
  Stage stage(LiveScreenOptions{}, facts);
  stage.display().found(victim(3, {1}));
  EXPECT_TRUE(has(stage.raw(), std::string(300, 'x') + "  fails after  Cart.T1\n"));
}

TEST(SearchDisplayPipe, ASearchThatIsSlowToBeginGivesASignToo) {
  Stage stage(LiveScreenOptions{});
  stage.after(11s, "", 0, 0);
  EXPECT_TRUE(has(stage.raw(), "Searching [    11.0 s] starting;")) << stage.raw();
}

TEST(SearchDisplay, HostileNamesReachNeitherBlockNorLines) {
  gordian::Test evil;
  evil.suite = "E\x1b[2J\u202e";
  evil.name = "x\r\n\x9b";
  DetectFacts facts = sample_search();
  facts.suite = Suite(Framework::gtest, "", {evil, evil});
  LiveScreenOptions options = tty();
  options.width = 120;
  Stage stage(options, facts);  // the fake terminal refuses
  stage.doing("confirming \x1b[2J").after(1s, "p\x1b", 1, 10);
  stage.display().found(victim(0, {1}));
  stage.display().found_nondeterministic({TestId{0}, 10, 3, {}, {}, {}});
  stage.display().notice({Notice::Level::info, "about \x1b]0;x\x07"});
  stage.display().finish();
  EXPECT_TRUE(has(stage.screen(), "E\\x1b[2J\\u{202e}.x\\r\\n\\x9b  fails after"));
}

}  // namespace
}  // namespace gordian
