// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Strategies that change the dependent test itself or copy statements: the paper's assignment, the
// set-up of a brittle test, what a cleaner does; and the last resort.
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kLevel =
    "TEST(Log, IsQuiet) {\n"
    "  EXPECT_EQ(g_level, 1);\n"
    "}\n"
    "TEST(Log, Loud) {\n"
    "  g_level = 3;\n"
    "}\n"
    "TEST(Log, Resets) {\n"
    "  g_level = 1;\n"
    "  EXPECT_EQ(g_level, 1);\n"
    "}\n";

TEST(PaperStrategy, AssignsTheInitialValueInTheVictim) {
  Story story(kLevel);
  story.state("g_level").initializer = "= 1";
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_THAT(story.after(Strategy::paper),
              HasSubstr("TEST(Log, IsQuiet) {\n  g_level = 1;\n  EXPECT_EQ(g_level, 1);\n}\n"));
  EXPECT_EQ(story.summary(Strategy::paper), "Log.IsQuiet begins with the initial value of g_level");
}

TEST(PaperStrategy, TakesTheValueThatWasSeenWithoutAnInitializer) {
  Story story(kLevel);
  story.state("g_level");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level").old_value = "0";
  EXPECT_THAT(story.after(Strategy::paper), HasSubstr("{\n  g_level = 0;\n"));
}

TEST(PaperStrategy, LeavesAlone) {
  Story list(kLevel), unknown(kLevel), brittle(kLevel), environment(kLevel);
  StateFact& state = list.state("g_level");
  state.type = "std::vector<int>";
  state.initializer = "{1}";
  list.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(list.why_not(Strategy::paper), "g_level is neither a primitive value nor a string");
  unknown.state("g_level");
  unknown.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(unknown.why_not(Strategy::paper), "the initial value of g_level is not known as text");
  brittle.state("g_level").initializer = "= 1";
  brittle.depends("Log.IsQuiet", "Log.Loud", "g_level", CarrierKind::variable, Role::brittle);
  EXPECT_THAT(brittle.why_not(Strategy::paper), HasSubstr("a brittle test fails with"));
  environment.depends("Log.IsQuiet", "Log.Loud", "LANG", CarrierKind::environment);
  EXPECT_THAT(environment.why_not(Strategy::paper), HasSubstr("is no variable"));
}

const std::string kTable =
    "TEST(Table, IsLoaded) {\n"
    "  const char* path = \"a.csv\";\n"
    "  int other = 4;\n"
    "  g_table = load(path);\n"
    "  EXPECT_EQ(other, 4);\n"
    "}\n"
    "TEST(Table, HasRows) {\n"
    "  EXPECT_EQ(g_table.size(), 3u);\n"
    "}\n";

TEST(CopySetterStrategy, TakesTheWritingStatementsAndWhatTheyNeed) {
  Story story(kTable);
  story.state("g_table");
  story.depends("Table.HasRows", "Table.IsLoaded", "g_table", CarrierKind::variable, Role::brittle);
  EXPECT_THAT(story.after(Strategy::copy_setter), HasSubstr("TEST(Table, HasRows) {\n"
                                                            "  const char* path = \"a.csv\";\n"
                                                            "  g_table = load(path);\n"
                                                            "  EXPECT_EQ(g_table.size(), 3u);\n"));
  EXPECT_EQ(story.summary(Strategy::copy_setter),
            "Table.HasRows sets up by itself what Table.IsLoaded left");
}

TEST(CopySetterStrategy, ABlockWhereTheTestHasANameOfItsOwn) {
  Story story(
      "TEST(Log, Opens) {\n  Log& log = Log::get();\n  log.open = true;\n}\n"
      "TEST(Log, Writes) {\n  Log& log = Log::get();\n  EXPECT_TRUE(log.open);\n}\n");
  story.state("Log::get()::log");
  story.depends("Log.Writes", "Log.Opens", "Log::get()::log.open", CarrierKind::variable,
                Role::brittle);
  EXPECT_THAT(story.after(Strategy::copy_setter), HasSubstr("TEST(Log, Writes) {\n"
                                                            "  {\n"
                                                            "    Log& log = Log::get();\n"
                                                            "    log.open = true;\n"
                                                            "  }\n"
                                                            "  Log& log = Log::get();\n"));
}

TEST(CopySetterStrategy, KeepsTheCallOfACheckAndNotTheCheck) {
  Story story(
      "TEST(A, Sets) {\n  ASSERT_EQ(setenv(\"ZONE\", \"x\", 1), 0);\n}\n"
      "TEST(A, Needs) {\n  EXPECT_STREQ(getenv(\"ZONE\"), \"x\");\n}\n");
  story.depends("A.Needs", "A.Sets", "ZONE", CarrierKind::environment, Role::brittle);
  EXPECT_THAT(story.after(Strategy::copy_setter),
              HasSubstr("TEST(A, Needs) {\n  setenv(\"ZONE\", \"x\", 1);\n"));
}

TEST(CopySetterStrategy, ManyStatementsBecomeAFunction) {
  std::string text = "TEST(A, Sets) {\n";
  for (int i = 0; i < 6; ++i) text += "  g_table.push_back(" + std::to_string(i) + ");\n";
  Story story(text + "}\n\nTEST(A, Needs) {\n  EXPECT_EQ(g_table.size(), 6u);\n}\n");
  story.state("g_table");
  story.depends("A.Needs", "A.Sets", "g_table", CarrierKind::variable, Role::brittle);
  const std::string after = story.after(Strategy::copy_setter);
  EXPECT_THAT(after, HasSubstr("static void set_up_as_a_sets() {\n  g_table.push_back(0);\n"));
  EXPECT_THAT(after, HasSubstr("TEST(A, Needs) {\n  set_up_as_a_sets();\n"));
}

TEST(CopySetterStrategy, LeavesVictimsAlone) {
  Story story(kLevel);
  story.state("g_level");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(story.why_not(Strategy::copy_setter),
            "Log.IsQuiet does not need the state of another test");
}

TEST(CleanerStrategy, DoesWhatTheCleanerDoesWhenThePolluterEnds) {
  Story story(kLevel);
  story.state("g_level");
  story.depends("Log.IsQuiet", "Log.Loud", "g_level");
  EXPECT_EQ(story.why_not(Strategy::cleaner), "no test is known that cleans up");
  story.dependence.cleaners = {story.id("Log.Resets")};
  EXPECT_THAT(story.after(Strategy::cleaner),
              HasSubstr("TEST(Log, Loud) {\n"
                        "  gordian::AtExit clean_up([] { g_level = 1; });\n"
                        "  g_level = 3;\n"));
  EXPECT_EQ(story.summary(Strategy::cleaner), "cleans up as Log.Resets does when Log.Loud ends");
}

TEST(DeclareStrategy, SaysItWhereTheFrameworkCan) {
  Story story(
      "BOOST_AUTO_TEST_CASE(sets) { g_x = 1; }\n"
      "BOOST_AUTO_TEST_CASE(needs) { BOOST_TEST(g_x == 1); }\n",
      Framework::boost);
  story.depends("needs", "sets", "g_x", CarrierKind::variable, Role::brittle);
  EXPECT_THAT(story.after(Strategy::declare),
              HasSubstr("BOOST_AUTO_TEST_CASE(needs, *boost::unit_test::depends_on(\"sets\")) {"));
  Story other(kLevel);
  other.depends("Log.IsQuiet", "Log.Loud", "g_level", CarrierKind::variable, Role::brittle);
  EXPECT_THAT(other.why_not(Strategy::declare), Not(HasSubstr("nothing to offer")));
}

}  // namespace
}  // namespace gordian
