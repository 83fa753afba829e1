// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <gtest/gtest.h>

#include "report/json.h"
#include "tests/report/detect_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;
using K = OutcomeKind;

TEST(DetectJson, WholeDocument) {
  Dependence d = victim(3, {1}, K::crash);
  d.cleaners = {TestId{9}};
  DetectFacts facts = unfinished_search({d});
  facts.nondeterministic = {
      {TestId{33}, 10, 3, {TestId{2}, TestId{33}}, result(K::pass), result(K::fail)}};
  facts.left_out = {{TestId{40}, "disabled"}};
  facts.notices = {{Notice::Level::warning, "fell back"}};
  expect_golden("detect_search.json", dump_json(detect_to_json(facts)));
}

TEST(DetectJson, KeysAreThereEvenWhenThereIsNothingToSay) {
  DetectFacts facts = sample_search({Dependence{}});
  facts.search.phases.clear();
  json all = detect_to_json(facts);
  auto expect_keys = [](const json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys) EXPECT_TRUE(object.contains(key)) << key << " in " << object;
  };
  expect_keys(all, {"version", "kind", "suite", "search", "dependences", "nondeterministic",
                    "left_out", "notices", "end"});
  expect_keys(all["suite"], {"binary", "framework", "framework_version", "tests"});
  expect_keys(all["search"],
              {"algorithm", "orders", "tests_run", "seconds", "budget_seconds", "out_of_budget",
               "nothing_searched", "unseen_orders", "unseen_total", "complete_k", "pairs_total",
               "pairs_covered", "seed", "phases", "resumed", "earlier"});
  const json& d = all["dependences"][0];
  expect_keys(d,
              {"id", "test", "role", "by", "witness", "expected", "observed", "alone", "witnessed",
               "confirmed", "polluters", "state_setters", "polluters_complete", "cleaners",
               "cleaners_complete", "splits_suite", "found_by", "replay", "carriers"});
  for (const char* which : {"expected", "observed", "alone", "witnessed"}) {
    expect_keys(d[which], {"outcome", "file", "line", "message", "signal", "exit_code"});
  }
}

TEST(DetectJson, ObservedIsTheResultThatIsNotExpected) {
  json list = detect_to_json(sample_search({victim(3, {1}), brittle(4, 2)}))["dependences"];
  EXPECT_EQ(list[0]["observed"], list[0]["witnessed"]);
  EXPECT_EQ(list[0]["observed_order"], json({"Cart.T1", "Cart.T3"}));
  EXPECT_EQ(list[1]["observed"], list[1]["alone"]);
  EXPECT_EQ(list[1]["observed"]["outcome"], "fail");
  EXPECT_EQ(list[1]["observed_order"], json::array({"Cart.T4"}));
}

TEST(DetectJson, BrittleTestsHaveStateSettersTheOthersPolluters) {
  json list = detect_to_json(sample_search({victim(3, {1}), brittle(4, 2), self_dependent(5)}));
  list = list["dependences"];
  EXPECT_EQ(list[0]["polluters"], json::array({"Cart.T1"}));
  EXPECT_EQ(list[0]["state_setters"], json::array());
  EXPECT_EQ(list[1]["polluters"], json::array());
  EXPECT_EQ(list[1]["state_setters"], json::array({"Cart.T2"}));
  EXPECT_EQ(list[2]["role"], "self_dependent");
  EXPECT_EQ(list[2]["polluters"], json::array({"Cart.T5"}));
  EXPECT_EQ(list[2]["witness"], json({"Cart.T5", "Cart.T5"}));
}

TEST(DetectJson, WhatDoesNotApplyIsNull) {
  DetectFacts facts = sample_search({victim(3, {1}, K::exit)});
  facts.search.budget = {};
  facts.search.seed = 18446744073709551615ULL;
  facts.db.clear();
  json all = detect_to_json(facts);
  EXPECT_TRUE(all["search"]["budget_seconds"].is_null());
  EXPECT_EQ(all["search"]["seed"], "18446744073709551615");
  EXPECT_TRUE(all["dependences"][0]["replay"].is_null());
  EXPECT_EQ(all["dependences"][0]["observed"]["exit_code"], 3);
  EXPECT_TRUE(all["dependences"][0]["observed"]["signal"].is_null());
  EXPECT_TRUE(all["dependences"][0]["observed"]["line"].is_null());
}

TEST(DetectJson, NamesThatAreNoUtf8StillMakeADocument) {
  gordian::Test evil;
  evil.suite = "E\x1b";
  evil.name = "x\xff";
  DetectFacts facts = sample_search({victim(0, {1})});
  facts.suite = Suite(Framework::gtest, "", {evil, evil});
  json back = json::parse(dump_json(detect_to_json(facts)));
  EXPECT_EQ(back["dependences"][0]["test"], "E\x1b.x\ufffd");
}

TEST(DetectsJson, HoldsEachSearch) {
  std::vector<DetectFacts> two = {sample_search(), sample_search({victim(3, {1})})};
  json all =
      all_to_json("detects", two, [](const DetectFacts& facts) { return detect_to_json(facts); });
  EXPECT_EQ(all["kind"], "detects");
  EXPECT_EQ(all["version"], 1);
  EXPECT_EQ(all["detects"][0]["dependences"].size(), 0U);
  EXPECT_EQ(all["detects"][1]["dependences"].size(), 1U);
}

}  // namespace
}  // namespace gordian
