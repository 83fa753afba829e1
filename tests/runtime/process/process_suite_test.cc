// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_suite.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gordian {
namespace {

CtestEntry entry(std::string name) {
  CtestEntry result;
  result.name = std::move(name);
  result.command = {"/bin/true"};
  result.working_dir = "/build";
  return result;
}

ProcessSuite make(std::vector<CtestEntry> entries, bool also_disabled = false) {
  auto suite = ProcessSuite::make("/build", std::move(entries), also_disabled);
  EXPECT_TRUE(suite.ok()) << (suite ? "" : suite.error().message);
  return std::move(*suite);
}

std::vector<std::string> names(const ProcessSuite& suite) {
  std::vector<std::string> result;
  for (const Test& test : suite.suite().tests()) result.push_back(test.full_name());
  return result;
}

std::vector<std::string> names(const ProcessSuite& suite, const std::vector<std::size_t>& steps) {
  std::vector<std::string> result;
  for (std::size_t step : steps) result.push_back(suite.step(step).entry.name);
  return result;
}

using Names = std::vector<std::string>;

TEST(ProcessSuite, DependsDecidesTheDefaultOrder) {
  CtestEntry late = entry("late"), middle = entry("middle");
  late.depends = {"middle"};
  middle.depends = {"early", "no_such_test"};
  const ProcessSuite suite = make({late, middle, entry("early"), entry("free")});
  EXPECT_EQ(names(suite), (Names{"early", "middle", "late", "free"}));
  EXPECT_EQ(suite.suite().tests()[1].declared, Names{"early"});
  EXPECT_EQ(suite.suite().tests()[2].declared, Names{"middle"});
}

TEST(ProcessSuite, AFixtureIsRunAroundEachTestThatRequiresIt) {
  CtestEntry start = entry("start"), stop = entry("stop"), user = entry("user");
  start.fixtures_setup = {"server"};
  stop.fixtures_cleanup = {"server"};
  stop.depends = {"user"};  // ctest adds these
  user.fixtures_required = {"server"};
  user.depends = {"start"};
  const ProcessSuite suite = make({start, user, stop, entry("other")});
  EXPECT_EQ(names(suite), (Names{"user", "other"}));
  EXPECT_EQ(names(suite, suite.unit(TestId{0}).set_up), Names{"start"});
  EXPECT_EQ(names(suite, suite.unit(TestId{0}).clean_up), Names{"stop"});
  EXPECT_TRUE(suite.suite().tests()[0].declared.empty());
  EXPECT_NE(suite.notices().at(0).text.find("start, stop"), std::string::npos);
}

TEST(ProcessSuite, FixturesOfFixturesGoAroundThem) {
  CtestEntry disk = entry("mount"), off = entry("unmount"), start = entry("start"),
             stop = entry("stop"), user = entry("user");
  disk.fixtures_setup = off.fixtures_cleanup = {"disk"};
  start.fixtures_setup = stop.fixtures_cleanup = {"server"};
  start.fixtures_required = stop.fixtures_required = {"disk"};
  user.fixtures_required = {"server"};
  const ProcessSuite suite = make({off, stop, start, disk, user});
  EXPECT_EQ(names(suite), Names{"user"});
  EXPECT_EQ(names(suite, suite.unit(TestId{0}).set_up), (Names{"mount", "start"}));
  EXPECT_EQ(names(suite, suite.unit(TestId{0}).clean_up), (Names{"stop", "unmount"}));
}

TEST(ProcessSuite, ASetUpThatNobodyRequiresIsATest) {
  CtestEntry start = entry("start");
  start.fixtures_setup = {"server"};
  EXPECT_EQ(names(make({start, entry("other")})), (Names{"start", "other"}));
}

TEST(ProcessSuite, ASetUpByDependsBelongsToItsTest) {
  CtestEntry start = entry("start"), modern = entry("modern"), old = entry("old");
  start.fixtures_setup = {"server"};
  modern.fixtures_required = {"server"};
  old.depends = {"start"};
  const ProcessSuite suite = make({start, modern, old});
  EXPECT_EQ(names(suite), (Names{"modern", "old"}));
  EXPECT_EQ(names(suite, suite.unit(TestId{1}).set_up), Names{"start"});
}

TEST(ProcessSuite, DisabledTestsAreListedAndNotRun) {
  CtestEntry off = entry("off");
  off.disabled = true;
  EXPECT_FALSE(make({off, entry("on")}).suite().tests()[0].will_run);
  EXPECT_TRUE(make({off, entry("on")}, true).suite().tests()[0].will_run);
}

TEST(ProcessSuite, WhatIsNotBuiltIsLeftOutWithAWord) {
  CtestEntry unbuilt = entry("unbuilt");
  unbuilt.command.clear();
  const ProcessSuite suite = make({unbuilt, entry("built")});
  EXPECT_EQ(names(suite), Names{"built"});
  EXPECT_NE(suite.notices().at(0).text.find("unbuilt"), std::string::npos);
  EXPECT_FALSE(ProcessSuite::make("/build", {unbuilt}, false).ok());
  EXPECT_FALSE(ProcessSuite::make("/build", {}, false).ok());
}

TEST(ProcessSuite, TwinsAreToldApart) {
  EXPECT_EQ(names(make({entry("same"), entry("same")})), (Names{"same", "same#2"}));
}

TEST(ProcessSuite, TheEnvironmentIsOursAsItsPropertiesChangeIt) {
  CtestEntry test = entry("test");
  test.environment = {"GORDIAN_TEST_WORD=one"};
  test.environment_modification = {"GORDIAN_TEST_WORD=string_append:two", "PATH=unset:"};
  const std::vector<std::string> words = make({test}).step(0).environment;
  auto has = [&words](std::string_view start) {
    return std::any_of(words.begin(), words.end(),
                       [start](const std::string& word) { return word.starts_with(start); });
  };
  EXPECT_TRUE(has("GORDIAN_TEST_WORD=onetwo"));
  EXPECT_FALSE(has("PATH="));
}

TEST(ProcessSuite, IdentityFollowsWhatTestsAre) {
  CtestEntry changed = entry("test");
  changed.command.push_back("--more");
  const ProcessSuite before = make({entry("test"), entry("other")});
  const ProcessSuite after = make({changed, entry("other")});
  EXPECT_EQ(before.identity().sha256, make({entry("test"), entry("other")}).identity().sha256);
  EXPECT_NE(before.identity().sha256, after.identity().sha256);
  EXPECT_NE(before.code_hashes()[0], after.code_hashes()[0]);
  EXPECT_EQ(before.code_hashes()[1], after.code_hashes()[1]);
}

TEST(CtestList, ReadsWhatCtestPrints) {
  const auto tests = parse_ctest_list(R"({"kind": "ctestInfo",
      "backtraceGraph": {"files": ["/s/CMakeLists.txt"],
                         "nodes": [{"file": 0}, {"file": 0, "line": 7, "parent": 0}]},
      "tests": [{"name": "t", "backtrace": 1, "command": ["/bin/t"], "properties": [
        {"name": "TIMEOUT", "value": 1.5}, {"name": "RUN_SERIAL", "value": true},
        {"name": "SKIP_RETURN_CODE", "value": 77}, {"name": "WILL_FAIL", "value": true},
        {"name": "RESOURCE_LOCK", "value": ["db"]}, {"name": "DEPENDS", "value": ["a", "b"]},
        {"name": "FIXTURES_REQUIRED", "value": ["F"]},
        {"name": "PASS_REGULAR_EXPRESSION", "value": ["ok"]}]}]})",
                                      "/build");
  ASSERT_TRUE(tests.ok());
  const CtestEntry& test = tests->at(0);
  EXPECT_EQ(test.file, "/s/CMakeLists.txt");
  EXPECT_EQ(test.line, 7);
  EXPECT_EQ(test.timeout, std::chrono::milliseconds(1500));
  EXPECT_TRUE(test.run_serial && test.will_fail);
  EXPECT_EQ(test.skip_return_code, 77);
  EXPECT_EQ(test.depends, (Names{"a", "b"}));
  EXPECT_EQ(test.resource_lock, Names{"db"});
  EXPECT_EQ(test.working_dir, "/build");
  EXPECT_FALSE(parse_ctest_list("{}", "/build").ok());
  EXPECT_FALSE(parse_ctest_list("not json", "/build").ok());
}

}  // namespace
}  // namespace gordian
