// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include <gtest/gtest.h>

#include "report/detect_report.h"
#include "report/json.h"
#include "tests/report/explain_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;

json of(const ExplainFacts& facts) {
  return explain_to_json(std::vector<ExplainFacts>{facts});
}

TEST(ExplainJson, WholeDocument) {
  ExplainFacts facts =
      explained({{victim(3, {1}), proved_by({total_carrier()})},
                 {brittle(4, 2),
                  unproved({plain_carrier(CarrierKind::environment, "LANG", {}, "")}, "why")}});
  facts.explained[1].explanation->age = std::chrono::seconds(60);
  expect_golden("explain.json", dump_json(of(facts)));
}

TEST(ExplainJson, EveryKeyIsThereAndWhatDoesNotApplyIsNull) {
  Carrier bare;
  json entry = of(explained({{victim(3, {1}), unproved({bare}, "")}}))["explanations"][0];
  for (const char* key : {"id", "binary", "test", "role", "witness", "behind", "carriers", "proved",
                          "proofs", "changes", "why_not", "seconds", "age_seconds"}) {
    EXPECT_TRUE(entry.contains(key)) << key;
  }
  EXPECT_TRUE(entry["why_not"].is_null());
  EXPECT_TRUE(entry["age_seconds"].is_null());
  const json& carrier = entry["carriers"][0];
  for (const char* key : {"type", "old", "new", "declared", "write", "read"}) {
    EXPECT_TRUE(carrier.at(key).is_null()) << key;
  }
  EXPECT_EQ(carrier["kind"], "variable");
  EXPECT_EQ(carrier["proved"], false);
}

TEST(ExplainJson, AnEmptyValueIsNotNone) {
  Carrier carrier = plain_carrier(CarrierKind::environment, "LANG", "", std::nullopt);
  json list = carriers_to_json({carrier}, JsonForm::shown);
  EXPECT_EQ(list[0]["old"], "");
  EXPECT_TRUE(list[0]["new"].is_null());
}

TEST(ExplainJson, ASiteIsTheFrameOfTheProgram) {
  Carrier carrier = total_carrier();
  carrier.write->shown = 1;
  json site = carriers_to_json({carrier}, JsonForm::shown)[0]["write"];
  EXPECT_EQ(site["file"], "/src/cart_test.cc");
  EXPECT_EQ(site["line"], 21);
  EXPECT_EQ(site["function"], "Cart_T1_Test::TestBody()");
  EXPECT_EQ(site["stack"].size(), 5U);
  EXPECT_EQ(site["stack"][0]["function"], "Cart::add(int)");
  carrier.write->shown = 9;  // beyond its end
  EXPECT_TRUE(carriers_to_json({carrier}, JsonForm::shown)[0]["write"]["file"].is_null());
}

TEST(ExplainJson, SeveralBinariesMakeOneList) {
  ExplainFacts one = explained({{victim(3, {1}), proved_by({})}}), two = one;
  two.binary = "/other";
  json all = explain_to_json(std::vector<ExplainFacts>{one, two});
  ASSERT_EQ(all["explanations"].size(), 2U);
  EXPECT_EQ(all["explanations"][1]["binary"], "/other");
  EXPECT_EQ(explain_to_json({})["explanations"], json::array());
}

TEST(ExplainJson, ASearchHasTheCarriersOfWhatWasExplained) {
  DetectFacts facts = sample_search({victim(3, {1}), victim(4, {1})});
  DetectFacts explained = facts;
  explained.dependences[1].explanation = proved_by({total_carrier()});
  json list = detect_to_json(explained)["dependences"];
  EXPECT_EQ(list[0]["carriers"], json::array());
  EXPECT_EQ(list[1]["carriers"], carriers_to_json({total_carrier()}, JsonForm::shown));
  const std::vector<DetectFacts> searches = {facts, explained};
  json all = all_to_json("detects", searches, detect_to_json)["detects"];
  EXPECT_EQ(all[0]["dependences"][1]["carriers"].size(), 0U);
  EXPECT_EQ(all[1]["dependences"][1]["carriers"].size(), 1U);
}

}  // namespace
}  // namespace gordian
