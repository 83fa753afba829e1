// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/live_display.h"

#include <gtest/gtest.h>

#include "tests/report/fake_terminal.h"
#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using namespace testing_support;
using K = OutcomeKind;

/// A display on a fake terminal (or pipe) with a clock turned by hand.
class Stage {
 public:
  explicit Stage(LiveDisplayOptions options, Suite suite = sample_suite(100))
      : suite_(std::move(suite)),
        terminal_(static_cast<std::size_t>(options.width)),
        display_(
            suite_, options,
            [this](std::string_view text) {
              raw_ += text;
              terminal_.write(text);
            },
            [this] { return now_; }) {}

  Stage& after(std::chrono::nanoseconds time) { return now_ += time, *this; }
  Stage& finished(const TestRun& run) { return display_.test_finished(run), *this; }
  Stage& tick(const std::vector<RunningTest>& running, std::size_t done) {
    return display_.tick(running, done, 100), *this;
  }
  LiveDisplay& display() { return display_; }
  FakeTerminal& terminal() { return terminal_; }
  std::string screen() const { return terminal_.screen(); }
  const std::string& raw() const { return raw_; }

 private:
  Suite suite_;
  std::chrono::steady_clock::time_point now_{};
  std::string raw_;
  FakeTerminal terminal_;
  LiveDisplay display_;
};

LiveDisplayOptions tty() {
  LiveDisplayOptions options;
  options.is_tty = true;
  options.unicode = true;
  options.color = true;
  options.jobs = 4;
  options.slow_threshold = 1s;
  return options;
}

LiveDisplayOptions pipe() {
  LiveDisplayOptions options;
  options.slow_threshold = 1s;
  return options;
}

TEST(LiveDisplayTty, BlockShowsBarCountsAndLongRunningTests) {
  Stage stage(tty());
  for (std::uint32_t i = 0; i < 20; ++i) stage.finished(run_of(i, i == 3 ? K::skip : K::pass));
  stage.finished(run_of(20, K::fail));
  stage.after(2s).tick({{TestId{30}, 1200ms}, {TestId{31}, 100ms}, {TestId{32}, 1800ms}}, 21);
  expect_golden("live_tty_block.txt", scrub(stage.screen()));
  EXPECT_TRUE(stage.terminal().cursor_at_line_start());
}

TEST(LiveDisplayTty, LinesScrollAboveTheBlockAndTheBlockGoes) {
  Stage stage(tty());
  stage.after(1s).tick({{TestId{1}, 900ms}, {TestId{2}, 800ms}}, 0);
  TestRun slow = run_of(1, K::pass);
  slow.duration = 1500ms;
  TestRun leak = run_of(2, K::pass);
  leak.leaks.threads = 2;
  stage.after(1s).finished(slow).after(1s).finished(leak).after(1s).finished(run_of(3, K::fail));
  stage.display().notice({Notice::Level::warning, "isolation fell back to fork: threads"});
  stage.after(1s).tick({}, 4);
  expect_golden("live_tty_lines.txt", scrub(stage.screen()));
  stage.display().finish();
  std::string rest = stage.screen();
  EXPECT_EQ(rest.find("Running"), std::string::npos) << rest;
  EXPECT_NE(rest.find("FAIL"), std::string::npos) << rest;
}

TEST(LiveDisplayTty, DrawsAtMostTwentyTimesASecond) {
  Stage stage(tty());
  for (int i = 0; i < 2000; ++i) {
    stage.after(1ms).finished(run_of(5, K::fail)).tick({}, static_cast<std::size_t>(i) / 20);
  }
  EXPECT_LE(stage.terminal().writes(), 41);
  EXPECT_GE(stage.terminal().writes(), 35);
}

TEST(LiveDisplayTty, FinishPrintsWhatWasWaiting) {
  Stage stage(tty());
  stage.finished(run_of(1, K::fail)).after(1ms).finished(run_of(2, K::crash));
  EXPECT_EQ(stage.screen().find("CRASH"), std::string::npos);
  stage.display().finish();
  EXPECT_NE(stage.screen().find("CRASH"), std::string::npos);
  int writes = stage.terminal().writes();
  stage.display().finish();
  EXPECT_EQ(stage.terminal().writes(), writes);
}

TEST(LiveDisplayTty, ShortRunsShowNoBlock) {
  Stage stage(tty());
  stage.after(100ms).tick({}, 50).after(50ms).tick({}, 100);
  stage.display().finish();
  EXPECT_EQ(stage.raw(), "");
}

TEST(LiveDisplayTty, AShrinkingBlockLeavesNothingBehind) {
  Stage stage(tty());
  stage.after(2s).tick({{TestId{1}, 1s}, {TestId{2}, 1s}, {TestId{3}, 1s}}, 1);
  stage.after(1s).tick({}, 4);
  EXPECT_EQ(stage.screen().find("Cart.T"), std::string::npos) << stage.screen();
  EXPECT_NE(stage.screen().find("4/100"), std::string::npos) << stage.screen();
}

TEST(LiveDisplayTty, NarrowerWindowMeansATallerBlockToErase) {
  int width = 80;
  LiveDisplayOptions options = tty();
  options.measure_width = [&width] { return width; };
  Stage stage(options);
  stage.after(2s).tick({}, 10);  // two lines; the first one 72 columns wide, the second 32
  width = 30;
  stage.after(1s).tick({}, 11);
  EXPECT_NE(stage.raw().find("\r\x1b[5A"), std::string::npos) << stage.raw();
}

TEST(LiveDisplayTty, NoFrameEverReachesTheLastColumn) {
  for (int width : {1, 10, 24, 40, 61, 80, 200}) {
    LiveDisplayOptions options = tty();
    options.width = width;
    Stage stage(options);
    stage.after(2s).tick({{TestId{1}, 1s}, {TestId{2}, 1s}}, 10);
    std::string screen = stage.screen();
    ASSERT_NE(stage.raw(), "");
    for (std::string_view line : split_lines(screen)) {
      EXPECT_LE(display_width(line), std::max(width - 1, 1)) << line;
    }
  }
}

TEST(LiveDisplayTty, DestructorRemovesTheBlock) {
  FakeTerminal terminal(80);
  Suite suite = sample_suite(3);
  std::chrono::steady_clock::time_point now{};
  {
    LiveDisplay display(
        suite, tty(), [&](std::string_view text) { terminal.write(text); }, [&] { return now; });
    now += 1s;
    display.tick({}, 1, 3);
    EXPECT_NE(terminal.screen(), "");
  }
  EXPECT_EQ(terminal.screen(), "");
}

TEST(LiveDisplayPipe, FailuresAndSignsOfLifeWithoutControlCodes) {
  Stage stage(pipe());
  stage.finished(run_of(0, K::pass)).after(1s).finished(run_of(1, K::fail));
  stage.finished(run_of(2, K::skip)).finished(run_of(3, K::timeout));
  for (int i = 0; i < 24; ++i) stage.after(1s).tick({{TestId{9}, 1s * (i + 1)}}, 4);
  stage.display().finish();
  EXPECT_EQ(stage.raw().find('\x1b'), std::string::npos);
  EXPECT_EQ(stage.raw().find('\r'), std::string::npos);
  expect_golden("live_pipe.txt", scrub(stage.raw()));
}

TEST(LiveDisplayPipe, SaysWhatIsAboutToRun) {
  Stage stage(pipe());
  stage.display().starting(1, "build/a\x1b_test");
  EXPECT_EQ(stage.raw(), " Starting 1 test of build/a\\x1b_test\n");
}

TEST(LiveDisplayPipe, VerboseGivesEveryTestALine) {
  LiveDisplayOptions options = pipe();
  options.verbose = true;
  Stage stage(options);
  TestRun skipped = run_of(1, K::skip);
  skipped.outcome.message = "no network\nhere";
  stage.finished(run_of(0, K::pass)).finished(skipped).finished(run_of(2, K::not_run));
  EXPECT_EQ(stage.raw(),
            "     PASS [  0.012 ms] Cart.T0\n"
            "     SKIP [  0.012 ms] Cart.T1 (no network)\n"
            "  NOT RUN [  0.012 ms] Cart.T2\n");
}

TEST(LiveDisplayPipe, ATestThatRunsAndRunsIsNamedOnceWhileItDoes) {
  Stage stage(pipe());
  stage.after(5s).tick({{TestId{7}, 5s}}, 1);
  EXPECT_EQ(stage.raw(), "");
  stage.after(4s).tick({{TestId{7}, 10s}, {TestId{8}, 9s}}, 1);
  const std::string line = "     SLOW [>   10.0 s] Cart.T7 (still running)\n";
  EXPECT_EQ(stage.raw(), line);
  stage.tick({{TestId{7}, 11s}}, 1);
  EXPECT_EQ(stage.raw(), line);
  TestRun run = run_of(7, K::pass);
  run.duration = 11s;
  stage.finished(run);
  EXPECT_EQ(stage.raw(), line + "     SLOW [  11.000 s] Cart.T7\n");
}

TEST(LiveDisplayTty, ASlowTestIsNamedAboveTheBlock) {
  LiveDisplayOptions options = tty();
  options.slow_threshold = 30s;  // more than what is worth a line otherwise
  Stage stage(options);
  stage.after(20s).tick({{TestId{7}, 20s}}, 1);
  EXPECT_EQ(stage.raw().find("SLOW"), std::string::npos);
  stage.after(10s).tick({{TestId{7}, 30s}}, 1);
  EXPECT_EQ(stage.screen().find("     SLOW [>   30.0 s] Cart.T7 (still running)\n"), 0U)
      << stage.screen();
}

TEST(LiveDisplayPipe, PassingTestsAreSilentAndThresholdZeroMeansNeverSlow) {
  LiveDisplayOptions options = pipe();
  options.slow_threshold = 0s;
  Stage stage(options);
  TestRun slow = run_of(0, K::pass);
  slow.duration = 100s;
  stage.tick({{TestId{0}, 100s}}, 0).finished(slow).finished(run_of(1, K::not_run));
  EXPECT_EQ(stage.raw(), "");
}

TEST(LiveDisplay, HostileNamesReachNeitherBlockNorLines) {
  gordian::Test evil;
  evil.suite = "E\x1b[2J\u202e";
  evil.name = "x\r\n\x9b";
  Stage stage(tty(), Suite(Framework::gtest, "", {evil, evil}));  // the fake terminal refuses
  stage.after(2s).tick({{TestId{0}, 1s}}, 0);
  stage.after(1s).finished(run_of(0, K::fail));
  stage.display().notice({Notice::Level::info, "about \x1b]0;x\x07"});
  stage.display().finish();
  EXPECT_NE(stage.screen().find("E\\x1b[2J\\u{202e}.x\\r\\n\\x9b"), std::string::npos);
}

}  // namespace
}  // namespace gordian
