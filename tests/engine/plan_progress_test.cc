// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/plan_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/played_agent.h"

namespace gordian {
namespace {

using namespace gordian_wire;
using testing::ElementsAre;
using testing::IsEmpty;

struct Listener : RunListener {
  void test_finished(const TestRun& run) override { seen.push_back(run.test.value()); }
  std::vector<std::uint32_t> take() { return std::exchange(seen, {}); }
  std::vector<std::uint32_t> seen;
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

}  // namespace
}  // namespace gordian
