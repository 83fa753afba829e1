// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "report/detect_report.h"

namespace gordian {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

EstimateFacts sample() {
  EstimateFacts facts;
  facts.target.binary = "/opt/my_test";
  facts.tests = 5000;
  facts.jobs = 2;
  facts.sampled_orders = 700;
  facts.sampled_tests = 9000;
  facts.wall = seconds(2);
  facts.end = RunEnd::finished;
  PhaseEstimate base{PhaseKind::default_order, 5, 25'000,
                     TimeEstimate{seconds(1), seconds(1), seconds(1)}, 5};
  SearchEstimate pairs;
  pairs.algorithm = "exhaustive";
  pairs.k = 2;
  pairs.phases = {base,
                  {PhaseKind::exhaustive, 24'995'000, 49'990'000,
                   TimeEstimate{hours(90), hours(80), hours(100)}, 300}};
  SearchEstimate endless;
  endless.algorithm = "aware";
  endless.k = 6;
  endless.at_most = true;
  endless.memory_bytes = 1u << 30;
  endless.phases = {base, {PhaseKind::exhaustive, UINT64_MAX, UINT64_MAX, std::nullopt, 0}};
  facts.searches = {pairs, endless};
  return facts;
}

TEST(EstimateText, ATable) {
  EXPECT_EQ(estimate_text(sample(), {}),
            "Estimate for 5,000 tests of /opt/my_test, 2 at a time\n"
            "  search               orders       tests  expected  95 % interval\n"
            "  exhaustive -k 2  24,995,005  50,015,000  3.8 days  3.3 days to 4.2 days\n"
            "  aware -k 6       over 10^19  over 10^19   unknown  no test ended in the sample\n"
            "From 700 orders with 9,000 tests run in 2.00 s. Confirming what a search finds comes "
            "on top.\n"
            "A search would hold up to about 1,024 MiB.\n");
}

TEST(EstimateText, OfAPartOfTheDataFlowOnlyItsTimeIsTold) {
  EstimateFacts facts = sample();
  PhaseEstimate collecting{PhaseKind::collection, 7, 35'000,
                           TimeEstimate{hours(1), hours(1), hours(9)}, 7};
  collecting.part = 66;
  SearchEstimate search;
  search.algorithm = "dataflow";
  search.phases = {collecting, {PhaseKind::dataflow, UINT64_MAX, UINT64_MAX, std::nullopt, 0}};
  facts.searches = {search};
  const std::string text = estimate_text(facts, {});
  EXPECT_NE(
      text.find("dataflow  unknown  unknown   unknown  collecting takes 1h 00m or more, by the "
                "first 66 tests; 'gordian graph' does that\n"),
      std::string::npos)
      << text;
  auto first = estimate_to_json(facts)["searches"][0];
  EXPECT_TRUE(first["orders"].is_null());
  EXPECT_EQ(first["phases"][0]["reckoned_from_tests"], 66);
  EXPECT_TRUE(first["phases"][1]["reckoned_from_tests"].is_null());
}

TEST(EstimateJson, WhatIsNotKnownIsNull) {
  auto whole = estimate_to_json(sample());
  EXPECT_EQ(whole["kind"], "estimate");
  EXPECT_EQ(whole["version"], 1);
  EXPECT_EQ(whole["searches"][0]["orders"], 24'995'005);
  EXPECT_EQ(whole["searches"][0]["seconds"]["expected"], 90 * 3600 + 1);
  EXPECT_EQ(whole["searches"][0]["seconds"]["low"], 80 * 3600 + 1);
  EXPECT_TRUE(whole["searches"][1]["orders"].is_null());
  EXPECT_TRUE(whole["searches"][1]["seconds"].is_null());
  EXPECT_TRUE(whole["searches"][1]["ends_with"].is_null());
  EXPECT_EQ(whole["searches"][1]["phases"].size(), 2u);
}

TEST(LongDuration, DaysAndYears) {
  EXPECT_EQ(long_duration(seconds(3)), "3.00 s");
  EXPECT_EQ(long_duration(hours(47)), "47h 00m");
  EXPECT_EQ(long_duration(hours(84)), "3.5 days");
  EXPECT_EQ(long_duration(hours(24 * 400)), "400 days");
  EXPECT_EQ(long_duration(hours(24 * 3653)), "10 years");
  EXPECT_EQ(long_duration(std::chrono::nanoseconds::max()), "more than 290 years");
}

}  // namespace
}  // namespace gordian
