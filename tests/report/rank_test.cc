// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "report/json.h"
#include "report/rank_report.h"
#include "report/text.h"

namespace gordian {
namespace {

TestId id(std::uint32_t number) {
  return TestId{number};
}

RankedBinary three_ranked() {
  RankedBinary of;
  of.target.binary = "/opt/my_test";
  std::vector<Test> tests(3);
  tests[0].suite = tests[1].suite = tests[2].suite = "S";
  tests[0].name = "A", tests[1].name = "B", tests[2].name = "C";
  of.suite = Suite(Framework::gtest, "1.12", std::move(tests));
  of.tests = {id(0), id(1), id(2)};
  return of;
}

RankedOrder order_of(std::string technique, Order tests, GrowthCurve curve) {
  RankedOrder order;
  order.technique = std::move(technique);
  order.description = "additional statement coverage";
  order.seed = 7;
  const std::size_t size = tests.size();
  order.processes = {{std::move(tests), std::vector<bool>(size)}};
  order.statements = std::move(curve);
  return order;
}

CoverageSource counted() {
  CoverageSource about;
  about.source = "gcc --coverage";
  about.way = "alone";
  about.statements = 12;
  about.functions = 3;
  return about;
}

Outcome outcome_of(OutcomeKind kind) {
  Outcome outcome;
  outcome.kind = kind;
  return outcome;
}

/// B changed, with its dependence; A changed without one.
CheckedOrder two_changes() {
  CheckedOrder checked;
  checked.tests = 3;
  checked.changed = {{id(1),
                      outcome_of(OutcomeKind::pass),
                      outcome_of(OutcomeKind::fail),
                      {},
                      3,
                      3,
                      DependenceId{4}},
                     {id(0),
                      outcome_of(OutcomeKind::pass),
                      outcome_of(OutcomeKind::skip),
                      {},
                      3,
                      3,
                      kNoDependence}};
  return checked;
}

PrioritizeFacts prioritized() {
  PrioritizeFacts facts;
  facts.of = three_ranked();
  facts.coverage = counted();
  facts.default_order = order_of("default", {id(0), id(1), id(2)}, {{2, 4, 10}, 12, 0.4});
  facts.unaware = order_of("T4", {id(2), id(0), id(1)}, {{8, 10, 10}, 12, 0.8});
  facts.order = order_of("T4", {id(0), id(2), id(1)}, {{2, 10, 10}, 12, 0.6});
  facts.order.processes.push_back({{id(0), id(1)}, {true, false}});
  facts.order.processes[0].order.pop_back();
  facts.order.processes[0].extra.pop_back();
  facts.order.aware = AwareFacts{2, {{id(1), DependenceId{4}}}, {}, {DependenceId{4}}};
  facts.order.checked = CheckedOrder{};
  facts.order.checked->tests = 3;
  facts.files = {"order.txt", "order.2.txt"};
  return facts;
}

TEST(RankText, PrioritizeTellsRatesPriceAndHowToRunIt) {
  EXPECT_EQ(
      prioritize_text(prioritized(), {}),
      "T4 (additional statement coverage), seed 7, of 3 tests, /opt/my_test\n"
      "Coverage: gcc --coverage, each test alone, 12 statements, 3 functions; collected now.\n"
      "  statements     runs  half after  90 % after  all after   rate\n"
      "  default order     3           3           3          3  0.400\n"
      "  T4                3           1           2          2  0.800\n"
      "  T4 aware          4           2           2          2  0.600\n"
      "Price of keeping to dependences: 0.200 of the rate.\n"
      "Keeps to 2 constraints: 2 processes, 1 run more, for the sake of others.\n"
      "Checking it has brought to light: D4.\n"
      "Not in the first process:\n"
      "  S.B, because of D4\n"
      "Checked by a run: all 3 results are as expected.\n"
      "Run it: gordian run /opt/my_test --isolate none --order order.txt\n"
      "Run it: gordian run /opt/my_test --isolate none --order order.2.txt\n");
}

TEST(RankText, AnOrderThatChangesResultsSaysWhich) {
  PrioritizeFacts facts = prioritized();
  facts.order.checked = two_changes();
  facts.order.checked->changed.push_back(
      {id(2), outcome_of(OutcomeKind::pass), outcome_of(OutcomeKind::skip), {}, 3, 3, kUnstored});
  EXPECT_NE(prioritize_text(facts, {}).find(
                "Checked by a run: 3 of 3 results are not as expected, each time it was "
                "repeated:\n"
                "  D4 S.B: pass expected, FAIL\n"
                "  S.A: pass expected, skip; no dependence was found that says why\n"),
            std::string::npos)
      << prioritize_text(facts, {});
}

TEST(RankText, OrderFilesHaveOneForEachProcess) {
  const PrioritizeFacts facts = prioritized();
  EXPECT_EQ(order_files(facts.order, facts.of.suite),
            (std::vector<std::string>{
                "# T4, additional statement coverage, seed 7; process 1 of 2\nS.A\nS.C\n",
                "# T4, additional statement coverage, seed 7; process 2 of 2\nS.A\nS.B\n"}));
}

TEST(RankText, ImpactIsATableWithEachChangedTestOnce) {
  ImpactFacts facts;
  facts.of = three_ranked();
  facts.orders = {order_of("T1", {id(0), id(1), id(2)}, {{2, 4, 10}, 12, 0.4}),
                  order_of("T4", {id(2), id(0), id(1)}, {{8, 10, 10}, 12, 0.8})};
  facts.orders[0].checked = CheckedOrder{};
  facts.orders[1].checked = two_changes();
  EXPECT_EQ(impact_text(facts, {}),
            "Impact of orders of 3 tests, /opt/my_test\n"
            "  order  changed results  non-deterministic  not reached  statement rate\n"
            "  T1                   0                  0            0           0.400\n"
            "  T4                   2                  0            0           0.800\n"
            "  S.A: pass in the default order, skip in T4; no dependence was found that says why\n"
            "  D4 S.B: pass in the default order, fail in T4\n"
            "2 tests have a result that depends on the order.\n");
  facts.orders.pop_back();
  EXPECT_NE(impact_text(facts, {}).find("No order changes a result."), std::string::npos);
}

ReduceFacts reduced() {
  ReduceFacts facts;
  facts.of = three_ranked();
  facts.coverage = counted();
  facts.by_coverage = {id(2)};
  facts.kept_for_them = {id(0)};
  facts.order = order_of("reduced", {id(0), id(2)}, {{2, 10}, 12, 0.5});
  facts.statements_of_all = facts.statements_of_kept = 10;
  using std::chrono::milliseconds;
  facts.times = {{Isolation::process, Isolation::process, milliseconds(200), milliseconds(100)},
                 {Isolation::snapshot, Isolation::fork, milliseconds(50), milliseconds(20)}};
  facts.rounds = 1;
  facts.faults_file = "faults";
  facts.faults = {{"kept", "F=1", {id(0), id(2)}, {id(2)}, ""},
                  {"lost", "F=2", {id(1)}, {}, ""},
                  {"gone", "./x", {}, {}, "there is no ./x"}};
  return facts;
}

TEST(RankText, ReduceTellsSizeTimesAndLostFaults) {
  EXPECT_EQ(
      reduce_text(reduced(), {}),
      "/opt/my_test: 3 tests\n"
      "Coverage: gcc --coverage, each test alone, 12 statements, 3 functions; collected now.\n"
      "Reduced from 3 tests to 2 (-33 %), which cover 10 of 10 statements.\n"
      "Kept besides, because others depend on them: S.A.\n"
      "  isolation        all tests         reduced\n"
      "  process             200 ms          100 ms  -50 %\n"
      "  snapshot (fork)    50.0 ms  -75 %  20.0 ms  -90 %\n"
      "Of 2 faults that were run, all tests find 2 and the reduced ones 1.\n"
      "  lost: lost, which all tests find by S.B\n"
      "  gone: there is no ./x\n");
}

TEST(RankJson, EveryKeyIsThereAndNullWhereNothingIsKnown) {
  const auto json = prioritize_to_json(prioritized());
  EXPECT_EQ(json.at("kind"), "prioritize");
  EXPECT_EQ(json.at("order").at("seed"), "7");
  EXPECT_EQ(json.at("order").at("processes").at(1).at("extra"), std::vector<std::string>{"S.A"});
  EXPECT_EQ(json.at("order").at("aware").at("moved").at(0).at("dependence"), "D4");
  EXPECT_TRUE(json.at("order").at("curves").at("functions").is_null());
  EXPECT_TRUE(json.at("default_order").at("aware").is_null());
  EXPECT_TRUE(json.at("default_order").at("checked").is_null());
  EXPECT_EQ(json.at("order").at("curves").at("statements").at("covered"),
            (std::vector<int>{2, 10, 10}));

  ImpactFacts impact;
  impact.of = three_ranked();
  impact.orders = {order_of("T4", {id(2), id(0), id(1)}, {{8, 10, 10}, 12, 0.8})};
  impact.orders[0].checked = two_changes();
  const auto seen = impact_to_json(impact);
  EXPECT_TRUE(seen.at("coverage").is_null());
  EXPECT_EQ(seen.at("affected"), (std::vector<std::string>{"S.A", "S.B"}));
  const auto& changed = seen.at("orders").at(0).at("checked").at("changed");
  EXPECT_EQ(changed.at(0).at("dependence"), "D4");
  EXPECT_TRUE(changed.at(1).at("dependence").is_null());
  const std::vector<ImpactFacts> two = {impact, impact};
  EXPECT_EQ(all_to_json("impacts", two, impact_to_json).at("impacts").size(), 2U);

  const auto less = reduce_to_json(reduced());
  EXPECT_EQ(less.at("kept"), 2);
  EXPECT_EQ(less.at("times").at(1).at("isolation_used"), "fork");
  EXPECT_EQ(less.at("faults").at(2).at("trouble"), "there is no ./x");
}

TEST(Columns, AreAsWideAsTheirWidestCell) {
  EXPECT_EQ(columns({{"a", "bb"}, {"ccc", "d"}, {"e"}}), "  a    bb\n  ccc   d\n  e\n");
}

}  // namespace
}  // namespace gordian
