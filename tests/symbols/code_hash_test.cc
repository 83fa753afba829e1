// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which tests a change concerns: the programs are built from one source with one macro each.
#include "symbols/code_hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "tests/symbols/fixture_paths.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Suite suite_of_fixture() {
  std::vector<Test> tests;
  auto add = [&tests](std::string suite, std::string name, std::string type, std::string value) {
    Test test;
    test.suite = std::move(suite);
    test.name = std::move(name);
    test.type_param = std::move(type);
    test.value_param = std::move(value);
    tests.push_back(test);
  };
  for (const char* name :
       {"Body", "Helper", "Literal", "Table", "Virtual", "Lambda", "StaticWithDestructor"}) {
    add("Plain", name, "", "");
  }
  add("Fixture", "One", "", "");
  add("Instance/Param", "Value/0", "", "1");
  add("Instance/Param", "Value/1", "", "2");
  add("Typed/0", "Size", "int", "");
  add("Typed/1", "Size", "long", "");
  return Suite(Framework::gtest, "1.12.1", std::move(tests));
}

std::vector<std::string> hashes_of(const std::string& program) {
  auto hashes = hash_tests(fixture(program), suite_of_fixture());
  EXPECT_TRUE(hashes.ok()) << (hashes.ok() ? "" : hashes.error().message);
  return hashes ? *hashes : std::vector<std::string>(suite_of_fixture().size());
}

class CodeHash : public testing::TestWithParam<const char*> {
 protected:
  /// The tests whose hash is another one than before the change.
  std::vector<std::string> changed_by(const std::string& change) {
    const Suite suite = suite_of_fixture();
    const auto before = hashes_of("code_same_" + std::string(GetParam()));
    const auto after = hashes_of("code_" + change + "_" + GetParam());
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < suite.size(); ++i) {
      if (before[i] != after[i]) changed.push_back(suite.tests()[i].full_name());
    }
    return changed;
  }
};

TEST_P(CodeHash, EveryTestHasOne) {
  EXPECT_THAT(hashes_of("code_same_" + std::string(GetParam())),
              testing::Each(testing::StartsWith("1:")));
}

TEST_P(CodeHash, MovedCodeAndLinesAreNoChange) {
  EXPECT_THAT(changed_by("unrelated"), IsEmpty());
}

TEST_P(CodeHash, AChangedBodyConcernsItsTestOnly) {
  EXPECT_THAT(changed_by("changed_body"), ElementsAre("Plain.Body"));
}

INSTANTIATE_TEST_SUITE_P(Built, CodeHash, testing::Values("O0", "O2", "nopie"));

class CodeHashOfMore : public CodeHash {};

TEST_P(CodeHashOfMore, AHelperConcernsThoseThatReachIt) {
  EXPECT_THAT(changed_by("changed_helper"), ElementsAre("Plain.Helper"));
}

TEST_P(CodeHashOfMore, LiteralsAndTablesCount) {
  EXPECT_THAT(changed_by("changed_literal"), ElementsAre("Plain.Literal"));
  EXPECT_THAT(changed_by("changed_table"), ElementsAre("Plain.Table"));
}

TEST_P(CodeHashOfMore, VirtualFunctionsOfObjectsMadeByTheTestCount) {
  EXPECT_THAT(changed_by("changed_virtual"), ElementsAre("Plain.Virtual"));
}

TEST_P(CodeHashOfMore, FunctionsByAddressCount) {
  EXPECT_THAT(changed_by("changed_lambda"), ElementsAre("Plain.Lambda"));
}

TEST_P(CodeHashOfMore, SetUpOfTheFixtureCounts) {
  EXPECT_THAT(changed_by("changed_setup"), ElementsAre("Fixture.One"));
  EXPECT_THAT(changed_by("changed_suite_setup"), ElementsAre("Fixture.One"));
}

TEST_P(CodeHashOfMore, ParametrisedAndTypedTestsCount) {
  EXPECT_THAT(changed_by("changed_param_body"),
              ElementsAre("Instance/Param.Value/0", "Instance/Param.Value/1"));
  EXPECT_THAT(changed_by("changed_typed_body"), ElementsAre("Typed/0.Size", "Typed/1.Size"));
}

INSTANTIATE_TEST_SUITE_P(Built, CodeHashOfMore, testing::Values("O0", "O2"));

TEST(CodeHashes, ParametersCount) {
  const auto hashes = hashes_of("code_same_O0");
  EXPECT_NE(hashes[8], hashes[9]);
  EXPECT_NE(hashes[10], hashes[11]);
}

TEST(CodeHashes, AStrippedProgramHasNone) {
  auto hashes = hash_tests(fixture("gtest_stripped"), suite_of_fixture());
  ASSERT_FALSE(hashes.ok());
  EXPECT_EQ(hashes.error().message, "it has no symbols");
}

TEST(CodeHashes, ATestThatIsNotThereHasNone) {
  auto hashes = hash_tests(fixture("gtest_plain"), suite_of_fixture());
  EXPECT_FALSE(hashes.ok());
  const Suite known(Framework::gtest, "",
                    {{"Plain", "Body", "", 0, "", "", false, true},
                     {"Plain", "Other", "", 0, "", "", false, true}});
  hashes = hash_tests(fixture("code_same_O0"), known);
  ASSERT_TRUE(hashes.ok());
  EXPECT_FALSE((*hashes)[0].empty());
  EXPECT_TRUE((*hashes)[1].empty());
}

TEST(CodeHashes, DamagedFilesAreAnError) {
  EXPECT_FALSE(hash_tests("/dev/null", suite_of_fixture()).ok());
  EXPECT_FALSE(hash_tests("/no/such/file", suite_of_fixture()).ok());
}

class GarbledCode : public ScratchDir {};

/// Any answer will do, but there must be one.
TEST_F(GarbledCode, IsSurvived) {
  const std::string whole = read_whole(fixture("code_same_O0"));
  Random random(4711);
  for (int round = 0; round < 60; ++round) {
    std::string garbled = whole;
    for (int i = 0; i < 200; ++i) {
      // Half of the damage to the headers at both ends, where it hurts most.
      const std::size_t near_end = random.below(4096);
      const std::size_t at = i % 4 == 0   ? near_end
                             : i % 4 == 1 ? garbled.size() - 1 - near_end
                                          : random.below(garbled.size());
      if (at < 64 || at >= garbled.size())
        continue;  // a file that is no program is refused earlier
      garbled[at] = static_cast<char>(random.below(256));
    }
    auto hashes = hash_tests(write("garbled", garbled), suite_of_fixture());
    if (hashes) {
      EXPECT_EQ(hashes->size(), suite_of_fixture().size());
    }
  }
}

TEST(CodeNames, OwnersAreParsedUpToTheFirstTemplateArgument) {
  ScopedName name = parse_scoped("3foo3BarC2Ev");
  EXPECT_THAT(name.names, ElementsAre("foo", "Bar"));
  EXPECT_EQ(name.rest, "C2Ev");
  name = parse_scoped("15Suite_Name_TestIiE8TestBodyEv");
  EXPECT_THAT(name.names, ElementsAre("Suite_Name_Test"));
  EXPECT_THAT(parse_scoped("99short").names, IsEmpty());
  EXPECT_THAT(parse_scoped("").names, IsEmpty());
}

TEST(CodeNames, NumbersOfTheCompilerAreCutOff) {
  EXPECT_EQ(stable_name("_Z1fv.constprop.0"), "_Z1fv");
  EXPECT_EQ(stable_name("counter.12"), "counter");
  EXPECT_EQ(stable_name(".hidden"), ".hidden");
}

}  // namespace
}  // namespace gordian
