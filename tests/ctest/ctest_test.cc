// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "ctest/ctest.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using Json = nlohmann::json;
using namespace std::string_view_literals;

/// Spells ctest's answer for tests that start programs of the scratch directory.
class CtestDiscovery : public ScratchDir {
 public:
  CtestDiscovery() {
    program_ = write("bin/tests",
                     "\x7f"
                     "ELF and so on");
  }

  CtestDiscovery& test(std::string name, std::vector<std::string> command,
                       std::map<std::string, Json> properties = {}) {
    Json entry = {{"name", name}, {"properties", Json::array()}};
    if (!command.empty()) entry["command"] = command;
    for (auto& [key, value] : properties) {
      entry["properties"].push_back({{"name", key}, {"value", value}});
    }
    tests_.push_back(entry);
    return *this;
  }

  TargetSelection parse() {
    const Json list = {{"kind", "ctestInfo"}, {"tests", tests_}, {"version", {{"major", 1}}}};
    auto found = parse_ctest_json(list.dump(), dir_);
    if (!found.ok()) {
      ADD_FAILURE() << found.error().message;
      return {};
    }
    return *found;
  }

  std::filesystem::path program_;
  Json tests_ = Json::array();
};

TEST_F(CtestDiscovery, OurOwnClientIsLookedThrough) {
  const auto found =
      test("A.x", {"/opt/bin/gordian-ctest", "--isolate=fork", program_, "A.x", "--", "--data"})
          .test("A.y",
                {"/opt/bin/gordian-ctest", "--isolate=fork", program_, "A.y", "--", "--data"})
          .parse();
  ASSERT_EQ(found.targets.size(), 1u);
  EXPECT_EQ(found.targets[0].binary, program_);
  EXPECT_EQ(found.targets[0].args, std::vector<std::string>{"--data"});
}

TEST_F(CtestDiscovery, TestsOfOneBinaryBecomeOneTarget) {
  const auto found =
      test("A.x", {program_, "--gtest_filter=A.x", "--gtest_also_run_disabled_tests"})
          .test("A.y", {program_, "--gtest_filter=A.y"})
          .parse();
  ASSERT_EQ(found.targets.size(), 1u);
  EXPECT_EQ(found.targets[0].binary, program_);
  EXPECT_TRUE(found.targets[0].args.empty());
  EXPECT_EQ(found.targets[0].working_dir, dir_);
  EXPECT_EQ(found.targets[0].origin, "A.x");
  EXPECT_TRUE(found.skipped.empty());
}

TEST_F(CtestDiscovery, OtherSurroundingsMakeAnotherTarget) {
  const auto found = test("plain", {program_})
                         .test("args", {program_, "--data=x"})
                         .test("dir", {program_}, {{"WORKING_DIRECTORY", "/"}})
                         .test("env", {program_}, {{"ENVIRONMENT", {"MODE=fast"}}})
                         .parse();
  ASSERT_EQ(found.targets.size(), 4u);
  EXPECT_EQ(found.targets[1].args, std::vector<std::string>{"--data=x"});
  EXPECT_EQ(found.targets[2].working_dir, "/");
  EXPECT_EQ(found.targets[3].env, (std::vector<EnvChange>{{"MODE", "fast"}}));
}

TEST_F(CtestDiscovery, WhatCannotBeRunIsLeftOutWithAReason) {
  const auto script = write("check.sh", "#!/bin/sh\n");
  const auto found = test("unbuilt_NOT_BUILT", {})
                         .test("script", {script})
                         .test("gone", {(dir_ / "bin/gone").string()})
                         .test("off", {program_}, {{"DISABLED", true}})
                         .parse();
  EXPECT_TRUE(found.targets.empty());
  ASSERT_EQ(found.skipped.size(), 4u);
  EXPECT_NE(found.skipped[0].find("cmake --build"), std::string::npos);
  EXPECT_NE(found.skipped[1].find("not an ELF program"), std::string::npos);
  EXPECT_NE(found.skipped[2].find("does not exist"), std::string::npos);
  EXPECT_NE(found.skipped[3].find("disabled"), std::string::npos);
}

TEST_F(CtestDiscovery, OneDisabledTestDoesNotDisableItsBinary) {
  const auto found = test("A.off", {program_, "--gtest_filter=A.off"}, {{"DISABLED", true}})
                         .test("A.on", {program_, "--gtest_filter=A.on"})
                         .parse();
  EXPECT_EQ(found.targets.size(), 1u);
  EXPECT_TRUE(found.skipped.empty());
}

TEST_F(CtestDiscovery, EnvironmentChangesAreAppliedInOrder) {
  ::setenv("GORDIAN_TEST_OUTER", "o", 1);
  const auto found =
      test(
          "t", {program_},
          {{"ENVIRONMENT", {"A=1", "EMPTY="}},
           {"ENVIRONMENT_MODIFICATION",
            {"A=string_append:2", "B=set:b:c", "C=unset:", "GORDIAN_TEST_OUTER=path_list_prepend:p",
             "D=path_list_append:x", "A=string_prepend:0", "D=path_list_append:y"}}})
          .parse();
  ::unsetenv("GORDIAN_TEST_OUTER");
  ASSERT_EQ(found.targets.size(), 1u);
  EXPECT_EQ(found.targets[0].env, (std::vector<EnvChange>{{"A", "012"},
                                                          {"B", "b:c"},
                                                          {"C", std::nullopt},
                                                          {"D", "x:y"},
                                                          {"EMPTY", ""},
                                                          {"GORDIAN_TEST_OUTER", "p:o"}}));
}

TEST_F(CtestDiscovery, ResetGoesBackToTheEnvironmentProperty) {
  const auto found =
      test("t", {program_},
           {{"ENVIRONMENT", "A=1"},
            {"ENVIRONMENT_MODIFICATION", {"A=set:2", "A=reset:", "B=set:2", "B=reset:"}}})
          .parse();
  ASSERT_EQ(found.targets.size(), 1u);
  EXPECT_EQ(found.targets[0].env, (std::vector<EnvChange>{{"A", "1"}}));
}

TEST_F(CtestDiscovery, AnUnknownModificationIsNotGuessed) {
  const auto found = test("t", {program_}, {{"ENVIRONMENT_MODIFICATION", {"A=rot13:x"}}}).parse();
  EXPECT_TRUE(found.targets.empty());
  ASSERT_EQ(found.skipped.size(), 1u);
  EXPECT_NE(found.skipped[0].find("rot13"), std::string::npos);
}

TEST_F(CtestDiscovery, MalformedListsAreErrors) {
  for (auto text : {""sv, "{"sv, "[]"sv, "3"sv, "{\"kind\":\"other\"}"sv,
                    "{\"kind\":\"ctestInfo\"}"sv, "{\"kind\":\"ctestInfo\",\"tests\":[{}]}"sv,
                    "{\"kind\":\"ctestInfo\",\"tests\":[{\"name\":4}]}"sv}) {
    auto found = parse_ctest_json(text, dir_);
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.error().kind, ErrorKind::target);
  }
}

TEST_F(CtestDiscovery, ADirectoryWithoutTestsIsNamedAsSuch) {
  auto found = discover_ctest(dir_);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("not a CMake build"), std::string::npos);
}

TEST_F(CtestDiscovery, AsksTheRealCtest) {
  write("CTestTestfile.cmake",
        "add_test(first \"" + program_.string() +
            "\" \"--gtest_filter=A.*\")\n"
            "set_tests_properties(first PROPERTIES ENVIRONMENT \"A=1;B=2\")\n"
            "add_test(lost \"" +
            (dir_ / "lost").string() + "\")\n");
  auto found = discover_ctest(dir_);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->targets.size(), 1u);
  EXPECT_EQ(found->targets[0].origin, "first");
  EXPECT_EQ(found->targets[0].env.size(), 2u);
  ASSERT_EQ(found->skipped.size(), 1u);
}

TEST_F(CtestDiscovery, AFailingCtestIsAnError) {
  write("CTestTestfile.cmake", "this is no cmake (");
  auto found = discover_ctest(dir_);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::target);
}

}  // namespace
}  // namespace gordian
