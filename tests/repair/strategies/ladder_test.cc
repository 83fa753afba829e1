// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The whole ladder: its order, that it says why for each rung, that it is the same each time, and
// what it refuses to touch. And the listener file.
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kText =
    "#include <gtest/gtest.h>\n"
    "int g_level = 1;\n"
    "TEST(Log, IsQuiet) { EXPECT_EQ(g_level, 1); }\n"
    "TEST(Log, Loud) { g_level = 3; }\n";

Story level_story(const std::string& text = kText, Framework framework = Framework::gtest) {
  Story story(text, framework);
  story.state("g_level").initializer = "= 1";
  return story;
}

std::vector<Strategy> strategies_of(const Proposals& all) {
  std::vector<Strategy> strategies;
  for (const Proposal& proposal : all.ladder) strategies.push_back(proposal.strategy);
  return strategies;
}

TEST(Ladder, BestFirstAndAReasonForTheOthers) {
  Story story = level_story();
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  const Proposals all = story.ask_all();
  EXPECT_THAT(strategies_of(all),
              ElementsAre(Strategy::restore, Strategy::paper, Strategy::listener));
  EXPECT_EQ(all.ladder.size() + all.inapplicable.size(), all_strategies().size());
  for (const Inapplicable& one : all.inapplicable) {
    EXPECT_THAT(one.why, Not(IsEmpty())) << to_string(one.strategy);
    EXPECT_THAT(one.why, Not(HasSubstr("nothing to offer"))) << to_string(one.strategy);
  }
}

TEST(Ladder, WhatShutsDownIsTriedLast) {
  Story story = level_story();
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  story.facts().resets = {{"g_level", "shutdown_log()", Access::open, "log.h", false}};
  EXPECT_THAT(strategies_of(story.ask_all()), ElementsAre(Strategy::restore, Strategy::paper,
                                                          Strategy::listener, Strategy::own_reset));
  story.facts().resets = {{"g_level", "reset_log()", Access::open, "log.h", false}};
  EXPECT_EQ(story.ask_all().ladder.front().strategy, Strategy::own_reset);
}

TEST(Ladder, TheSameEachTime) {
  Story story = level_story();
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  const Proposals first = story.ask_all(), second = story.ask_all();
  ASSERT_EQ(first.ladder.size(), second.ladder.size());
  for (std::size_t i = 0; i < first.ladder.size(); ++i) {
    EXPECT_EQ(unified_diff(*apply(first.ladder[i].change, story.source()), "/p"),
              unified_diff(*apply(second.ladder[i].change, story.source()), "/p"));
  }
}

TEST(Ladder, AllKnownPollutersFirstThenTheOneOfTheWitness) {
  Story story = level_story(kText + "TEST(Log, Louder) { g_level = 4; }\n");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  story.dependence.singles = {story.id("Log.Loud"), story.id("Log.Louder")};
  EXPECT_EQ(story.summary(Strategy::restore), "puts g_level back when Log.Loud and Log.Louder end");
  EXPECT_THAT(story.after(Strategy::restore, 1), HasSubstr("TEST(Log, Louder) { g_level = 4; }"));
}

TEST(Ladder, SuspectsAreTriedOneByOne) {
  Story story = level_story();
  story.state("g_other");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  story.depends("Log.IsQuiet", "Log.Loud", "g_other");
  story.explanation.proved = false;
  EXPECT_THAT(story.after(Strategy::restore, 0), Not(HasSubstr("restore_other")));
  EXPECT_THAT(story.after(Strategy::restore, 1), HasSubstr("restore_other"));
  story.explanation.proved = true;
  EXPECT_EQ(story.summary(Strategy::restore),
            "puts g_level back and puts g_other back when Log.Loud ends");
}

TEST(Ladder, DoesNotTouch) {
  Story generated = level_story("// Generated: DO NOT EDIT.\n" + kText);
  generated.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(generated.why_not(Strategy::restore), HasSubstr("says that it is generated"));

  Story outside = level_story();
  outside.options.source_root = "/q";
  outside.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(outside.why_not(Strategy::restore), HasSubstr("lies outside of the project"));

  Story built = level_story();
  built.options.source_root = "/";
  built.add_file("/p/CMakeCache.txt", "");
  built.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(built.why_not(Strategy::restore), HasSubstr("lies in a build directory"));

  Story made = level_story();
  made.test("Loud").spelled = false;
  made.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(made.why_not(Strategy::restore), HasSubstr("is made by a macro of the project"));
}

TEST(Ladder, TestsThatOnlyTheLexerKnows) {
  Story story = level_story();
  story.facts().by_compiler = true;
  story.facts().tests.clear();
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(story.summary(Strategy::restore), "puts g_level back when Log.Loud ends");
}

TEST(Ladder, TitlesOfSeveralWordsAreQuoted) {
  Story story = level_story(
      "TEST_CASE(\"is quiet\") { CHECK(g_level == 1); }\nTEST_CASE(\"gets loud\") { g_level = 2; "
      "}\n",
      Framework::catch2);
  story.depends("is quiet", "gets loud", "g_level");
  EXPECT_EQ(story.summary(Strategy::restore), "puts g_level back when \"gets loud\" ends");
  EXPECT_EQ(story.summary(Strategy::paper),
            "\"is quiet\" begins with the initial value of g_level");
}

TEST(Ladder, UnknownStateHasNothingToPutBack) {
  Story story = level_story();
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  story.explanation.carriers.clear();
  EXPECT_EQ(story.why_not(Strategy::restore), "the state that carries the dependence is not known");
}

void use_cmake(Story& story, const std::string& text, int line) {
  story.add_file("/p/CMakeLists.txt", text);
  story.options.build_file = "/p/CMakeLists.txt";
  story.options.build_line = line;
  story.options.build_target = "t_test";
}

TEST(ListenerStrategy, ANewFileAndOneLineOfTheBuild) {
  Story story("#include \"level.h\"\nTEST(Log, IsQuiet) {}\nTEST(Log, Loud) { g_level = 3; }\n");
  story.add_file("/p/level.h", "extern int g_level;\n");
  StateFact& state = story.state("g_level");
  state.file = "/p/level.cc";
  state.header = "/p/level.h";
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  use_cmake(story, "project(t)\nadd_executable(t_test\n  t_test.cc)\nenable_testing()\n", 2);
  EXPECT_EQ(story.after(Strategy::listener, 0, "/p/CMakeLists.txt"),
            "project(t)\nadd_executable(t_test\n  t_test.cc)\n"
            "target_sources(t_test PRIVATE test_isolation.cc)\nenable_testing()\n");
  const std::string file = story.after(Strategy::listener, 0, "/p/test_isolation.cc");
  EXPECT_THAT(file, HasSubstr("#include \"gordian_guards.h\"\n#include \"level.h\"\n"));
  EXPECT_THAT(file, HasSubstr("std::make_shared<gordian::ScopedRestore<int>>(g_level)"));
  EXPECT_EQ(story.after(Strategy::listener), "unchanged");
}

TEST(ListenerStrategy, InTheTestFileWhereTheStateCanBeNamedOnlyThere) {
  Story story = level_story();
  story.facts().states[0].internal = true;
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  use_cmake(story, "add_executable(t_test t_test.cc)\n", 1);
  const std::string text = story.after(Strategy::listener);
  EXPECT_THAT(text, HasSubstr(kText.substr(kText.find("int g_level"))));
  EXPECT_THAT(text, HasSubstr("class Isolation : public testing::EmptyTestEventListener"));
}

TEST(ListenerStrategy, AlsoForTestsThatAMacroMakes) {
  Story story = level_story();
  story.test("Loud").spelled = false;
  story.test("Loud").body = {};
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  use_cmake(story, "add_executable(t_test t_test.cc)\n", 1);
  EXPECT_EQ(story.summary(Strategy::listener),
            "puts g_level back around every test of the program");
}

TEST(ListenerStrategy, SpeaksTheFrameworksWords) {
  const std::string titles =
      "#include <catch2/catch.hpp>\nint g_level = 1;\n"
      "TEST_CASE(\"quiet\") { CHECK(g_level == 1); }\nTEST_CASE(\"loud\") { g_level = 2; }\n";
  Story catch2 = level_story(titles, Framework::catch2);
  catch2.depends("quiet", "loud", "g_level");
  EXPECT_THAT(catch2.after(Strategy::listener),
              HasSubstr("#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for the listener\n"
                        "#include <catch2/catch.hpp>\n"));
  EXPECT_THAT(catch2.after(Strategy::listener), HasSubstr("CATCH_REGISTER_LISTENER(Isolation)"));
  Story cpputest = level_story(kText, Framework::cpputest);
  cpputest.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(cpputest.why_not(Strategy::listener), HasSubstr("has no listeners"));
}

}  // namespace
}  // namespace gordian
