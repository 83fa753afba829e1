// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using testing::HasSubstr;

const std::string kTwoTests =
    "#include <gtest/gtest.h>\n"
    "\n"
    "int g_level = 1;\n"
    "\n"
    "TEST(Log, IsQuiet) {\n"
    "  EXPECT_EQ(g_level, 1);\n"
    "}\n"
    "\n"
    "TEST(Log, Loud) {\n"
    "  g_level = 3;\n"
    "}\n";

TEST(RestoreStrategy, GuardsThePolluter) {
  Story story(kTwoTests);
  story.state("g_level");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(story.after(Strategy::restore),
            "#include <gtest/gtest.h>\n"
            "\n"
            "#include \"gordian_guards.h\"\n"
            "\n"
            "int g_level = 1;\n"
            "\n"
            "TEST(Log, IsQuiet) {\n"
            "  EXPECT_EQ(g_level, 1);\n"
            "}\n"
            "\n"
            "TEST(Log, Loud) {\n"
            "  gordian::ScopedRestore<int> restore_level(g_level);\n"
            "  g_level = 3;\n"
            "}\n");
  EXPECT_EQ(story.summary(Strategy::restore), "puts g_level back when Log.Loud ends");
  EXPECT_THAT(story.after(Strategy::restore, 0, "/p/gordian_guards.h"),
              HasSubstr("class ScopedRestore"));
}

TEST(RestoreStrategy, LeavesWhatHasItAlready) {
  Story first(kTwoTests);
  first.state("g_level");
  first.depends("Log.IsQuiet", "Log.Loud", "g_level");
  Story again(first.after(Strategy::restore));
  again.add_file("/p/gordian_guards.h", first.after(Strategy::restore, 0, "/p/gordian_guards.h"));
  again.state("g_level");
  again.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(again.why_not(Strategy::restore), "all that it would add is there already");
}

TEST(RestoreStrategy, FirstMemberOfTheFixtureWhereTheSetUpWrites) {
  Story story(
      "class Pool : public testing::Test {\n"
      " protected:\n"
      "  void SetUp() override { ++g_used; }\n"
      "};\n"
      "TEST_F(Pool, Grows) { EXPECT_EQ(g_used, 1); }\n"
      "TEST_F(Pool, Shrinks) { EXPECT_EQ(g_used, 1); }\n");
  story.state("g_used");
  for (FixtureFact& fixture : story.facts().fixtures) fixture.set_up_writes = {"g_used"};
  story.depends("Pool.Grows", "Pool.Shrinks", "g_used");
  EXPECT_THAT(story.after(Strategy::restore),
              HasSubstr(" protected:\n"
                        "  gordian::ScopedRestore<int> restore_used{g_used};\n"
                        "  void SetUp() override { ++g_used; }\n"));
  EXPECT_THAT(story.summary(Strategy::restore), HasSubstr("when the fixture Pool ends"));
}

TEST(RestoreStrategy, NamesTheMemberWhereTheWholeCannotBeCopied) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) {\n\tg_net.retries = 9;\n}\n");
  StateFact& state = story.state("g_net");
  state.type = "Net";
  state.copyable = Known::no;
  state.members = {{"retries", "int", Access::open, Known::yes}};
  story.depends("A.Reads", "A.Writes", "g_net.retries");
  EXPECT_THAT(story.after(Strategy::restore),
              HasSubstr("{\n\tgordian::ScopedRestore<int> restore_retries(g_net.retries);\n"));
}

TEST(RestoreStrategy, SaysTheNameAsTheFileSaysIt) {
  Story story(
      "namespace app {\n"
      "TEST(A, Reads) { EXPECT_EQ(level, 1); }\n"
      "TEST(A, Writes) { level = 2; }\n"
      "}\n");
  story.state("app::level");
  story.depends("A.Reads", "A.Writes", "app::level");
  EXPECT_THAT(story.after(Strategy::restore), HasSubstr("restore_level(level);"));
}

TEST(RestoreStrategy, SpellsTypesAsPeopleDo) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) { g_names.clear(); }\n");
  story.state("g_names").type = "::std::map< ::std::string, ::app::Id *>";
  story.depends("A.Reads", "A.Writes", "g_names");
  EXPECT_THAT(story.after(Strategy::restore),
              HasSubstr("ScopedRestore<std::map<std::string, app::Id*>> restore_names(g_names);"));
}

TEST(RestoreStrategy, BringsTheHeaderOfTheState) {
  Story story(
      "#include \"app/run.h\"\n"
      "TEST(A, Reads) { run(); }\n"
      "TEST(A, Writes) { run_loudly(); }\n");
  story.add_file("/p/app/run.h", "void run();\n");
  StateFact& state = story.state("app::level");
  state.file = "/p/app/level.cc";
  state.header = "/p/app/level.h";
  story.depends("A.Reads", "A.Writes", "app::level");
  const std::string text = story.after(Strategy::restore);
  EXPECT_THAT(text, HasSubstr("#include \"app/level.h\"\n#include \"app/run.h\"\n"));
  EXPECT_THAT(text, HasSubstr("restore_level(app::level);"));
}

TEST(RestoreStrategy, AHeaderThatComesWithAnotherIsNotIncludedAgain) {
  Story story(
      "#include \"all.h\"\n"
      "TEST(A, Reads) { run(); }\n"
      "TEST(A, Writes) { run_loudly(); }\n");
  story.add_file("/p/all.h", "#include <string>\n#include \"app/run.h\"\n");
  story.add_file("/p/include/app/run.h", "#include <app/level.h>\n");
  story.add_file("/p/include/app/level.h", "#include \"run.h\"\n");
  StateFact& state = story.state("app::level");
  state.file = "/p/app/level.cc";
  state.header = "/p/include/app/level.h";
  story.depends("A.Reads", "A.Writes", "app::level");
  EXPECT_THAT(story.after(Strategy::restore),
              testing::StartsWith("#include \"all.h\"\n#include \"gordian_guards.h\"\nTEST(A, R"));
}

TEST(RestoreStrategy, DeclaresWhatNoHeaderDoes) {
  Story story("TEST(A, Reads) { run(); }\n\nTEST(A, Writes) { run_loudly(); }\n");
  story.state("app::level").file = "/p/app/level.cc";
  story.depends("A.Reads", "A.Writes", "app::level");
  EXPECT_THAT(story.after(Strategy::restore),
              HasSubstr("namespace app { extern int level; }\n\nTEST(A, Writes) {"));
}

TEST(RestoreStrategy, LeavesAlone) {
  const std::string text = "TEST(A, Reads) {}\nTEST(A, Writes) {}\n";
  Story constant(text), hidden(text), local(text), elsewhere(text);
  constant.state("kTable").is_const = true;
  constant.depends("A.Reads", "A.Writes", "kTable");
  EXPECT_EQ(constant.why_not(Strategy::restore), "kTable is a constant");

  StateFact& member = hidden.state("Pool::used_");
  member.kind = StateKind::class_static;
  member.access = Access::closed;
  member.owner = "Pool";
  hidden.depends("A.Reads", "A.Writes", "Pool::used_");
  EXPECT_EQ(hidden.why_not(Strategy::restore), "Pool::used_ is private to Pool");

  local.state("next()::last").kind = StateKind::local_static;
  local.depends("A.Reads", "A.Writes", "next()::last");
  EXPECT_THAT(local.why_not(Strategy::restore), HasSubstr("inside of a function"));

  StateFact& internal = elsewhere.state("(anonymous namespace)::level");
  internal.internal = true;
  internal.file = "/p/level.cc";
  elsewhere.depends("A.Reads", "A.Writes", "level");
  EXPECT_EQ(elsewhere.why_not(Strategy::restore), "level can be named in level.cc alone");
}

TEST(RestoreStrategy, DoesNotSaveAPointerThatTheTestFrees) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) { delete g_clock; g_clock = nullptr; }\n");
  StateFact& state = story.state("g_clock");
  state.type = "Clock *";
  state.pointee = "Clock";
  story.depends("A.Reads", "A.Writes", "g_clock");
  EXPECT_EQ(story.why_not(Strategy::restore), "the test frees what g_clock points to");
}

}  // namespace
}  // namespace gordian
