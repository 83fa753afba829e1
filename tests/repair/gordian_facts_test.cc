// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The real gordian-facts on a small project with one state of each kind (facts_project/), with
// commands as g++ builds have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/owned_dir.h"
#include "tests/repair/facts_program.h"

namespace gordian {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const std::string kProject = GORDIAN_FACTS_PROJECT;

/// Facts of files of the project, compiled with these words.
Result<SourceFacts> facts_with(const std::vector<std::string>& files,
                               const std::vector<std::string>& words) {
  const std::filesystem::path places[] = {testing::TempDir()};
  auto scratch = TemporaryDir::make(places);
  nlohmann::json commands = nlohmann::json::array();
  std::vector<std::string> wanted;
  for (const std::string& file : files) {
    wanted.push_back(kProject + "/" + file);
    std::vector<std::string> arguments = {"/usr/bin/g++", "-std=c++17"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.insert(arguments.end(), {"-o", "x.o", "-c", wanted.back()});
    commands.push_back(
        {{"directory", kProject}, {"file", wanted.back()}, {"arguments", arguments}});
  }
  const std::string path = (scratch->path() / "compile_commands.json").string();
  std::ofstream(path) << commands;
  return facts_of_files(wanted, kProject, path);
}

class GordianFacts : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_facts_program()) return;
    auto facts = facts_with({"app_test.cc", "app.cc"}, {"-O2", "-g"});
    ASSERT_TRUE(facts.ok()) << facts.error().message;
    facts_ = new SourceFacts(std::move(*facts));
  }
  static void TearDownTestSuite() { delete facts_; }
  void SetUp() override {
    if (facts_ == nullptr) GTEST_SKIP() << "gordian-facts was not built";
  }

  static StateFact state(const std::string& name) {
    const StateFact* found = facts_->state(name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? StateFact() : *found;
  }
  static TestFact test(const std::string& name) {
    const auto found = std::find_if(facts_->tests.begin(), facts_->tests.end(),
                                    [&](const TestFact& test) { return test.name == name; });
    EXPECT_NE(found, facts_->tests.end()) << name;
    return found == facts_->tests.end() ? TestFact() : *found;
  }
  static std::string text(const TextRange& range) {
    return read_real_file(range.file)->substr(range.begin, range.end - range.begin);
  }
  /// The statement of App.Writes that begins so.
  static StatementFact statement(const std::string& begin) {
    for (const StatementFact& fact : test("Writes").statements) {
      if (text(fact.range).starts_with(begin)) return fact;
    }
    ADD_FAILURE() << "no statement " << begin;
    return {};
  }
  static std::vector<std::string> written(const std::string& begin) {
    return statement(begin).may_write;
  }

  static SourceFacts* facts_;
};
SourceFacts* GordianFacts::facts_ = nullptr;

TEST_F(GordianFacts, UnderstandsTheProject) {
  EXPECT_TRUE(facts_->by_compiler);
  EXPECT_THAT(facts_->notices, IsEmpty());
  for (const UnitFact& unit : facts_->units) EXPECT_EQ(unit.errors, 0) << unit.first_error;
}

TEST_F(GordianFacts, AGlobalHasItsHeaderAndInitializer) {
  const StateFact verbosity = state("app::verbosity");
  EXPECT_EQ(verbosity.expression, "::app::verbosity");
  EXPECT_EQ(verbosity.type, "int");
  EXPECT_EQ(verbosity.initializer, "2");
  EXPECT_EQ(verbosity.header, kProject + "/app.h");
  EXPECT_EQ(verbosity.file, kProject + "/app.cc");
  EXPECT_EQ(state("app::prefix").type, "::std::string");
  EXPECT_EQ(state("app::prefix").copyable, Known::yes);
  EXPECT_TRUE(state("app::kLimits").is_const);
}

TEST_F(GordianFacts, MapsAreCopyableIfWhatTheyHoldIs) {
  EXPECT_EQ(state("app::seats").copyable, Known::yes);
  EXPECT_EQ(state("app::locks").copyable, Known::yes);
  EXPECT_EQ(state("app::owned").copyable, Known::no);
}

TEST_F(GordianFacts, InternalAndThreadLocalStatesAreKnownAsSuch) {
  EXPECT_TRUE(state("app::warnings").internal);
  EXPECT_TRUE(state("app::last_error").is_thread_local);
  EXPECT_EQ(state("app::last_error").initializer, "{7}");
  EXPECT_EQ(state("app::current").pointee, "::app::Profile");
  EXPECT_EQ(state("app::current").default_constructible, Known::yes);
  EXPECT_EQ(state("app::Pool<int>::used").expression, "::app::Pool<int>::used");
}

TEST_F(GordianFacts, AClassStaticHasItsAccess) {
  const StateFact open = state("app::Session::open_");
  EXPECT_EQ(open.kind, StateKind::class_static);
  EXPECT_EQ(open.access, Access::closed);
  EXPECT_EQ(open.owner, "app::Session");
}

TEST_F(GordianFacts, ASingletonHasAccessorMembersAndReset) {
  const StateFact cache = state("app::Cache::get()::cache");
  EXPECT_EQ(cache.kind, StateKind::local_static);
  EXPECT_EQ(cache.expression, "");
  EXPECT_EQ(cache.copyable, Known::no) << "a mutex in it";
  ASSERT_EQ(cache.members.size(), 2u);
  EXPECT_EQ(cache.members[0].access, Access::closed);
  EXPECT_EQ(cache.members[0].copyable, Known::yes);
  EXPECT_EQ(cache.members[1].copyable, Known::no);
  std::vector<std::string> accessors, resets;
  for (const auto& fact : facts_->accessors) accessors.push_back(fact.expression);
  for (const auto& fact : facts_->resets) resets.push_back(fact.state + ": " + fact.call);
  EXPECT_THAT(accessors, Contains("::app::Cache::get()"));
  EXPECT_THAT(accessors, Contains("*::app::profile()"));
  EXPECT_THAT(resets, Contains("app::Cache::get()::cache: ::app::Cache::get().clear()"));
  EXPECT_THAT(resets, Contains("app::Session::open_: ::app::Session::reset_all()"));
}

TEST_F(GordianFacts, ReadingIsNoWriting) {
  for (const StatementFact& fact : test("ReadsOnly").statements) {
    EXPECT_THAT(fact.may_write, IsEmpty()) << text(fact.range);
    EXPECT_TRUE(fact.assertion) << text(fact.range);
  }
  EXPECT_THAT(written("const int level"), IsEmpty());
}

TEST_F(GordianFacts, WritesAreFollowedThroughCallsAndReferences) {
  EXPECT_THAT(written("app::set_verbosity(3);"), ElementsAre("app::verbosity"));
  EXPECT_THAT(statement("app::set_verbosity(3);").calls, Contains("setenv"));
  EXPECT_THAT(written("app::prefix += \"more\";"), ElementsAre("app::prefix"));
  EXPECT_THAT(written("app::Cache::get().put(1);"), ElementsAre("app::Cache::get()::cache"));
  EXPECT_THAT(written("cache.put(level);"), ElementsAre("app::Cache::get()::cache"));
  EXPECT_THAT(written("app::profile()->limit"), ElementsAre("app::current"));
  EXPECT_THAT(written("app::Session::open();"), ElementsAre("app::Session::open_"));
  EXPECT_THAT(written("++app::Pool<int>::used;"), ElementsAre("app::Pool<int>::used"));
  EXPECT_THAT(written("EXPECT_GT"), ElementsAre("app::last_error", "app::warnings"));
}

TEST_F(GordianFacts, StatementsDeclareAndUseNames) {
  EXPECT_THAT(statement("auto& cache").declares, ElementsAre("cache"));
  EXPECT_THAT(statement("cache.put").uses, ElementsAre("cache", "level"));
  EXPECT_EQ(text(statement("EXPECT_GT").range), "EXPECT_GT(app::warn(), 0) << \"with a message\";");
  EXPECT_FALSE(statement("cache.put").assertion);
}

TEST_F(GordianFacts, TestsHaveTheirPlaces) {
  const TestFact writes = test("Writes");
  EXPECT_EQ(writes.suite, "App");
  EXPECT_EQ(text(writes.macro), "TEST(App, Writes)");
  EXPECT_EQ(text(writes.body).front(), '{');
  EXPECT_EQ(text(writes.body).back(), '}');
  EXPECT_EQ(facts_->test_at("facts_project/app_test.cc", writes.macro.line)->name, "Writes");
  EXPECT_EQ(writes.fixture, "");
}

TEST_F(GordianFacts, FixturesTellWhatTheyWrite) {
  EXPECT_EQ(test("HasAFixture").fixture, "Loud");
  const FixtureFact* loud = facts_->fixture("Loud");
  ASSERT_NE(loud, nullptr);
  EXPECT_THAT(loud->set_up_writes, ElementsAre("app::verbosity"));
  EXPECT_EQ(text(loud->body).front(), '{');
}

TEST_F(GordianFacts, TypedTestsAreSeenThroughTheirInstances) {
  const TestFact typed = test("UsesItsType");
  EXPECT_TRUE(typed.is_template);
  ASSERT_EQ(typed.statements.size(), 1u);
  EXPECT_THAT(typed.statements[0].may_write,
              ElementsAre("app::Pool<char>::used", "app::Pool<int>::used"));
}

TEST_F(GordianFacts, TestsThatMacrosMakeAreToldApart) {
  EXPECT_TRUE(test("ByAMacro").spelled) << "its braces are in the file";
  EXPECT_EQ(test("ByAMacro").suite, "Made");
  EXPECT_FALSE(test("InAMacro").spelled);
  EXPECT_THAT(test("InAMacro").statements, IsEmpty());
}

TEST_F(GordianFacts, CommandsOfGccAreUnderstood) {
  const auto facts =
      facts_with({"app.cc"}, {"-fno-gnu-unique", "-fanalyzer", "-flto=auto", "-Wno-such-warning",
                              "-march=no-such-machine", "-fsanitize=address", "--coverage",
                              "-fmax-errors=3", "-Werror"});
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->units.at(0).errors, 0) << facts->units.at(0).first_error;
  EXPECT_NE(facts->state("app::verbosity"), nullptr);
}

TEST_F(GordianFacts, AUnitWithErrorsSaysSo) {
  const auto facts = facts_with({"app.cc"}, {"-include", "no/such/header.h"});
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_GT(facts->units.at(0).errors, 0);
  EXPECT_THAT(facts->units.at(0).first_error, testing::HasSubstr("no/such/header.h"));
  EXPECT_THAT(facts->notices, Not(IsEmpty()));
}

}  // namespace
}  // namespace gordian
