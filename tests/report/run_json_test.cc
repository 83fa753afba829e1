// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/json.h"

#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;
using K = OutcomeKind;

TEST(RunJson, WholeDocument) {
  RunFacts facts = sample_run({K::fail, K::crash});
  facts.orders[0].runs[1].stack = {{"boom()", "cart.cc", 8, "cart_test", 0x1234}};
  facts.orders[0].runs[1].output = "bye\n";
  facts.header.target.env = {{"A", "1"}, {"B", std::nullopt}};
  facts.notices = {{Notice::Level::warning, "fell back"}};
  expect_golden("run.json", dump_json(run_to_json(facts)));
}

TEST(RunJson, KeysAreAlwaysThere) {
  RunFacts facts = sample_run({K::pass, K::fail, K::crash, K::exit, K::not_run});
  json runs = run_to_json(facts)["orders"][0]["results"];
  for (const json& run : runs) {
    for (const char* key :
         {"test", "outcome", "file", "line", "message", "signal", "signal_name", "exit_code",
          "duration_ns", "leaks", "stack", "output", "output_truncated"}) {
      EXPECT_TRUE(run.contains(key)) << key << " in " << run;
    }
  }
  EXPECT_TRUE(runs[0]["signal"].is_null());
  EXPECT_EQ(runs[2]["signal_name"], "SIGSEGV");
  EXPECT_EQ(runs[3]["exit_code"], 3);
}

TEST(RunJson, SixtyFourBitSeedsSurvive) {
  RunFacts facts = sample_run({K::pass});
  facts.header.seed = 18446744073709551615ULL;
  EXPECT_EQ(run_to_json(facts)["header"]["seed"], "18446744073709551615");
}

TEST(RunJson, BytesThatAreNoUtf8AreReplaced) {
  RunFacts facts = sample_run({K::fail});
  facts.orders[0].runs[0].outcome.message = "a\xff\x1b";
  facts.orders[0].runs[0].output = std::string("\0\xc0", 2);
  json back = json::parse(dump_json(run_to_json(facts)));
  EXPECT_EQ(back["orders"][0]["results"][0]["message"], "a\ufffd\x1b");
  EXPECT_EQ(back["orders"][0]["results"][0]["output"], std::string("\0\ufffd", 4));
}

TEST(RunsJson, HoldsEachRun) {
  std::vector<RunFacts> runs = {sample_run({K::pass}), sample_run({K::fail})};
  json all = all_to_json("runs", runs, run_to_json);
  EXPECT_EQ(all["kind"], "runs");
  EXPECT_EQ(all["version"], 1);
  EXPECT_EQ(all["runs"].size(), 2U);
  EXPECT_EQ(all["runs"][1]["counts"]["fail"], 1);
}

TEST(SuiteJson, ListsTestsWithTheirPlaces) {
  Target target;
  target.binary = "/b/cart_test";
  json list = list_to_json({{target, sample_suite(2)}});
  EXPECT_EQ(list["kind"], "list");
  const json& suite = list["suites"][0];
  EXPECT_EQ(suite["kind"], "suite");
  EXPECT_EQ(suite["framework"]["name"], "GoogleTest");
  EXPECT_EQ(suite["tests"][1]["name"], "Cart.T1");
  EXPECT_EQ(suite["tests"][1]["line"], 20);
  EXPECT_TRUE(suite["tests"][1]["value_param"].is_null());
}

}  // namespace
}  // namespace gordian
