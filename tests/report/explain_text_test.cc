// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "tests/report/explain_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using K = OutcomeKind;

/// Sources as if they were on the disk.
const std::vector<std::string>& sources(const std::string& file) {
  static const std::vector<std::string> cart = {"void Cart::add(int n) {", "\tif (n == 0) return;",
                                                "\tg_total += n;  // \x1b[31m", "}"};
  static const std::vector<std::string> none;
  return file == "/src/cart.cc" ? cart : none;
}

std::string blocks(const ExplainFacts& facts, const Style& style = {}) {
  return explanation_blocks(facts, sources, style);
}

/// One of each kind.
ExplainFacts explained_all_kinds() {
  Carrier string = total_carrier();
  string.key = {CarrierKind::variable, "g_label"};
  string.type = "std::string";
  string.old_value = "\"\"";
  string.new_value = "\"" + std::string(120, 'x') + "\"";
  string.write =
      site_in("Cart.T2",
              {frame("__memcpy_avx_unaligned", "", 0, "libc.so.6"),
               frame("std::string::_M_replace(unsigned long)", "", 0, "libstdc++.so.6.0.30"),
               frame("rename(char const*)", "/src/label.cc", 8),
               frame("void std::__invoke_impl<void, void (*)()>(void (*)())",
                     "/usr/include/c++/12/bits/invoke.h", 61),
               frame("std::function<void ()>::operator()() const",
                     "/usr/include/c++/12/bits/std_function.h", 590),
               frame("Cart_T2_Test::TestBody()", "/src/cart_test.cc", 31)},
              2);
  string.write->times = 4;
  Dependence two = victim(8, {2, 9});
  return explained(
      {{victim(3, {1}), proved_by({total_carrier()})},
       {two, proved_by({string, plain_carrier(CarrierKind::environment, "LANG", {}, "de")})},
       {brittle(14, 7), proved_by({plain_carrier(CarrierKind::variable, "g_ready", "false")})},
       {self_dependent(12),
        proved_by({plain_carrier(CarrierKind::cwd, "the working directory", "/home/me", "/tmp")})},
       {victim(21, {1}, K::timeout), unproved({plain_carrier(CarrierKind::heap, "*g_cache", "{}")},
                                              "resetting it crashes the program")},
       {victim(22, {10}, K::crash), unproved({}, "no piece of state changed the result back")}});
}

TEST(ExplainText, AllKinds) {
  expect_golden("explain_all_kinds.txt", blocks(explained_all_kinds()));
}

TEST(ExplainText, OnATerminalNoLineIsWiderThanItButCommands) {
  ExplainFacts facts = explained_all_kinds();
  std::vector<gordian::Test> tests = facts.suite.tests();
  for (gordian::Test& test : tests) test.suite = "Checkout/" + std::string(70, 'x');
  facts.suite = Suite(Framework::gtest, "1.12.1", tests);
  Style style;
  style.unicode = true;
  for (int width : {60, 80, 120}) {
    style.width = width;
    std::string text = blocks(facts, style);
    for (std::string_view line : split_lines(text)) {
      if (has(std::string(line), "gordian ")) continue;
      EXPECT_LT(display_width(line), width) << line;
    }
  }
  style.width = 80;
  expect_golden("explain_tty.txt", blocks(facts, style));
}

TEST(ExplainText, ValuesAreCutOnATerminalOnly) {
  Carrier carrier = total_carrier();
  carrier.new_value = std::string(300, '7');
  ExplainFacts facts = explained({{victim(3, {1}), proved_by({carrier})}});
  EXPECT_TRUE(has(blocks(facts), "0 -> " + std::string(300, '7') + "\n"));
  Style style;
  style.width = 60;
  EXPECT_TRUE(has(blocks(facts, style), "            0 -> 777"));
  EXPECT_TRUE(has(blocks(facts, style), "777...\n"));
}

TEST(ExplainText, DependencesOfOneCarrierStandTogetherUnderOneHeader) {
  Explanation shared = proved_by({total_carrier()});
  Explanation other = proved_by({plain_carrier(CarrierKind::umask, "umask", "022", "077")});
  std::string text = blocks(explained({{victim(9, {8}), other},
                                       {victim(2, {1}), shared},
                                       {victim(3, {1}), shared},
                                       {brittle(4, 1), shared}}));
  EXPECT_EQ(text.find("2 victims and 1 brittle test, 1 variable: g_total\n\nD2  Cart.T2"), 0U)
      << text;
  EXPECT_GT(text.find("D1  Cart.T9"), text.find("D4  Cart.T4"));
}

TEST(ExplainText, SuspicionsMakeNoGroup) {
  Explanation suspect = unproved({total_carrier()}, "because");
  std::string text = blocks(explained({{victim(2, {1}), suspect}, {victim(3, {1}), suspect}}));
  EXPECT_FALSE(has(text, "2 victims")) << text;
  EXPECT_TRUE(has(text, "  suspect   g_total  (int, /src/cart.cc:12)   suspected\n")) << text;
  EXPECT_TRUE(has(text, "  proof     suspected, not proved: because")) << text;
  EXPECT_FALSE(has(text, "   proved\n")) << text;
}

TEST(ExplainText, TheProofSaysWhatTheRoleMeans) {
  Explanation e = proved_by({total_carrier()});
  EXPECT_TRUE(has(blocks(explained({{victim(3, {1}), e}})),
                  "with g_total reset to 0 after Cart.T1 the test passes "
                  "(3 runs, always the same)\n"));
  EXPECT_TRUE(has(blocks(explained({{brittle(3, 1), e}})),
                  "with g_total reset to 0 after Cart.T1 the test fails as alone"));
  EXPECT_TRUE(has(blocks(explained({{self_dependent(3), e}})),
                  "with g_total reset to 0 between its two runs the test passes"));
  EXPECT_TRUE(has(blocks(explained({{victim(3, {1, 2}), e}})), "after these 2 tests the test"));
}

TEST(ExplainText, WhatRanBeforeTheWitnessIsSaid) {
  ExplainFacts facts = explained({{victim(3, {1}), proved_by({total_carrier()})}});
  EXPECT_FALSE(has(blocks(facts), "seen in"));
  facts.explained[0].explanation->behind = {"Cart.T3"};
  EXPECT_TRUE(has(blocks(facts),
                  "  seen in   Cart.T3, Cart.T1, Cart.T3   "
                  "(Cart.T3 first, so that the carrier is there before)\n"
                  "  carrier   g_total"))
      << blocks(facts);
}

TEST(ExplainText, AResultThatIsOnlyAloneIsMarked) {
  std::string text = blocks(explained({{brittle(3, 1), proved_by({total_carrier()})}}));
  EXPECT_TRUE(has(text, "  expected  pass\n  observed  FAIL  cart_test.cc:42")) << text;
  EXPECT_TRUE(has(text, "  (alone)\n")) << text;
  EXPECT_FALSE(has(blocks(explained({{victim(3, {1}), proved_by({})}})), "(alone)"));
}

TEST(ExplainText, DebuggerStopsWhereSomethingIsKnown) {
  Carrier carrier = total_carrier();
  ExplainFacts facts = explained({{victim(3, {1}), proved_by({carrier})}});
  EXPECT_TRUE(has(blocks(facts), "  debug     gordian replay D1 --debugger gdb --at read\n"));
  facts.explained[0].explanation->carriers[0].read.reset();
  EXPECT_TRUE(has(blocks(facts), "--at write\n"));
  facts.explained[0].explanation->carriers[0].write.reset();
  EXPECT_TRUE(has(blocks(facts), "--at failure\n"));
  facts.explained[0].witnessed = result(K::skip);
  EXPECT_FALSE(has(blocks(facts), "--debugger"));
  facts.db = "my db";
  EXPECT_TRUE(has(blocks(facts), "  replay    gordian replay D1 --db 'my db'\n"));
  facts.db = "";
  EXPECT_FALSE(has(blocks(facts), "replay"));
}

TEST(ExplainText, WhatIsShownAgainSaysSo) {
  ExplainFacts facts = explained({{victim(3, {1}), proved_by({total_carrier()})}});
  EXPECT_FALSE(has(blocks(facts), "--again"));
  facts.explained[0].explanation->age = std::chrono::seconds(125);
  EXPECT_TRUE(
      has(blocks(facts), "  note      explained 2 minutes ago; --again explains it anew\n"));
}

TEST(ExplainText, WithoutSourcesThereIsNoExcerpt) {
  ExplainFacts facts = explained({{victim(3, {1}), proved_by({total_carrier()})}});
  EXPECT_TRUE(has(blocks(facts), "            > 3 |     g_total += n;  // \\x1b[31m\n"));
  facts.explained[0].explanation->carriers[0].write->stack[0].line = 5;  // not in the file
  EXPECT_FALSE(has(blocks(facts), "g_total += n"));
}

TEST(ExplainText, AnUnknownPlaceIsSaid) {
  Carrier carrier = total_carrier();
  carrier.write->stack.clear();
  carrier.read->stack = {frame("", "", 0, "")};
  std::string text = blocks(explained({{victim(3, {1}), proved_by({carrier})}}));
  EXPECT_TRUE(has(text, "  written   at an unknown place  by Cart.T1\n")) << text;
  EXPECT_TRUE(has(text, "  read      0x401000  by Cart.T3\n")) << text;
}

TEST(ExplainText, StateWithoutAValueHasNoLineForIt) {
  Carrier carrier = plain_carrier(CarrierKind::thread, "a thread of Cart.T1");
  std::string text = blocks(explained({{victim(3, {1}), proved_by({carrier})}}));
  EXPECT_TRUE(has(text, "  carrier   a thread of Cart.T1   proved\n  proof     with")) << text;
}

TEST(ExplainText, HostileTextReachesNoTerminal) {
  Carrier carrier = total_carrier();
  carrier.type = carrier.file = "n\x1b[2J";
  carrier.key = {CarrierKind::variable, carrier.type};
  carrier.old_value = "a\nb\x1b";
  carrier.new_value = "\xff\u202e";
  for (std::optional<Site>* site : {&carrier.write, &carrier.read}) {
    (*site)->test = "t\x1b";
    for (StackFrame& f : (*site)->stack) f.function = f.file = f.module = "f\x1b\r";
  }
  Explanation e = unproved({carrier}, "why\x1b\n");
  for (int width : {0, 50}) {
    Style style;
    style.width = width;
    std::string text = blocks(explained({{victim(3, {1}), e}}), style);
    EXPECT_EQ(text.find_first_of("\x1b\r\xff"), std::string::npos) << text;
    EXPECT_FALSE(has(text, "\u202e")) << text;
  }
}

TEST(ExplainVerdict, CountsEachKind) {
  std::vector<ExplainFacts> binaries = {explained_all_kinds(), explained({})};
  EXPECT_EQ(explain_verdict(binaries, {}),
            "Next: gordian fix D1 makes a patch and verifies it, in a copy of the project.\n"
            "6 dependences: 4 explained with proof, 1 suspected, 1 not explained.\n");
}

TEST(ExplainVerdict, OffersNoRepairWhereThereIsNone) {
  ExplainFacts nowhere = explained_all_kinds();
  nowhere.db.clear();
  ExplainFacts processes = explained_all_kinds();
  processes.suite = Suite(&kProcessRuntime, Framework::ctest, "", processes.suite.tests());
  for (const ExplainFacts& facts : {nowhere, processes}) {
    EXPECT_FALSE(has(explain_verdict(std::vector{facts}, {}), "Next:"));
  }
}

}  // namespace
}  // namespace gordian
