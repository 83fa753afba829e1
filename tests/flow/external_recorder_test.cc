// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A real suite run by the executor with the recorder watching.
#include "flow/external/external_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

/// Watches the suite of tests/flow/fixtures, started in a directory of its own.
class ExternalRecorderTest : public ScratchDir, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = watch_obstacle(); !why.empty()) GTEST_SKIP() << why;
    target_.binary = std::filesystem::path(GORDIAN_EXTERNAL_FIXTURES) / GetParam();
    if (!std::filesystem::exists(target_.binary)) GTEST_SKIP() << "no static C library here";
    target_.working_dir = dir_;
    auto inspection = inspect(target_);
    ASSERT_TRUE(inspection) << inspection.error().message;
    ExecutorOptions options;
    options.watch = &recorder_;
    auto opened = Executor::open(target_, inspection->elf, inspection->framework, options);
    ASSERT_TRUE(opened) << opened.error().message;
    executor_ = std::move(*opened);
  }

  Order order_of(const std::vector<std::string>& names) {
    Order order;
    for (const std::string& name : names) order.push_back(*executor_->suite().find(name));
    return order;
  }

  /// In one process, in this order.
  std::vector<ExternalTest> in_order(const std::vector<std::string>& names) {
    RunListener silent;
    Order order = order_of(names);
    auto runs = executor_->run_fresh({&order, 1}, silent);
    if (!runs) ADD_FAILURE() << runs.error().message;
    return recorder_.take();
  }

  std::vector<ExternalTest> alone(const std::vector<std::string>& names) {
    RunListener silent;
    std::vector<Order> orders;
    for (TestId test : order_of(names)) orders.push_back({test});
    auto runs = executor_->run_forked(orders, OrderRunner::Shape::flat, silent);
    if (!runs) ADD_FAILURE() << runs.error().message;
    return recorder_.take();
  }

  DataFlow flow_of(const std::vector<std::string>& names) {
    auto tests = in_order(names);
    FlowBuilder builder(FlowSource::watch, false);
    Order order = order_of(names);
    for (std::size_t i = 0; i < order.size(); ++i) {
      builder.begin(order[i]);
      if (const ExternalTest* test = find_test(tests, i)) add_to(builder, *test);
    }
    return builder.take();
  }

  /// The names of the states by which the last test depends on the first; empty: it does not.
  std::vector<std::string> carried(const std::string& first, const std::string& last) {
    DataFlow flow = flow_of({first, last});
    std::vector<std::string> names;
    for (const DataDependence& dependence : flow.dependences) {
      for (StateId id : dependence.states) names.push_back(flow.state(id).key.text());
    }
    return names;
  }

  Target target_;
  ExternalRecorder recorder_;
  std::unique_ptr<Executor> executor_;
};

TEST_P(ExternalRecorderTest, AFileThatIsLeftIsSeenByItsReader) {
  EXPECT_THAT(carried("Writes.MakesAFile", "Reads.TheFile"), Contains("made.txt"));
  EXPECT_THAT(carried("Writes.MakesAFile", "Reads.Kept"), IsEmpty());
}

TEST_P(ExternalRecorderTest, WhatIsRemovedAgainCarriesNothing) {
  EXPECT_THAT(carried("Writes.MakesAndRemoves", "Reads.Absence"), IsEmpty());
}

TEST_P(ExternalRecorderTest, OpeningForWritingIsNoChange) {
  EXPECT_THAT(carried("Writes.OpensForWritingOnly", "Reads.Kept"), IsEmpty());
  EXPECT_THAT(carried("Writes.RewritesTheSame", "Reads.Kept"), IsEmpty());
}

TEST_P(ExternalRecorderTest, LinksLeadToOneFile) {
  EXPECT_THAT(carried("Writes.ThroughAHardLink", "Reads.TheOtherLink"), Not(IsEmpty()));
}

TEST_P(ExternalRecorderTest, SystemCallsWithoutTheLibraryAreSeen) {
  EXPECT_THAT(carried("Writes.ByInstruction", "Reads.TheDirectory"), Contains("./"));
}

TEST_P(ExternalRecorderTest, ChildrenBelongToTheirTest) {
  EXPECT_THAT(carried("Writes.InAChild", "Reads.TheDirectory"), Contains("./"));
}

TEST_P(ExternalRecorderTest, ADirectoryMadeAnewHoldsAnotherFile) {
  EXPECT_THAT(carried("Writes.RemovesAndMakesTheDirectory", "Reads.InDirectory"),
              Contains("sub/inner.txt"));
}

TEST_P(ExternalRecorderTest, OverwritingReadsNoContent) {
  EXPECT_THAT(carried("Writes.MakesAFile", "Reads.Overwrites"), IsEmpty());
}

TEST_P(ExternalRecorderTest, RightsCountForWhoeverOpens) {
  DataFlow flow = flow_of({"Writes.MakesAFile", "Writes.Rights", "Reads.Overwrites"});
  ASSERT_EQ(flow.dependences.size(), 2u);
  EXPECT_EQ(flow.state(flow.dependences[1].states.front()).key.text(), "made.txt (attributes)");
}

TEST_P(ExternalRecorderTest, AFileHeldOpenIsUsedWithoutACall) {
  EXPECT_THAT(carried("Writes.ToTheOpenLog", "Reads.Nothing"), Contains("log.txt"));
  EXPECT_THAT(carried("Reads.Nothing", "Reads.Nothing"), IsEmpty());
}

TEST_P(ExternalRecorderTest, TheWorkingDirectoryIsState) {
  EXPECT_THAT(carried("Where.Changes", "Reads.Kept"), UnorderedElementsAre("cwd"));
  EXPECT_THAT(carried("Where.ComesBack", "Reads.Kept"), IsEmpty());
}

TEST_P(ExternalRecorderTest, TheMaskIsState) {
  EXPECT_THAT(carried("Where.Masks", "Writes.MakesAFile"), UnorderedElementsAre("umask"));
}

TEST_P(ExternalRecorderTest, APeerIsKnownByItsAddress) {
  EXPECT_THAT(carried("Peer.Connects", "Peer.Sends"), UnorderedElementsAre("127.0.0.1:4242"));
}

TEST_P(ExternalRecorderTest, TestsAloneInForksAreToldApart) {
  auto tests = alone({"Writes.MakesAFile", "Reads.TheFile", "Reads.Kept"});
  auto accesses = [&](const char* name) -> const std::vector<ExternalAccess>& {
    TestId id = *executor_->suite().find(name);
    return std::find_if(tests.begin(), tests.end(), [id](auto& t) { return t.test == id; })
        ->accesses;
  };
  auto uses = [](const std::string& name, bool read, bool write) {
    return testing::AllOf(
        testing::Field(&ExternalAccess::key, testing::Property(&StateKey::text, name)),
        testing::Field(&ExternalAccess::read, read), testing::Field(&ExternalAccess::write, write));
  };
  EXPECT_THAT(accesses("Writes.MakesAFile"), Contains(uses("made.txt", false, true)));
  EXPECT_THAT(accesses("Reads.TheFile"), UnorderedElementsAre(uses("made.txt", true, false)));
  EXPECT_THAT(accesses("Reads.Kept"), IsEmpty());
}

TEST_P(ExternalRecorderTest, LeavesOutcomesAlone) {
  RunListener silent;
  Order order = executor_->suite().default_order();
  auto runs = executor_->run_fresh({&order, 1}, silent);
  ASSERT_TRUE(runs);
  for (const TestRun& run : runs->front().runs) {
    EXPECT_TRUE(run.outcome.kind == OutcomeKind::pass || run.outcome.kind == OutcomeKind::skip)
        << executor_->suite().test(run.test).full_name();
  }
}

INSTANTIATE_TEST_SUITE_P(, ExternalRecorderTest,
                         testing::Values("external_suite", "external_suite_static"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace gordian
