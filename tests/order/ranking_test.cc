// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/ranking.h"

#include <gtest/gtest.h>

#include "tests/order/random_table.h"
#include "tests/order/slow_reference.h"

namespace gordian {
namespace {

using namespace rank_test;

Order ids(std::initializer_list<std::uint32_t> numbers) {
  Order order;
  for (std::uint32_t n : numbers) order.push_back(TestId{n});
  return order;
}

Coverage with_statements(CoverTable table) {
  Coverage coverage;
  coverage.functions = empty_table(table.tests.size(), 1);
  coverage.statements = std::move(table);
  return coverage;
}

TEST(Ranking, TotalTakesWhatCoversMost) {
  const Coverage coverage = with_statements(table_of_rows({"1...", "111.", "..11"}));
  EXPECT_EQ(prioritize(Technique::total_statements, &coverage, first_tests(3), 1), ids({1, 2, 0}));
}

TEST(Ranking, AdditionalTakesWhatAddsMost) {
  const Coverage coverage = with_statements(table_of_rows({"111..", "1111.", "...11"}));
  EXPECT_EQ(prioritize(Technique::additional_statements, &coverage, first_tests(3), 1),
            ids({1, 2, 0}));
}

TEST(Ranking, AdditionalStartsAgainWhenNothingAdds) {
  // After 0 nothing adds; then 2 covers more than 1.
  const Coverage coverage = with_statements(table_of_rows({"1111", "1...", "11.."}));
  EXPECT_EQ(prioritize(Technique::additional_statements, &coverage, first_tests(3), 1),
            ids({0, 2, 1}));
}

TEST(Ranking, FunctionsAreLookedAtByT5AndT7Only) {
  Coverage coverage;
  coverage.statements = table_of_rows({"1.", "11"});
  coverage.functions = table_of_rows({"11", "1."});
  EXPECT_EQ(prioritize(Technique::total_statements, &coverage, first_tests(2), 1), ids({1, 0}));
  EXPECT_EQ(prioritize(Technique::total_functions, &coverage, first_tests(2), 1), ids({0, 1}));
  EXPECT_EQ(prioritize(Technique::additional_functions, &coverage, first_tests(2), 1), ids({0, 1}));
}

TEST(Ranking, TiesAreBrokenByTheSeedAndByNothingElse) {
  const Coverage coverage = with_statements(empty_table(40, 8));
  auto order = [&](std::uint64_t seed) {
    return prioritize(Technique::total_statements, &coverage, first_tests(40), seed);
  };
  EXPECT_EQ(order(5), order(5));
  EXPECT_NE(order(5), order(6));
  EXPECT_EQ(order(5), prioritize(Technique::random, nullptr, first_tests(40), 5));
}

TEST(Ranking, AgreesWithTheSlowReferenceOnRandomTables) {
  Random random(2014);
  for (int round = 0; round < 300; ++round) {
    const std::size_t tests = 1 + random.below(24), units = random.below(140);
    const CoverTable table = random_table(tests, units, 1 + random.below(60), random);
    Order some;  // not all tests of the suite are to be ranked
    for (TestId test : first_tests(tests)) {
      if (random.below(8) != 0) some.push_back(test);
    }
    const std::uint64_t seed = random.next();
    SCOPED_TRACE(round);
    ASSERT_EQ(prioritize(*rank_total(table, some, seed)), slow_total(table, some, seed));
    ASSERT_EQ(prioritize(*rank_additional(table, some, seed)), slow_additional(table, some, seed));
  }
}

TEST(Ranking, EveryTechniqueAgreesWithTheSlowReference) {
  Random random(1999);
  for (int round = 0; round < 100; ++round) {
    const std::size_t tests = 1 + random.below(20);
    Coverage coverage;
    coverage.statements = random_table(tests, random.below(140), 1 + random.below(60), random);
    coverage.functions = random_table(tests, random.below(30), 1 + random.below(60), random);
    const Order all = first_tests(tests);
    const std::uint64_t seed = random.next();
    auto order = [&](Technique technique) { return prioritize(technique, &coverage, all, seed); };
    SCOPED_TRACE(round);
    ASSERT_EQ(order(Technique::random), slow_ties(all, seed));
    ASSERT_EQ(order(Technique::total_statements), slow_total(coverage.statements, all, seed));
    ASSERT_EQ(order(Technique::additional_statements),
              slow_additional(coverage.statements, all, seed));
    ASSERT_EQ(order(Technique::total_functions), slow_total(coverage.functions, all, seed));
    ASSERT_EQ(order(Technique::additional_functions),
              slow_additional(coverage.functions, all, seed));
  }
}

TEST(Ranking, EveryTechniqueTakesEachTestOnce) {
  Random random(7);
  Coverage coverage;
  coverage.statements = random_table(60, 100, 10, random);
  coverage.functions = random_table(60, 9, 30, random);
  for (Technique technique : kTechniques) {
    Order order = prioritize(technique, &coverage, first_tests(60), 3);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, first_tests(60)) << name_of(technique);
  }
}

TEST(Ranking, WhatIsSetAsideComesBack) {
  const CoverTable table = table_of_rows({"1111", "11..", "1..."});
  auto ranking = rank_additional(table, first_tests(3), 1);
  ASSERT_EQ(ranking->best(), TestId{0});
  ranking->set_aside(TestId{0});
  ASSERT_EQ(ranking->best(), TestId{1});
  ranking->take(TestId{1});
  ranking->bring_back();
  EXPECT_EQ(ranking->best(), TestId{0});  // it adds two
  ranking->take(TestId{0});
  EXPECT_EQ(ranking->best(), TestId{2});
  ranking->take(TestId{2});
  EXPECT_EQ(ranking->best(), std::nullopt);
}

TEST(Ranking, TechniquesAreNamedAsInTheLiterature) {
  for (Technique technique : kTechniques) EXPECT_EQ(parse_technique(name_of(technique)), technique);
  EXPECT_EQ(parse_technique("t4"), Technique::additional_statements);
  EXPECT_EQ(parse_technique("T2"), std::nullopt);
}

}  // namespace
}  // namespace gordian
