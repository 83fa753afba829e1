// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/runtime/native/played_agent.h"

namespace gordian {
namespace {

using namespace gordian_wire;
using testing::ElementsAre;
using testing::IsEmpty;

struct Listener : RunListener {
  void test_finished(const TestRun& run) override {
    seen.push_back(run.test.value());
    lost += run.outcome.kind == OutcomeKind::lost;
  }
  std::vector<std::uint32_t> take() { return std::exchange(seen, {}); }
  std::vector<std::uint32_t> seen;
  int lost = 0;
};

/// Six tests, each in a branch of its own.
class Progress : public PlayedAgent {
 protected:
  Progress() {
    std::vector<Order> orders;
    for (std::uint32_t test = 0; test < 6; ++test) orders.push_back({TestId{test}});
    load(Plan::flat(orders));
  }
  void finish(std::uint32_t test) {
    std::uint32_t token = plan_.positions(test)[0];
    set(token, kPass);
    end_branch(plan_.branch_of(token), 0);
  }
  Decoder decoder_{memory_, plan_};
  Listener listener_;
};

TEST_F(Progress, ReportsEachTestOnce) {
  PlanProgress progress(plan_, decoder_, listener_, 64);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), IsEmpty());
  finish(0);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), ElementsAre(0));
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), IsEmpty());
  EXPECT_EQ(progress.done(), 1u);
}

TEST_F(Progress, ASlowTestDoesNotHoldTheOthersBack) {
  PlanProgress progress(plan_, decoder_, listener_, 64);
  finish(1);
  finish(3);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), ElementsAre(1, 3));
  finish(0);
  finish(5);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), ElementsAre(0, 5));
  EXPECT_EQ(progress.done(), 4u);
}

TEST_F(Progress, LooksNoFurtherThanItsWindow) {
  PlanProgress progress(plan_, decoder_, listener_, 2);
  finish(4);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), IsEmpty()) << "two tests before it are missing";
  finish(0);
  finish(1);
  finish(2);
  progress.advance(kBusy);
  EXPECT_THAT(listener_.take(), ElementsAre(0, 1, 2, 4));
}

TEST_F(Progress, EverythingIsReportedInTheEnd) {
  PlanProgress progress(plan_, decoder_, listener_, 1);
  finish(2);
  finish(5);
  progress.advance(kBusy);
  progress.advance(kDone);
  EXPECT_THAT(listener_.take(), testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(progress.done(), 6u);
}

TEST_F(Progress, RefusedBranchesAreNoResults) {
  PlanProgress progress(plan_, decoder_, listener_, 64);
  set(plan_.branch_of(plan_.positions(1)[0]), kBranchUnsafe);
  for (std::uint32_t test : {0u, 2u, 3u, 4u, 5u}) finish(test);
  progress.advance(kDone);
  EXPECT_THAT(listener_.take(), ElementsAre(0, 2, 3, 4, 5));
}

/// Orders that may be run again: what is told cannot be taken back.
class Repeated : public PlayedAgent {
 protected:
  /// Runs none of them, the process is gone; `refused` has not told anything.
  std::vector<TestRun> runs(PlanProgress& progress, std::size_t order) {
    std::vector<TestRun> results;
    for (std::uint32_t token : plan_.positions(order)) {
      results.push_back(progress.result(token, gone(SIGKILL), false));
    }
    return results;
  }
  void pass(std::uint32_t token) {
    set(token, kPass);
    if (plan_.tokens()[token + 1] == kClose) end_branch(plan_.branch_of(token), 0);
  }
  Decoder decoder_{memory_, plan_};
  Listener listener_;
};

TEST_F(Repeated, ALostTestIsToldOnceItIsFinal) {
  load(Plan::flat(std::vector<Order>{{TestId{0}}, {TestId{1}}}));
  PlanProgress progress(plan_, decoder_, listener_, 64, PlanProgress::Repeats::maybe);
  pass(plan_.positions(0)[0]);
  set(plan_.positions(1)[0], kRunning);
  progress.advance(gone(SIGKILL));
  EXPECT_THAT(listener_.take(), ElementsAre(0)) << "test 1 will be run again";
  EXPECT_EQ(progress.done(), 1u);
  EXPECT_EQ(runs(progress, 1)[0].outcome.kind, OutcomeKind::lost);
  progress.settle(0, runs(progress, 0));
  EXPECT_THAT(listener_.take(), IsEmpty()) << "told before";
  progress.settle(1, runs(progress, 1));
  EXPECT_THAT(listener_.take(), ElementsAre(1)) << "tried often enough";
  EXPECT_EQ(listener_.lost, 1);
  EXPECT_EQ(progress.done(), 2u);
}

TEST_F(Repeated, WhatRanBeforeALostTestRunsAgainWithIt) {
  load(Plan::flat(std::vector<Order>{{TestId{0}, TestId{1}}, {TestId{2}, TestId{3}}}));
  PlanProgress progress(plan_, decoder_, listener_, 64, PlanProgress::Repeats::maybe);
  pass(plan_.positions(0)[0]);
  set(plan_.positions(0)[1], kRunning);
  for (std::uint32_t token : plan_.positions(1)) pass(token);
  progress.advance(gone(SIGKILL));
  EXPECT_THAT(listener_.take(), IsEmpty());
  progress.settle(1, runs(progress, 1));
  EXPECT_THAT(listener_.take(), ElementsAre(2, 3));
  EXPECT_EQ(progress.done(), 2u);
}

TEST_F(Repeated, ASharedBeginningIsToldOnce) {
  load(Plan::tree(std::vector<Order>{{TestId{0}}, {TestId{0}, TestId{1}}, {TestId{0}, TestId{2}}}));
  PlanProgress progress(plan_, decoder_, listener_, 64, PlanProgress::Repeats::maybe);
  for (std::uint32_t token : plan_.tests()) pass(token);
  progress.advance(gone(SIGKILL));
  EXPECT_THAT(listener_.take(), IsEmpty()) << "an order that begins so may be run again";
  for (std::size_t i = 0; i < plan_.orders(); ++i) progress.settle(i, runs(progress, i));
  EXPECT_THAT(listener_.take(), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace gordian
