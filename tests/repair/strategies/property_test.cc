// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const char* const kLog =
    "TEST(Log, IsQuiet) { EXPECT_EQ(app::level(), 1); }\n"
    "TEST(Log, Loud) {\n"
    "  app::set_level(3);\n"
    "}\n";

/// A singleton that nobody can copy, with two values that can be set.
void add_log(Story& story, const std::string& carrier) {
  StateFact& state = story.state("app::Log::get()::log");
  state.kind = StateKind::local_static;
  state.expression = "";
  state.type = "app::Log";
  state.copyable = Known::no;
  story.facts().properties = {
      {state.name, "::app::sink()", "::app::set_sink", "std::string", Access::open, "/p/l.h", true},
      {state.name, "::app::level()", "::app::set_level", "int", Access::open, "/p/l.h", true}};
  story.depends("Log.IsQuiet", "Log.Loud", carrier);
}

TEST(PropertyStrategy, GivesTheOldValueBack) {
  Story story(kLog);
  add_log(story, "app::Log::get()::log.level_");
  EXPECT_THAT(
      story.after(Strategy::property),
      HasSubstr("TEST(Log, Loud) {\n"
                "  gordian::ScopedSetter<int> restore_level(app::level(), app::set_level);\n"
                "  app::set_level(3);\n"));
  EXPECT_EQ(story.summary(Strategy::property),
            "gives app::level() back to app::set_level() when Log.Loud ends");
  EXPECT_THAT(story.ask(Strategy::property).ladder, SizeIs(1)) << "the sink did not change";
}

TEST(PropertyStrategy, TriesEachPairIfTheMemberIsNotKnown) {
  Story story(kLog);
  add_log(story, "app::Log::get()::log");
  EXPECT_THAT(story.ask(Strategy::property).ladder, SizeIs(2));
}

TEST(PropertyStrategy, CallsWhatHasMoreThanOneMeaningInALambda) {
  Story story(kLog);
  add_log(story, "app::Log::get()::log.level_");
  story.facts().properties[1].unmistakable = false;
  EXPECT_THAT(story.after(Strategy::property), HasSubstr("[](int old) { app::set_level(old); });"));
}

TEST(PropertyStrategy, LeavesWhatIsPrivateOrOfAnotherNameAlone) {
  Story story(kLog);
  add_log(story, "app::Log::get()::log.count_");
  EXPECT_EQ(story.why_not(Strategy::property),
            "the code has no getter and setter for app::Log::get()::log.count_");
  story.explanation.carriers[0].key = {CarrierKind::variable, "app::Log::get()::log.level_"};
  story.facts().properties[1].access = Access::closed;
  EXPECT_NE(story.why_not(Strategy::property), "");
}

TEST(PropertyStrategy, ComesAfterACopyOfTheWhole) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) { set_x(3); }\n");
  story.state("g_x");
  story.facts().properties = {{"g_x", "::x()", "::set_x", "int", Access::open, "", true}};
  story.depends("A.Reads", "A.Writes", "g_x");
  const auto ladder = story.ask_all().ladder;
  ASSERT_GE(ladder.size(), 2u);
  EXPECT_EQ(ladder[0].strategy, Strategy::restore);
  EXPECT_EQ(ladder[1].strategy, Strategy::property);
}

TEST(ResetStrategy, StandsBehindGuardsThatAreThere) {
  Story story(
      "TEST(Log, IsQuiet) {}\n"
      "TEST(Log, Loud) {\n"
      "  gordian::ScopedSetter<int> restore_level(app::level(), [](int l) { app::set(l); });\n"
      "  app::set_level(3);\n"
      "}\n");
  StateFact& state = story.state("g_log");
  story.facts().resets = {{state.name, "::reset_log()", Access::open, "/p/l.h", false}};
  story.depends("Log.IsQuiet", "Log.Loud", "g_log");
  EXPECT_THAT(story.after(Strategy::own_reset),
              HasSubstr("app::set(l); });\n"
                        "  gordian::AtExit reset_log([] { reset_log(); });\n"
                        "  app::set_level(3);\n"));
}

}  // namespace
}  // namespace gordian
