// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/constraints.h"

#include <gtest/gtest.h>

#include "tests/order/model_knowledge.h"
#include "tests/order/random_table.h"
#include "tests/order/slow_constraints.h"

namespace gordian {
namespace {

using namespace rank_test;
using detect_test::ModelRunner;
using detect_test::ModelTest;
using Kind = Constraint::Kind;

TestId id(std::uint32_t number) {
  return TestId{number};
}

Order order_of(std::initializer_list<std::uint32_t> numbers) {
  Order order;
  for (std::uint32_t n : numbers) order.push_back(id(n));
  return order;
}

Constraint avoids_sequence(std::uint32_t test, std::initializer_list<std::uint32_t> sequence,
                           std::initializer_list<std::uint32_t> cleaners = {}) {
  return {id(test), Kind::avoids, {{order_of(sequence), order_of(cleaners)}}, DependenceId{1}};
}

Constraint needs_sequence(std::uint32_t test, std::initializer_list<std::uint32_t> sequence,
                          std::initializer_list<std::uint32_t> undone_by = {}) {
  return {id(test), Kind::needs, {{order_of(sequence), order_of(undone_by)}}, DependenceId{1}};
}

struct Scheduled {
  Schedule schedule;
  std::string fault;
};

Scheduled schedule_of(std::size_t tests, std::vector<Constraint> list, const Order& wanted,
                      const Order& helpers = {}) {
  const Constraints constraints(tests, std::move(list));
  auto ranking = rank_as_listed(wanted);
  Scheduled result{make_schedule({constraints, wanted, helpers}, *ranking), {}};
  result.fault = fault_of(result.schedule, constraints, wanted);
  return result;
}

TEST(Schedule, WithoutConstraintsTheRankingDecides) {
  auto made = schedule_of(3, {}, order_of({2, 0, 1}));
  ASSERT_EQ(made.schedule.processes.size(), 1u);
  EXPECT_EQ(made.schedule.joined(), order_of({2, 0, 1}));
}

TEST(Schedule, AVictimRunsBeforeItsPolluter) {
  auto made = schedule_of(3, {avoids_sequence(2, {0})}, order_of({0, 1, 2}));
  EXPECT_EQ(made.schedule.joined(), order_of({2, 0, 1}));
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, ABrittleTestRunsAfterItsSetter) {
  auto made = schedule_of(3, {needs_sequence(0, {2})}, order_of({0, 1, 2}));
  EXPECT_EQ(made.schedule.joined(), order_of({2, 0, 1}));
}

TEST(Schedule, WhatWouldUndoASetterWaitsForTheBrittleTest) {
  auto made = schedule_of(3, {needs_sequence(2, {0}, {1})}, order_of({0, 1, 2}));
  EXPECT_EQ(made.schedule.joined(), order_of({0, 2, 1}));
}

TEST(Schedule, SeveralTestsInOrderAreNeededInThatOrder) {
  auto made = schedule_of(4, {needs_sequence(0, {3, 2})}, order_of({0, 1, 2, 3}));
  EXPECT_EQ(made.schedule.joined(), order_of({3, 2, 0, 1}));
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, APairOfPollutersMayStandBeforeTheirVictimTheOtherWayRound) {
  auto made = schedule_of(3, {avoids_sequence(2, {0, 1})}, order_of({1, 0, 2}));
  EXPECT_EQ(made.schedule.joined(), order_of({1, 0, 2}));
  made = schedule_of(3, {avoids_sequence(2, {0, 1})}, order_of({0, 1, 2}));
  EXPECT_EQ(made.schedule.joined(), order_of({0, 2, 1}));
}

TEST(Schedule, ACleanerHelpsWhereVictimsHurtEachOther) {
  auto made =
      schedule_of(3, {avoids_sequence(0, {1}, {2}), avoids_sequence(1, {0})}, order_of({0, 1, 2}));
  ASSERT_EQ(made.schedule.processes.size(), 1u);
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, VictimsOfEachOtherNeedTwoProcesses) {
  auto made =
      schedule_of(3, {avoids_sequence(0, {1}), avoids_sequence(1, {0})}, order_of({0, 1, 2}));
  ASSERT_EQ(made.schedule.processes.size(), 2u);
  EXPECT_EQ(made.schedule.processes[0].order, order_of({0, 2}));
  EXPECT_EQ(made.schedule.processes[1].order, order_of({1}));
  ASSERT_EQ(made.schedule.moved.size(), 1u);
  EXPECT_EQ(made.schedule.moved[0].test, id(1));
  EXPECT_EQ(made.schedule.moved[0].constraint, 1u);
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, ASetterRunsAgainWhereTwoTestsEachUndoWhatTheOtherNeeds) {
  auto made = schedule_of(3, {needs_sequence(1, {0}, {2}), needs_sequence(2, {0}, {1})},
                          order_of({0, 1, 2}));
  ASSERT_EQ(made.schedule.processes.size(), 2u);
  EXPECT_EQ(made.schedule.processes[1].order, order_of({0, 2}));
  EXPECT_EQ(made.schedule.processes[1].extra, (std::vector<bool>{true, false}));
  EXPECT_EQ(made.schedule.extras(), 1u);
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, AHelperRunsOnlyIfItIsNeeded) {
  EXPECT_EQ(
      schedule_of(3, {needs_sequence(0, {2})}, order_of({0, 1}), order_of({2})).schedule.joined(),
      order_of({2, 0, 1}));
  EXPECT_EQ(schedule_of(3, {}, order_of({0, 1}), order_of({2})).schedule.joined(),
            order_of({0, 1}));
}

TEST(Schedule, WhatCannotBeServedIsReportedAndStandsAlone) {
  auto made = schedule_of(3, {needs_sequence(0, {2})}, order_of({0, 1}));
  ASSERT_EQ(made.schedule.impossible.size(), 1u);
  EXPECT_EQ(made.schedule.impossible[0].test, id(0));
  EXPECT_EQ(made.schedule.processes.back().order, order_of({0}));
  EXPECT_EQ(made.fault, "");
}

TEST(Schedule, TestsThatNeedEachOtherAreImpossible) {
  auto made = schedule_of(2, {needs_sequence(0, {1}), needs_sequence(1, {0})}, order_of({0, 1}));
  EXPECT_EQ(made.schedule.impossible.size(), 2u);
  EXPECT_EQ(made.fault, "");
}

std::vector<Constraint> random_constraints(std::size_t tests, Random& random) {
  std::vector<Constraint> list;
  auto any = [&] { return TestId{static_cast<std::uint32_t>(random.below(tests))}; };
  for (std::uint32_t t = 0; t < tests; ++t) {
    if (random.below(3) != 0) continue;
    Constraint constraint{
        TestId{t}, random.below(2) == 0 ? Kind::avoids : Kind::needs, {}, DependenceId{1}};
    for (std::size_t s = 1 + random.below(2); s > 0; --s) {
      Constraint::Sequence sequence;
      for (std::size_t i = 1 + random.below(3); i > 0; --i) sequence.tests.push_back(any());
      std::erase(sequence.tests, TestId{t});
      std::sort(sequence.tests.begin(), sequence.tests.end());
      sequence.tests.erase(std::unique(sequence.tests.begin(), sequence.tests.end()),
                           sequence.tests.end());
      random.shuffle(sequence.tests);
      if (sequence.tests.empty()) continue;
      for (std::size_t i = random.below(3); i > 0; --i) sequence.undone_by.push_back(any());
      sequence.wary = constraint.kind == Kind::needs && random.below(3) == 0;
      sequence.trusted_after = any(), sequence.trusted_before = TestId{t};
      constraint.sequences.push_back(std::move(sequence));
    }
    if (!constraint.sequences.empty()) list.push_back(std::move(constraint));
  }
  return list;
}

TEST(Schedule, KeepsEveryConstraintWhateverTheyAre) {
  Random random(99);
  std::size_t impossible = 0, split = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t tests = 1 + random.below(14);
    const Constraints constraints(tests, random_constraints(tests, random));
    Order wanted = first_tests(tests), helpers;
    random.shuffle(wanted);
    while (wanted.size() > 1 && random.below(4) == 0) {
      helpers.push_back(wanted.back());
      wanted.pop_back();
    }
    auto ranking = rank_as_listed(wanted);
    const Schedule schedule = make_schedule({constraints, wanted, helpers}, *ranking);
    ASSERT_EQ(fault_of(schedule, constraints, wanted), "") << round;
    impossible += schedule.impossible.size();
    split += schedule.processes.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(impossible, 0u);  // or the above was too easy
  EXPECT_GT(split, 100u);
}

TEST(Schedule, AnAwareRankingStillRanks) {
  Random random(5);
  const CoverTable table = random_table(30, 80, 10, random);
  const Constraints constraints(30, {avoids_sequence(7, {3}), needs_sequence(4, {9})});
  auto ranking = rank_additional(table, first_tests(30), 1);
  const Schedule schedule = make_schedule({constraints, first_tests(30), {}}, *ranking);
  EXPECT_EQ(fault_of(schedule, constraints, first_tests(30)), "");
  const Order unaware = prioritize(*rank_additional(table, first_tests(30), 1));
  EXPECT_EQ(schedule.processes[0].order.front(), unaware.front());
}

/// The point of it all: in suites where every pair was tried, no test of a schedule surprises, in
/// whatever order they were wanted.
TEST(Schedule, GivesOnlyExpectedResultsInModelSuites) {
  Random random(31);
  int unaware_surprises = 0;
  for (int round = 0; round < 400; ++round) {
    const ModelRunner model = random_model(2 + random.below(9), random);
    const Constraints constraints = find_dependences(model).constraints(model);
    Order wanted = model.suite().default_order();
    random.shuffle(wanted);
    auto ranking = rank_as_listed(wanted);
    const Schedule schedule = make_schedule({constraints, wanted, {}}, *ranking);
    ASSERT_EQ(fault_of(schedule, constraints, wanted), "") << round;
    EXPECT_TRUE(schedule.impossible.empty()) << round;
    for (const ProcessOrder& process : schedule.processes) {
      ASSERT_EQ(surprise_in(model, process.order, process.extra), "") << round;
    }
    const std::vector<bool> none(wanted.size());
    unaware_surprises += surprise_in(model, wanted, none).empty() ? 0 : 1;
  }
  EXPECT_GT(unaware_surprises, 100);
}

TEST(Schedule, AThirdResultKeepsTheDefaultOrderBeforeIt) {
  // "Last" alone fails at its first check, after A at its second one; it passes after both.
  ModelRunner model({ModelTest("A").sets(0, 1), ModelTest("B").sets(1, 1), ModelTest("C"),
                     ModelTest("Last").expects(0, 1).expects(1, 1)});
  Dependence d;
  d.test = model.id("Last");
  d.by = {model.id("A")};
  d.alone = model.after({}, d.test);
  d.witnessed = model.after(d.by, d.test);
  d.expected = expected_of(model, d.test);
  const Constraints constraints(model.suite(), std::vector<Dependence>{d});
  auto ranking = rank_as_listed(order_of({3, 2, 1, 0}));
  const Schedule schedule = make_schedule({constraints, order_of({3, 2, 1, 0}), {}}, *ranking);
  EXPECT_EQ(schedule.joined(), order_of({0, 1, 2, 3}));
}

TEST(Schedule, WhatIsDeclaredIsKept) {
  ModelRunner model({ModelTest("A"), ModelTest("B"), ModelTest("C")});
  model.declare("A", {"C"});
  const Constraints constraints(model.suite(), {});
  auto ranking = rank_as_listed(order_of({0, 1, 2}));
  EXPECT_EQ(make_schedule({constraints, order_of({0, 1, 2}), {}}, *ranking).joined(),
            order_of({2, 0, 1}));
}

}  // namespace
}  // namespace gordian
