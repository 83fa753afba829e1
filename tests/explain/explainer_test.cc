// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The explainer with a runtime that is none: what is seen and what putting it back does is said
// here.
#include "explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/detect_samples.h"

namespace gordian {
namespace {

using ::testing::ElementsAre;
using testing_support::result;
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

SuspectState state(const std::string& name, bool likely = true, bool made_here = false) {
  SuspectState suspect;
  suspect.carrier.key = {CarrierKind::variable, NameKey{name}};
  suspect.likely = likely;
  suspect.made_here = made_here;
  return suspect;
}

/// What a probe sees each time that it looks, and the names that help if all of them are put back.
struct Seen {
  std::vector<std::vector<SuspectState>> looks;
  std::vector<std::string> enough;
  bool can_be_put_back = true;
  int lucky = 1000;  ///< so often putting back helps, then no more
};

class SaidProbe : public StateProbe {
 public:
  SaidProbe(Seen seen, const std::vector<std::pair<TestId, Seen>>* behind)
      : seen_(std::move(seen)), behind_(behind) {}

  Result<std::optional<SuspectStates>> look() override {
    if (next_ == seen_.looks.size()) return std::optional<SuspectStates>();
    SuspectStates states{seen_.looks[next_++], 7, seen_.can_be_put_back, "nothing helps"};
    now_ = states.all;
    return std::optional(std::move(states));
  }
  Result<std::optional<Outcome>> put_back(std::span<const std::size_t> suspects) override {
    std::vector<std::string> names;
    for (std::size_t i : suspects) names.push_back(now_[i].carrier.key.text());
    if (std::count(names.begin(), names.end(), "stuck") > 0) return std::optional<Outcome>();
    const bool helps = !seen_.enough.empty() &&
                       std::all_of(seen_.enough.begin(), seen_.enough.end(), [&](const auto& name) {
                         return std::count(names.begin(), names.end(), name) > 0;
                       });
    const bool now = helps && seen_.lucky-- > 0;
    return std::optional(result(now ? OutcomeKind::pass : OutcomeKind::fail));
  }
  Status complete(std::size_t, bool with_sites, Carrier& carrier) override {
    if (!with_sites) return {};
    carrier.write.emplace();
    return target_error("no lines of reads");
  }
  std::unique_ptr<StateProbe> behind(TestId test, std::span<const std::size_t>) override {
    for (const auto& [maker, seen] : *behind_) {
      if (maker == test) return std::make_unique<SaidProbe>(seen, behind_);
    }
    return nullptr;
  }

 private:
  Seen seen_;
  const std::vector<std::pair<TestId, Seen>>* behind_;
  std::size_t next_ = 0;
  std::vector<SuspectState> now_;
};

class Explaining : public ::testing::Test, public StateProber, public ExplainListener {
 protected:
  const Suite& suite() const override { return suite_; }
  std::unique_ptr<StateProbe> probe(const Dependence&) override {
    return std::make_unique<SaidProbe>(seen_, &behind_);
  }
  void step(const Dependence&, std::string_view) override { ++steps_; }
  void explained(const Dependence&, const Explanation&) override { ++explained_; }

  Explanation explained_one() {
    auto all = explain(
        *this, {dependence_}, [this] { return steps_ > most_steps_; }, options_, *this);
    EXPECT_TRUE(all);
    return all->at(0);
  }
  static std::vector<std::string> names(const Explanation& explanation) {
    std::vector<std::string> names;
    for (const Carrier& carrier : explanation.carriers) names.push_back(carrier.key.text());
    return names;
  }

  const Suite suite_ = suite_of(4);
  const Dependence dependence_ = victim(2, {0});
  Seen seen_;
  std::vector<std::pair<TestId, Seen>> behind_;
  ExplainOptions options_;
  int steps_ = 0, most_steps_ = 1000, explained_ = 0;
};

TEST_F(Explaining, ProvesTheSmallestSetAndTellsItsLines) {
  seen_ = {{{state("g_a"), state("stuck"), state("g_b"), state("g_c")}}, {"g_a", "g_c"}};
  const Explanation explanation = explained_one();
  EXPECT_TRUE(explanation.proved);
  EXPECT_THAT(names(explanation), ElementsAre("g_a", "g_c"));
  EXPECT_EQ(explanation.proofs, 3);
  EXPECT_EQ(explanation.changes, 7U);
  EXPECT_TRUE(explanation.carriers[0].write);
  EXPECT_EQ(explanation.no_sites, "no lines of reads");
  EXPECT_EQ(explained_, 1);
}

TEST_F(Explaining, LooksAgainAtALaterMoment) {
  seen_ = {{{state("g_a")}, {state("g_b")}}, {"g_b"}};
  EXPECT_THAT(names(explained_one()), ElementsAre("g_b"));
}

TEST_F(Explaining, OneTimeThatItHelpedIsNoProof) {
  seen_ = {{{state("g_a")}}, {"g_a"}, true, 1};
  const Explanation explanation = explained_one();
  EXPECT_FALSE(explanation.proved);
  EXPECT_THAT(names(explanation), ElementsAre("g_a"));
  EXPECT_NE(explanation.why_not, "");
}

TEST_F(Explaining, WhatIsLikelyIsSuspectedIfNothingHelpsOrCanBePutBack) {
  seen_ = {{{state("g_a"), state("lib", false)}}, {}};
  Explanation explanation = explained_one();
  EXPECT_THAT(names(explanation), ElementsAre("g_a"));
  EXPECT_EQ(explanation.why_not, "nothing helps");
  EXPECT_EQ(explanation.proofs, 0);
  seen_ = {{{state("g_a")}}, {"g_a"}, false};
  explanation = explained_one();
  EXPECT_FALSE(explanation.proved);
  EXPECT_THAT(names(explanation), ElementsAre("g_a"));
}

TEST_F(Explaining, SaysThatTheTimeWasOver) {
  seen_ = {{{state("g_a"), state("g_b"), state("g_c")}}, {"g_c"}};
  most_steps_ = 2;
  EXPECT_NE(explained_one().why_not.find("the time was over"), std::string::npos);
  EXPECT_EQ(explained_one().why_not, "the time was over");  // before it began
  EXPECT_EQ(explained_, 1);
}

TEST_F(Explaining, SaysThatTheTimeWasOverInTheMiddleOfAProof) {
  seen_ = {{{state("g_a")}}, {"g_a"}};
  most_steps_ = 1;
  const Explanation explanation = explained_one();
  EXPECT_FALSE(explanation.proved);
  EXPECT_THAT(names(explanation), ElementsAre("g_a"));
  EXPECT_EQ(explanation.why_not, "the time was over before it was proved");
}

TEST_F(Explaining, NarrowsDownWhatTheWitnessMakesItself) {
  const Seen whole = {{{state("it", false, true)}}, {"it"}};
  seen_ = whole;
  behind_ = {{TestId{1}, {{{state("it.level")}}, {"it.level"}}}};
  Explanation explanation = explained_one();
  EXPECT_THAT(names(explanation), ElementsAre("it.level"));
  EXPECT_THAT(explanation.behind, ElementsAre("T1"));

  behind_[0].second.enough = {};
  explanation = explained_one();
  EXPECT_TRUE(explanation.proved);
  EXPECT_THAT(names(explanation), ElementsAre("it"));
  EXPECT_TRUE(explanation.behind.empty());
}

}  // namespace
}  // namespace gordian
