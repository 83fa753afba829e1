// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/screen.h"

#include <gtest/gtest.h>

#include "tests/report/detect_samples.h"

namespace gordian {
namespace {

using namespace testing_support;
using std::chrono::seconds;

class StepDisplayTest : public ::testing::Test {
 protected:
  /// What was printed from the start to `at` seconds, with a step announced at the start.
  std::string shown(bool is_tty, int at) {
    std::string out;
    auto now = std::chrono::steady_clock::time_point{} + seconds(1000);
    LiveScreenOptions options;
    options.is_tty = is_tty;
    StepDisplay display(
        "Explain", suite_, 5, options, [&out](std::string_view text) { out += text; },
        [&now] { return now; });
    Dependence d = victim(3, {1});
    d.id = DependenceId{2};
    display.step(d, "resetting g_x\x1b");
    now += seconds(at);
    display.done_one();
    return out;
  }

  Suite suite_ = sample_suite(5);
};

TEST_F(StepDisplayTest, IsSilentForTheFirstTwoSeconds) {
  EXPECT_EQ(shown(true, 1).find("Explain"), std::string::npos);
  EXPECT_EQ(shown(false, 9), "");
}

TEST_F(StepDisplayTest, ThenSaysWhatIsDone) {
  const std::string text = shown(true, 3);
  EXPECT_NE(text.find("Explain [     3.0 s] 1/5 D2 Cart.T3: resetting g_x\\x1b"), std::string::npos)
      << text;
}

TEST_F(StepDisplayTest, SaysWhichPartOfAStepIsDone) {
  std::string out;
  auto now = std::chrono::steady_clock::time_point{} + seconds(1000);
  StepDisplay display(
      "Repair", suite_, 1, {}, [&out](std::string_view text) { out += text; },
      [&now] { return now; });
  display.expect_more(2);
  display.phase("building");
  now += seconds(11);
  display.detail("[1/2] a.cc\x1b");
  now += seconds(11);
  display.phase("running");
  EXPECT_EQ(out,
            "   Repair [    11.0 s] 0/3 building: [1/2] a.cc\\x1b\n"
            "   Repair [    22.0 s] 0/3 running\n");
}

TEST_F(StepDisplayTest, GivesASignOfLifeInAPipe) {
  EXPECT_EQ(shown(false, 11), "  Explain [    11.0 s] 1/5 D2 Cart.T3: resetting g_x\\x1b\n");
}

}  // namespace
}  // namespace gordian
