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

TEST_F(ContinuedModel, KeepsThePlacesOfCrashes) {
  ModelRunner runner({ModelTest("V").crashes_if(0, 1).crashes_if(1, 1), ModelTest("P").sets(0, 1),
                      ModelTest("Q").sets(1, 1), ModelTest("R").sets(0, 1)});
  const auto first = told(search(runner, Algorithm::exhaustive));
  ASSERT_EQ(first.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const DetectFacts again = search(runner, Algorithm::exhaustive);
    EXPECT_EQ(told(again), first);
    for (const Dependence& one : again.dependences) EXPECT_FALSE(one.witnessed.message.empty());
  }
  build_ = "f00d";
  EXPECT_EQ(told(search(runner, Algorithm::exhaustive)), first);
}

/// There is time to run the default order and half of what is known.
TEST_F(ContinuedModel, WithoutTimeForWhatIsKnownNothingIsSearched) {
  ModelRunner runner = several_dependences();
  const std::size_t known = told(search(runner, Algorithm::exhaustive)).size();
  for (int budget : {40, 50, 60}) {
    ModelRunner again = several_dependences();
    Budget::Clock::duration now{0};
    const std::chrono::milliseconds allowed(budget);
    auto clock =
        std::make_shared<Budget>(allowed, [&now] { return Budget::Clock::time_point(now); });
    again.stop_when([&] { return clock->is_spent(); });
    again.at_each_test([&] { now += std::chrono::milliseconds(1); });
    const DetectFacts facts = search(
        again, Algorithm::random, [&](auto& request) { request.budget = allowed; }, clock);
    EXPECT_TRUE(facts.search.nothing_searched) << budget;
    EXPECT_EQ(facts.dependences.size() + facts.suspected.size(), known) << budget;
    EXPECT_TRUE(std::any_of(facts.notices.begin(), facts.notices.end(), [](const Notice& notice) {
      return notice.text.find("were not run again") != std::string::npos;
    })) << budget;
  }
  ModelRunner whole = several_dependences();
  EXPECT_EQ(told(search(whole, Algorithm::exhaustive)).size(), known);
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
