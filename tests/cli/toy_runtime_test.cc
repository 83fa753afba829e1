// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The commands, as the program has them, on a runtime that they have never heard of.
#include "tests/runtime/toy_runtime.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "store/report_store.h"
#include "tests/store/store_fixture.h"

namespace gordian {
namespace {

using detect_test::ModelTest;
using detect_test::ToyRuntime;
using nlohmann::json;

class ToyTest : public store_test::StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    toy_ = (dir_ / "suite.toy").string();
    store_test::write_file(toy_, "");
  }

  /// What `gordian WORDS --db ... ` gives as exit code.
  int run(std::vector<std::string> words) {
    words.insert(words.end(), {"--color", "never"});
    if (words[0] != "list" && words[0] != "doctor") {
      words.insert(words.end(), {"--db", (dir_ / "db").string()});
    }
    CommonOptions common;
    Program program = make_program(common);
    std::string said;
    const Status parsed = parse_words(program, words, said);
    if (!parsed) return report_error(parsed.error());
    common.words = words;
    return program.chosen()->run();
  }
  /// The same, with what it writes as JSON.
  json json_of(std::vector<std::string> words, int code = kExitOk) {
    const std::string file = (dir_ / "out.json").string();
    words.insert(words.end(), {"--json", file});
    EXPECT_EQ(run(std::move(words)), code);
    return json::parse(store_test::read_file(file), nullptr, false);
  }

  std::string toy_;
  const ToyRuntime runtime_{{ModelTest("Polluter").sets(0, 1), ModelTest("Other").sets(1, 1),
                             ModelTest("Victim").expects(0, 0), ModelTest("Clean")}};
  const AddedRuntime added_{runtime_};
};

TEST_F(ToyTest, ListAndRunSeeItsTests) {
  const json listed = json_of({"list", toy_});
  EXPECT_NE(listed.dump().find("Victim"), std::string::npos) << listed;
  const json ran = json_of({"run", toy_});
  EXPECT_EQ(ran["counts"]["pass"], 4) << ran;
}

TEST_F(ToyTest, DetectFindsExplainNamesAndTheDatabaseRemembersTheRuntime) {
  const json found = json_of({"detect", toy_}, kExitTestsFailed);
  ASSERT_EQ(found["dependences"].size(), 1U) << found;
  EXPECT_EQ(found["dependences"][0]["test"], "S.Victim");
  const json explained = json_of({"explain", "D1"});
  EXPECT_NE(explained.dump().find("cell0"), std::string::npos) << explained;
  EXPECT_EQ(run({"replay", "D1"}), kExitTestsFailed);
  EXPECT_EQ(run({"replay", "D1", "--debugger", "gdb"}), kExitUsage);
  EXPECT_EQ(run({"fix", "D1"}), kExitUsage);
  const json report = json_of({"report"}, kExitTestsFailed);
  EXPECT_NE(report.dump().find("cell0"), std::string::npos) << report;
  auto store = ReportStore::open(dir_ / "db");
  ASSERT_DONE(store);
  const auto facts = store->load();
  ASSERT_DONE(facts);
  EXPECT_EQ(&facts->suites.at(0).detect.suite.runtime(), &runtime_.traits());
}

TEST_F(ToyTest, GraphShowsWhoReadsFromWhom) {
  const json graph = json_of({"graph", toy_});
  EXPECT_NE(graph.dump().find("cell0"), std::string::npos) << graph;
}

TEST_F(ToyTest, OrdersAreMadeAndSplitWithWhatIsKnown) {
  ASSERT_EQ(run({"detect", toy_}), kExitTestsFailed);
  const json shards = json_of({"shard", toy_, "--count", "2"});
  EXPECT_NE(shards.dump().find("S.Victim"), std::string::npos) << shards;
  const json ranked = json_of({"prioritize", toy_, "--technique", "T1"});
  EXPECT_NE(ranked.dump().find("S.Victim"), std::string::npos) << ranked;
}

TEST_F(ToyTest, WhatItCannotDoIsSaid) {
  EXPECT_EQ(run({"detect", toy_, "--trace"}), kExitUsage);
  EXPECT_EQ(run({"doctor", toy_}), kExitOk);
  EXPECT_EQ(run({"prioritize", toy_, "--technique", "T3"}), kExitTarget);
}

}  // namespace
}  // namespace gordian
