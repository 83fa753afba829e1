// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/debugging.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using TestNames = std::vector<std::string>;

Site site(std::string test, std::string file, int line) {
  Site made;
  made.test = std::move(test);
  made.stack = {{"memcpy", "", 0, "libc.so.6", 0}, {"f()", std::move(file), line, "a", 0}};
  made.shown = 1;
  return made;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(StopAtSite, IsTheFrameOfTheProgramInTheRightTest) {
  Carrier carrier;
  carrier.write = site("S.A", "/s/a.cc", 7);
  carrier.read = site("S.B", "/s/b.cc", 9);
  const TestNames order = {"S.A", "S.C", "S.B"};
  auto write = stop_at_site(carrier, StopAt::write, order);
  ASSERT_TRUE(write);
  EXPECT_EQ(write->file, "/s/a.cc");
  EXPECT_EQ(write->line, 7);
  EXPECT_EQ(write->position, 0U);
  auto read = stop_at_site(carrier, StopAt::read, order);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->line, 9);
  EXPECT_EQ(read->position, 2U);
}

TEST(StopAtSite, ASelfDependentTestWritesInItsFirstRunAndReadsInItsSecond) {
  Carrier carrier;
  carrier.write = carrier.read = site("S.A", "/s/a.cc", 7);
  EXPECT_EQ(stop_at_site(carrier, StopAt::write, {"S.A", "S.A"})->position, 0U);
  EXPECT_EQ(stop_at_site(carrier, StopAt::read, {"S.A", "S.A"})->position, 1U);
}

TEST(StopAtSite, WithoutALineThereIsNone) {
  Carrier carrier;
  EXPECT_FALSE(stop_at_site(carrier, StopAt::read, {"S.A"}));
  carrier.read = site("S.A", "", 0);
  EXPECT_FALSE(stop_at_site(carrier, StopAt::read, {"S.A"}));
  carrier.read = site("S.A", "/s/a.cc", 7);
  carrier.read->shown = 5;
  EXPECT_FALSE(stop_at_site(carrier, StopAt::read, {"S.A"}));
}

TEST(GdbScript, StopsInTheTestThatItIsAbout) {
  GdbStop stop;
  stop.at = StopAt::read;
  stop.file = "/s/my \"dir\"/a.cc";
  stop.line = 22;
  stop.position = 1;
  stop.what = "reads C:\\new\nline";
  EXPECT_EQ(gdb_exact_break(stop, 0x7f00),
            "break -source \"/s/my \\\"dir\\\"/a.cc\" -line 22 if *(unsigned int *) 0x7f00 == 1");
  EXPECT_EQ(gdb_script(stop, 0x7f00),
            "set pagination off\n"
            "if $_isvoid($bpnum)\n"
            "  break -source \"a.cc\" -line 22 if *(unsigned int *) 0x7f00 == 1\n"
            "end\n"
            "echo reads C:\\\\new\\\\nline\\n\n"
            "continue\n"
            "set pagination on\n");
}

TEST(GdbScript, PassesOverEarlierHits) {
  GdbStop stop;
  stop.at = StopAt::write;
  stop.file = "a.cc";
  stop.line = 3;
  stop.skip = 4;
  EXPECT_TRUE(has(gdb_script(stop, 1), "-line 3\nend\nignore $bpnum 4\ncontinue\n"));
}

TEST(GdbScript, AFailureIsWhatTheOutcomeWasLike) {
  GdbStop stop;
  stop.position = 3;
  EXPECT_TRUE(has(gdb_script(stop, 16),
                  "break testing::UnitTest::AddTestPartResult if *(unsigned int *) 0x10 == 3"));
  stop.outcome = OutcomeKind::exit;
  EXPECT_TRUE(has(gdb_script(stop, 16),
                  "catch syscall exit_group\ncondition $bpnum *(unsigned int *) 0x10 == 3\n"));
  stop.outcome = OutcomeKind::crash;
  EXPECT_FALSE(has(gdb_script(stop, 16), "break "));
  EXPECT_FALSE(has(gdb_script(stop, 16), "catch "));
  EXPECT_EQ(gdb_exact_break(stop, 16), "");
}

TEST(GdbScript, CountingNeverStops) {
  GdbStop stop;
  stop.at = StopAt::write;
  stop.file = "a.cc";
  stop.line = 3;
  const std::string script = gdb_counting_script(stop, 1);
  EXPECT_TRUE(has(script, "ignore $bpnum 2000000000\ncontinue\ninfo breakpoints\n"));
}

TEST(ParseGdbHits, FindsTheCount) {
  EXPECT_EQ(parse_gdb_hits("1 breakpoint keep y <MULTIPLE>\n\tbreakpoint already hit 12 times\n"),
            12U);
  EXPECT_EQ(parse_gdb_hits("\tbreakpoint already hit 1 time\n"), 1U);
  EXPECT_EQ(parse_gdb_hits("No breakpoints or watchpoints.\n"), 0U);
  EXPECT_EQ(parse_gdb_hits("breakpoint already hit "), 0U);
}

}  // namespace
}  // namespace gordian
