// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <gtest/gtest.h>

#include "tests/report/detect_samples.h"

namespace gordian {
namespace {

using testing_support::victim;

Suite suite_of(std::size_t count) {
  std::vector<gordian::Test> tests(count);
  for (std::size_t i = 0; i < count; ++i) tests[i].name = "T" + std::to_string(i);
  return {Framework::gtest, "1.12", std::move(tests)};
}

TEST(MakersToTry, TheDependentTestFirstAndThenAFewThatAreNotInTheWitness) {
  Dependence dependence = victim(2, {0});
  EXPECT_EQ(makers_to_try(suite_of(4), dependence), (Order{TestId{2}, TestId{1}, TestId{3}}));
  EXPECT_EQ(makers_to_try(suite_of(50), dependence).size(), 6U);
}

TEST(MakersToTry, NoneThatTheFrameworkWouldNotRun) {
  std::vector<gordian::Test> tests = suite_of(4).tests();
  tests[1].will_run = false;
  const Suite suite(Framework::gtest, "1.12", std::move(tests));
  EXPECT_EQ(makers_to_try(suite, victim(2, {0})), (Order{TestId{2}, TestId{3}}));
}

}  // namespace
}  // namespace gordian
