// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search that continues another one says is what the other one said.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "tests/detect/continued_model.h"

namespace gordian::detect_test {
namespace {

/// Test, role, witnessed result, polluters, cleaners.
using Told = std::tuple<TestId, Role, OutcomeKind, int, std::vector<TestId>, std::vector<TestId>>;
std::multiset<Told> told(const DetectFacts& facts) {
  std::multiset<Told> all;
  for (const Dependence& one : facts.dependences) {
    all.emplace(one.test, one.role, one.witnessed.kind, one.witnessed.line, one.singles,
                one.cleaners);
  }
  return all;
}

/// B needs S; behind S, P makes it fail in another way. V fails at two checks, behind P and Q, of
/// which C and D are the cleaners.
ModelRunner several_dependences() {
  return ModelRunner({ModelTest("S").sets(0, 1), ModelTest("B").expects(0, 1).expects(1, 0),
                      ModelTest("V").expects(2, 0).expects(1, 0), ModelTest("P").sets(1, 1),
                      ModelTest("Q").sets(2, 1), ModelTest("C").sets(1, 0),
                      ModelTest("D").sets(2, 0)});
}

TEST_F(ContinuedModel, KeepsEveryDependenceOfATest) {
  ModelRunner runner = several_dependences();
  const auto first = told(search(runner, Algorithm::exhaustive));
  ASSERT_EQ(first.size(), 4u);
  for (int i = 0; i < 2; ++i) {
    const DetectFacts again = search(runner, Algorithm::exhaustive);
    EXPECT_EQ(told(again), first);
    ASSERT_TRUE(again.search.resumed);
    EXPECT_EQ(again.search.resumed->kind, ResumedFrom::Kind::finished);
  }
}

/// Cleaners of one dependence of a test say nothing about those of another one.
TEST_F(ContinuedModel, OfARebuiltBinaryKeepsEveryDependenceOfATest) {
  ModelRunner runner = several_dependences();
  const auto first = told(search(runner, Algorithm::exhaustive));
  build_ = "f00d";
  const DetectFacts again = search(runner, Algorithm::exhaustive);
  ASSERT_TRUE(again.search.resumed);
  EXPECT_EQ(again.search.resumed->kind, ResumedFrom::Kind::rebuilt);
  EXPECT_EQ(told(again), first);
}

}  // namespace
}  // namespace gordian::detect_test
