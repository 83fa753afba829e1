// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/shard.h"

#include <gtest/gtest.h>

#include "tests/order/model_knowledge.h"
#include "tests/order/random_table.h"

namespace gordian {
namespace {

using namespace rank_test;
using Kind = Constraint::Kind;

Order rule_order(std::initializer_list<std::uint32_t> numbers) {
  Order order;
  for (std::uint32_t n : numbers) order.push_back(TestId{n});
  return order;
}

Constraint rule_avoids(std::uint32_t test, std::initializer_list<std::uint32_t> sequence,
                       std::initializer_list<std::uint32_t> cleaners = {}) {
  return {
      TestId{test}, Kind::avoids, {{rule_order(sequence), rule_order(cleaners)}}, DependenceId{1}};
}

Constraint rule_needs(std::uint32_t test, std::initializer_list<std::uint32_t> sequence) {
  return {TestId{test}, Kind::needs, {{rule_order(sequence), {}}}, DependenceId{1}};
}

RunnerRules rules_of(std::size_t tests, std::vector<Constraint> list,
                     const DataFlow* flow = nullptr) {
  return runner_rules(Constraints(tests, std::move(list)), flow);
}

/// "0<2 1<2": in the order of the rules.
std::string text_of(const RunnerRules& rules) {
  std::string text;
  for (const RunnerRules::After& after : rules.after) {
    text += (text.empty() ? "" : " ") + std::to_string(after.first.value()) + "<" +
            std::to_string(after.second.value());
  }
  return text;
}

/// Tests that read and write these states, numbered through.
DataFlow flow_of(std::vector<TestFlow> tests, std::vector<std::string> states) {
  DataFlow flow;
  for (std::string& name : states) {
    flow.states.push_back({{CarrierKind::file, name}, {}, {}, 0});
  }
  flow.tests = std::move(tests);
  for (const TestFlow& test : flow.tests) flow.order.push_back(test.test);
  return flow;
}

TestFlow flow_of_test(std::uint32_t test, std::initializer_list<std::uint32_t> reads,
                      std::initializer_list<std::uint32_t> writes) {
  TestFlow flow;
  flow.test = TestId{test};
  for (std::uint32_t state : reads) flow.reads.push_back(StateId{state});
  for (std::uint32_t state : writes) flow.writes.push_back(StateId{state});
  return flow;
}

TEST(RunnerRules, AVictimRunsBeforeItsPolluter) {
  const RunnerRules rules = rules_of(3, {rule_avoids(2, {0})});
  EXPECT_EQ(text_of(rules), "2<0");
  EXPECT_TRUE(rules.unmet.empty());
}

TEST(RunnerRules, ABrittleTestNeedsItsSettersInTheirOrder) {
  const RunnerRules rules = rules_of(3, {rule_needs(0, {2, 1})});
  EXPECT_EQ(text_of(rules), "2<1");
  ASSERT_EQ(rules.needs.size(), 1u);
  EXPECT_EQ(rules.needs[0].test, TestId{0});
  EXPECT_EQ(rules.needs[0].setters, rule_order({2, 1}));
}

TEST(RunnerRules, VictimsOfEachOtherCannotBothBeServed) {
  const RunnerRules rules = rules_of(2, {rule_avoids(0, {1}), rule_avoids(1, {0})});
  EXPECT_EQ(text_of(rules), "0<1");
  ASSERT_EQ(rules.unmet.size(), 1u);
  EXPECT_EQ(rules.unmet[0].test, TestId{1});
}

TEST(RunnerRules, ACleanerHelpsWhereTheVictimCannotRunFirst) {
  const RunnerRules rules = rules_of(3, {rule_needs(2, {0}), rule_avoids(2, {0}, {1})});
  EXPECT_EQ(text_of(rules), "0<1 1<2");
  EXPECT_TRUE(rules.unmet.empty());
}

TEST(RunnerRules, PollutersThatOnlyHurtInOneOrderMayRunInTheOther) {
  const RunnerRules rules = rules_of(3, {rule_needs(2, {1}), rule_avoids(2, {0, 1})});
  EXPECT_EQ(text_of(rules), "1<0");
}

TEST(RunnerRules, ATestThatHurtsItselfIsReported) {
  const RunnerRules rules = rules_of(1, {rule_avoids(0, {0})});
  EXPECT_EQ(text_of(rules), "");
  EXPECT_EQ(rules.unmet.size(), 1u);
}

TEST(RunnerRules, WhatIsDeclaredIsNotSaidAgainButKeptTo) {
  Constraint declared = rule_needs(1, {0});
  declared.dependence = kNoDependence;
  const RunnerRules rules = rules_of(2, {declared, rule_avoids(1, {0})});
  EXPECT_TRUE(rules.needs.empty());
  EXPECT_EQ(text_of(rules), "");
  EXPECT_EQ(rules.unmet.size(), 1u);
}

TEST(RunnerRules, WhoWritesWhatABrittleTestReadsStaysOutOfItsWay) {
  Constraint brittle = rule_needs(2, {1});
  brittle.sequences[0].wary = true;
  brittle.sequences[0].trusted_after = TestId{1}, brittle.sequences[0].trusted_before = TestId{2};
  // 0 and 3 write the same file as the setter; 4 another one.
  const DataFlow flow =
      flow_of({flow_of_test(0, {}, {0}), flow_of_test(1, {}, {0}), flow_of_test(2, {0}, {}),
               flow_of_test(3, {}, {0}), flow_of_test(4, {}, {1})},
              {"config", "other"});
  EXPECT_EQ(text_of(rules_of(5, {brittle}, &flow)), "0<1 2<3");
  const RunnerRules blind = rules_of(5, {brittle});
  EXPECT_EQ(text_of(blind), "");
  EXPECT_EQ(blind.unmet.size(), 1u);
}

TEST(RunnerRules, TestsThatShareAFileRunOneAtATime) {
  const DataFlow flow = flow_of({flow_of_test(0, {}, {0}), flow_of_test(1, {0}, {}),
                                 flow_of_test(2, {0}, {}), flow_of_test(3, {1}, {})},
                                {"shared", "only read"});
  const RunnerRules rules = rules_of(4, {}, &flow);
  ASSERT_EQ(rules.locks.size(), 1u);
  EXPECT_EQ(rules.locks[0].state, "shared");
  EXPECT_EQ(rules.locks[0].tests, rule_order({0, 1, 2}));
}

TEST(RunnerRules, WhatIsOrderedNeedsNoLock) {
  const DataFlow flow = flow_of({flow_of_test(0, {}, {0}), flow_of_test(1, {0}, {})}, {"shared"});
  EXPECT_TRUE(rules_of(2, {rule_avoids(1, {0})}, &flow).locks.empty());
}

TEST(RunnerRules, TwoNamesInOneDirectoryAreNoConflict) {
  const DataFlow flow =
      flow_of({flow_of_test(0, {}, {0}), flow_of_test(1, {}, {0})}, {"directory/"});
  EXPECT_TRUE(rules_of(2, {}, &flow).locks.empty());
}

TEST(RunnerRules, NeverCloseACircle) {
  Random random(8);
  for (int round = 0; round < 500; ++round) {
    const std::size_t tests = 2 + random.below(8);
    std::vector<Constraint> list;
    auto any = [&] { return static_cast<std::uint32_t>(random.below(tests)); };
    for (std::size_t i = random.below(12); i > 0; --i) {
      const std::uint32_t test = any(), other = any();
      if (test == other) continue;
      list.push_back(random.below(2) == 0 ? rule_avoids(test, {other}, {any()})
                                          : rule_needs(test, {other}));
    }
    const RunnerRules rules = rules_of(tests, list);
    // Warshall.
    std::vector<std::vector<bool>> before(tests, std::vector<bool>(tests));
    for (const auto& after : rules.after) before[after.first.value()][after.second.value()] = true;
    for (const auto& needs : rules.needs) {
      for (TestId setter : needs.setters) before[setter.value()][needs.test.value()] = true;
    }
    for (std::size_t k = 0; k < tests; ++k) {
      for (std::size_t i = 0; i < tests; ++i) {
        for (std::size_t j = 0; j < tests; ++j) {
          if (before[i][k] && before[k][j]) before[i][j] = true;
        }
      }
    }
    for (std::size_t i = 0; i < tests; ++i) ASSERT_FALSE(before[i][i]) << round;
  }
}

TEST(SafeRoundRobin, IsWhatTheModelSays) {
  Random random(21);
  int unsafe = 0;
  for (int round = 0; round < 200; ++round) {
    const auto model = random_model(2 + random.below(10), random);
    const Constraints constraints = find_dependences(model).constraints(model);
    const Order tests = model.suite().default_order();
    const std::vector<std::size_t> safe = safe_round_robin(constraints, tests, 6);
    ASSERT_EQ(safe.front(), 1u);
    for (std::size_t count : safe) {
      for (std::size_t shard = 0; shard < count; ++shard) {
        Order order;
        for (std::size_t i = shard; i < tests.size(); i += count) order.push_back(tests[i]);
        ASSERT_EQ(surprise_in(model, order, std::vector<bool>(order.size())), "") << round;
      }
    }
    unsafe += safe.size() < 6;
  }
  EXPECT_GT(unsafe, 50);
}

}  // namespace
}  // namespace gordian
