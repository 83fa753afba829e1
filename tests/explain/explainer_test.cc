// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explainer.h"

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

Candidate variable(std::string name, ByteRange root,
                   Candidate::Tier tier = Candidate::Tier::program) {
  Candidate candidate;
  candidate.carrier.key = {CarrierKind::variable, name};
  candidate.root = root;
  candidate.tier = tier;
  return candidate;
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

TEST(ProvedSets, CoverTheWholeVariableOfAPart) {
  ProvedSet proved;
  proved.candidates = {variable("instance()::it", {0x1000, 64}, Candidate::Tier::first_use)};
  EXPECT_TRUE(proved.has_first_use());
  EXPECT_TRUE(proved.covers(variable("instance()::it.level_", {0x1000, 64})));
  EXPECT_TRUE(proved.covers(variable("*instance()::it.list_", {0x1000, 64})));
  EXPECT_FALSE(proved.covers(variable("g_other", {0x2000, 64})));
  EXPECT_FALSE(proved.covers(variable("", {})));
}

TEST(ProvedSets, CoverStateThatIsNoVariableByItsName) {
  ProvedSet proved;
  proved.candidates = {variable("", {})};
  proved.candidates[0].carrier.key = {CarrierKind::environment, "LANG"};
  Candidate other = proved.candidates[0];
  EXPECT_FALSE(proved.has_first_use());
  EXPECT_TRUE(proved.covers(other));
  other.carrier.key = {CarrierKind::environment, "HOME"};
  EXPECT_FALSE(proved.covers(other));
  other.carrier.key = {CarrierKind::variable, "LANG"};
  EXPECT_FALSE(proved.covers(other));
}

TEST(ProvedSets, OfNothingCoverNothing) {
  EXPECT_FALSE(ProvedSet().has_first_use());
  EXPECT_FALSE(ProvedSet().covers(variable("g_x", {0x1000, 4})));
}

}  // namespace
}  // namespace gordian
