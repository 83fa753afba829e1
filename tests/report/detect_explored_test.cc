// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <gtest/gtest.h>

#include "tests/report/detect_samples.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using namespace testing_support;

TEST(Completeness, AllPairs) {
  EXPECT_EQ(completeness_sentence(sample_search()),
            "Complete for two tests: all 14,520 ordered pairs were run.");
  DetectFacts pruned = sample_search();
  pruned.search.pairs_covered = 14'000;
  EXPECT_EQ(completeness_sentence(pruned),
            "Complete for two tests: 14,000 of 14,520 ordered pairs were run, and the others "
            "proved needless.");
}

TEST(Completeness, TheBudgetEndedIt) {
  DetectFacts facts = unfinished_search();
  EXPECT_EQ(completeness_sentence(facts),
            "Not complete: 3,210 of 14,520 ordered pairs were run before the budget of 60 s "
            "ended; raise --budget or name an algorithm.");
  facts.search.complete_k = 1;
  EXPECT_EQ(completeness_sentence(facts),
            "Complete for one test only: each test was run alone, and 3,210 of 14,520 ordered "
            "pairs were run before the budget of 60 s ended; raise --budget or name an algorithm.");
}

TEST(Completeness, OrdersWithoutAResult) {
  DetectFacts facts = unfinished_search();
  facts.search.out_of_budget = false;
  facts.search.unseen = {{{TestId{0}, TestId{1}}, "the test process vanished"}};
  facts.search.unseen_total = 7;
  EXPECT_EQ(completeness_sentence(facts),
            "Not complete: 3,210 of 14,520 ordered pairs were run; 7 orders were left open, see "
            "above.");
  const std::string text = explored_text(facts, Style{});
  EXPECT_NE(text.find("Left open: 7 orders without a result that counts."), std::string::npos);
  EXPECT_NE(text.find(facts.suite.test(TestId{0}).full_name() + ", " +
                      facts.suite.test(TestId{1}).full_name() + ": the test process vanished"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("and 6 more"), std::string::npos);
}

TEST(Completeness, NothingWasSearched) {
  DetectFacts facts = unfinished_search();
  facts.search.nothing_searched = true;
  EXPECT_EQ(completeness_sentence(facts),
            "Nothing was searched: the default order alone took all of the budget of 60 s; raise "
            "--budget.");
  facts.search.out_of_budget = false;
  EXPECT_EQ(completeness_sentence(facts),
            "Nothing was searched: no test gave a result in the default order.");
  EXPECT_NE(verdict_sentence(facts).find("nothing was searched"), std::string::npos);
}

TEST(Completeness, ThreeTests) {
  DetectFacts facts = sample_search();
  facts.search.complete_k = 3;
  EXPECT_EQ(completeness_sentence(facts),
            "Complete for three tests: every order of up to three tests was run or proved "
            "needless.");
}

TEST(Completeness, PairsDoneButMoreWasWanted) {
  DetectFacts facts = sample_search();
  facts.search.out_of_budget = true;
  facts.search.budget = 10min;
  EXPECT_EQ(completeness_sentence(facts),
            "Complete for two tests: all 14,520 ordered pairs were run; the budget of 10m 00s "
            "ended the search for more.");
}

TEST(Completeness, StoppedByTheUser) {
  DetectFacts facts = unfinished_search();
  facts.search.out_of_budget = false;
  facts.end = RunEnd::interrupted;
  EXPECT_EQ(completeness_sentence(facts),
            "Stopped by you: 3,210 of 14,520 ordered pairs were run.");
  facts.search.complete_k = 2;
  facts.search.pairs_covered = 14'520;
  EXPECT_EQ(completeness_sentence(facts),
            "Stopped by you, but complete for two tests: all 14,520 ordered pairs were run.");
}

TEST(Completeness, AlgorithmsThatDoNotTryAll) {
  DetectFacts facts = unfinished_search();
  facts.search.out_of_budget = false;
  facts.search.algorithm = "reversal";
  EXPECT_EQ(completeness_sentence(facts),
            "Not complete: 3,210 of 14,520 ordered pairs were run; the algorithm reversal does "
            "not try them all.");
  facts.end = RunEnd::unfinished;
  EXPECT_EQ(completeness_sentence(facts),
            "Not complete: 3,210 of 14,520 ordered pairs were run before the search broke off.");
}

TEST(Completeness, SmallSuites) {
  DetectFacts one = sample_search();
  one.suite = sample_suite(1);
  one.search.complete_k = 1;
  one.search.pairs_total = one.search.pairs_covered = 0;
  EXPECT_EQ(completeness_sentence(one), "Complete: the only test was run alone.");
  EXPECT_EQ(verdict_sentence(one), "No dependent test found among 1.");
  one.suite = sample_suite(0);
  EXPECT_EQ(completeness_sentence(one), "There was no test to search.");
}

TEST(Verdict, CountsTestsNotDependences) {
  EXPECT_EQ(
      verdict_sentence(sample_search({victim(3, {1}), self_dependent(3), brittle(4, 5)})),
      "2 dependent tests in 3 dependences (1 victim, 1 brittle, 1 self-dependent) among 121.");
  EXPECT_EQ(verdict_sentence(sample_search({victim(3, {1})})),
            "1 dependent test (1 victim) among 121.");
}

TEST(Verdict, SaysWhenThereMayBeMore) {
  EXPECT_EQ(verdict_sentence(unfinished_search()),
            "No dependent test found among 121, but the search was not complete.");
  EXPECT_EQ(verdict_sentence(unfinished_search({victim(3, {1})})),
            "1 dependent test (1 victim) among 121; the search was not complete, there may be "
            "more.");
}

TEST(Verdict, LeftOutAndDisabledTestsWereNotSearched) {
  DetectFacts facts = sample_search();
  facts.left_out = {{TestId{0}, "hangs"}, {TestId{1}, "hangs"}};
  std::vector<gordian::Test> tests = facts.suite.tests();
  tests[1].will_run = tests[2].will_run = false;
  facts.suite = Suite(Framework::gtest, "1.12.1", tests);
  facts.nondeterministic.resize(1);
  EXPECT_EQ(verdict_sentence(facts),
            "No dependent test found among 118; 1 non-deterministic test not counted.");
}

TEST(Explored, OnePhaseNeedsNoTotalAndAResumedSearchSaysSo) {
  DetectFacts facts = sample_search();
  EXPECT_NE(explored_text(facts, {}).find("in all"), std::string::npos);
  facts.search.phases.erase(facts.search.phases.begin());
  facts.search.orders = facts.search.phases[0].orders;
  facts.search.resumed = ResumedFrom{};
  std::string text = explored_text(facts, {});
  EXPECT_EQ(text.find("in all"), std::string::npos) << text;
  EXPECT_NE(text.find("Continues the search of just now"), std::string::npos) << text;
  facts.search.phases.clear();
  EXPECT_NE(explored_text(facts, {}).find("in all"), std::string::npos);
}

TEST(Explored, SaysWhatWasTakenOverAndFromWhen) {
  DetectFacts facts = sample_search();
  EXPECT_EQ(resumed_sentence(facts), "");
  facts.search.pairs_total = 14'520;
  ResumedFrom& from = facts.search.resumed.emplace();
  from.age = std::chrono::seconds(150);
  from.pairs_covered = 8'000;
  EXPECT_EQ(resumed_sentence(facts),
            "Continues the search of 2 minutes ago: 8,000 of 14,520 pairs were covered.");
  from.kind = ResumedFrom::Kind::finished;
  EXPECT_EQ(resumed_sentence(facts),
            "The search of 2 minutes ago was finished; nothing was left to run. --full repeats all "
            "of it.");
  from.known = 3;
  EXPECT_NE(resumed_sentence(facts).find("only its 3 known dependences were checked again"),
            std::string::npos);
  from.kind = ResumedFrom::Kind::rebuilt;
  from.changed_tests = 1;
  EXPECT_EQ(resumed_sentence(facts),
            "The binary was rebuilt since the search of 2 minutes ago: 1 test is new or changed, "
            "8,000 of 14,520 pairs were covered already. --full searches all of them.");
}

TEST(Explored, AgesAreRoundedDown) {
  EXPECT_EQ(ago(std::chrono::seconds(0)), "just now");
  EXPECT_EQ(ago(std::chrono::seconds(1)), "1 second ago");
  EXPECT_EQ(ago(std::chrono::seconds(119)), "1 minute ago");
  EXPECT_EQ(ago(std::chrono::hours(5)), "5 hours ago");
  EXPECT_EQ(ago(std::chrono::hours(49)), "2 days ago");
}

}  // namespace
}  // namespace gordian
