// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/flow_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

Suite three_tests() {
  return Suite(Framework::gtest, "1.12.1",
               {{"S", "A", "", 0, "", "", false, true},
                {"S", "B", "", 0, "", "", false, true},
                {"S", "C", "", 0, "", "", false, true}});
}

FlowFacts triangle() {
  FlowFacts facts;
  facts.flow.order = {TestId{0}, TestId{1}, TestId{2}};
  facts.flow.states = {{{CarrierKind::variable, "g_x"}, "int", "a.cc", 3},
                       {{CarrierKind::environment, "LA\"NG"}, "", "", 0}};
  facts.flow.tests = {{TestId{0}, {}, {StateId{0}}, ""},
                      {TestId{1}, {StateId{0}}, {StateId{1}}, ""},
                      {TestId{2}, {StateId{0}, StateId{1}}, {}, "it crashed"}};
  facts.flow.dependences = {{TestId{1}, TestId{0}, {StateId{0}}, {}, {}},
                            {TestId{2}, TestId{0}, {StateId{0}}, {}, {}},
                            {TestId{2}, TestId{1}, {StateId{1}}, {}, {}}};
  facts.flow.misses = {"what other processes do"};
  facts.flow.passes = 2;
  facts.flow.seconds = 1.5;
  facts.tested = {{FlowVerdict::not_manifest, "", {}, {}},
                  {FlowVerdict::untestable, "no way", {}, {}},
                  {FlowVerdict::manifest, "", TestId{2}, {TestId{0}, TestId{2}}}};
  facts.components = 1;
  facts.schedules = 2;
  facts.tests_run = 5;
  facts.refined_seconds = 0.25;
  facts.ignored = {{{CarrierKind::variable, "cache.n"}, "cache", 2, 1, 1}};
  facts.ignored_dependences = 1;
  return facts;
}

TEST(FlowStatistics, TellWhatWasDoneAndWhatWasNot) {
  EXPECT_EQ(flow_statistics(triangle(), Style{}),
            "Data flow of the default order (watch, 2 passes in 1.50 s):\n"
            "  tests             3\n"
            "  data dependences  3 in 1 group\n"
            "  manifest          1\n"
            "  others            1 not manifest, 1 untestable\n"
            "  executions        5 tests of at most 9 (2 orders in 250 ms)\n"
            "  ignored cache.n (cache): 2 tests read, 1 wrote it, 1 dependence\n"
            "  ignored           1 data dependence\n"
            "  limit: what other processes do\n");
}

TEST(FlowStatistics, LimitsOfManyStatesAreOneLine) {
  FlowFacts facts;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    facts.flow.misses.push_back(std::string("not every word of ") + name +
                                " was watched: the passes were used up");
    facts.flow.misses.push_back(std::string(name) + " is too large to be watched as a whole");
  }
  facts.flow.misses.push_back("who notices the locale is not seen");
  const std::string text = flow_statistics(facts, Style{});
  EXPECT_THAT(text,
              testing::EndsWith(
                  "  limit: not every word of a, b, c and 2 more was watched: the passes were "
                  "used up\n"
                  "  limit: a, b, c and 2 more are too large to be watched as a whole\n"
                  "  limit: who notices the locale is not seen\n"));
}

TEST(FlowLines, ManifestOnesComeFirst) {
  EXPECT_EQ(flow_lines(triangle(), three_tests(), Style{}, 0),
            "  S.C reads from S.B: LA\"NG (manifest)\n"
            "  S.C reads from S.A: g_x (untestable: no way)\n"
            "  S.B reads from S.A: g_x (not manifest)\n");
  EXPECT_EQ(flow_lines(triangle(), three_tests(), Style{}, 1),
            "  S.C reads from S.B: LA\"NG (manifest)\n"
            "  and 2 more\n");
}

TEST(FlowDot, LooksTellTheVerdict) {
  const std::string dot = flow_to_dot({triangle()}, three_tests());
  EXPECT_NE(dot.find("\"S.C\" -> \"S.B\" [label=\"LA\\\"NG\", color=red, penwidth=2];"),
            std::string::npos)
      << dot;
  EXPECT_NE(dot.find("\"S.B\" -> \"S.A\" [label=\"g_x\", style=dashed, color=gray];"),
            std::string::npos);
  EXPECT_TRUE(dot.ends_with("}\n"));
}

TEST(FlowJson, HasAllOfIt) {
  const nlohmann::json json = flow_to_json(triangle(), three_tests());
  EXPECT_EQ(json["manifest"], 1);
  EXPECT_EQ(json["tests_run_at_most"], 9);
  EXPECT_EQ(json["dependences"][2]["verdict"], "manifest");
  EXPECT_EQ(json["dependences"][2]["changed"], "S.C");
  EXPECT_EQ(json["dependences"][2]["schedule"], (std::vector<std::string>{"S.A", "S.C"}));
  EXPECT_EQ(json["dependences"][1]["why"], "no way");
  EXPECT_TRUE(json["dependences"][1]["schedule"].is_null());
  EXPECT_EQ(json["tests"][2]["unsure"], "it crashed");
  EXPECT_EQ(json["states"][1]["kind"], "env");
  EXPECT_EQ(json["ignored"][0]["rule"], "cache");
}

TEST(PruningSentence, TellsTheShareAndWhetherItIsProved) {
  PruningFacts pruning;
  pruning.needless = 75;
  pruning.needed = 25;
  pruning.passes = 1;
  pruning.seconds = 2;
  pruning.sound = true;
  EXPECT_EQ(pruning_sentence(pruning),
            "75 of 100 orders (75 %) were left out by what tests read and write (watch, 1 pass in "
            "2.00 s).");
  pruning.sound = false;
  pruning.misses = {"other processes"};
  EXPECT_NE(pruning_sentence(pruning).find("that is no proof"), std::string::npos);
  pruning.no_reason = "no way";
  EXPECT_EQ(pruning_sentence(pruning),
            "No order was left out by what tests read and write: no way.");
}

TEST(GraphText, NamesTheNextStepWhileSomethingIsUntested) {
  GraphFacts facts;
  facts.target.binary = "/b/t";
  facts.suite = three_tests();
  facts.flows = {triangle()};
  EXPECT_EQ(graph_text(facts, Style{}, false).find("Next:"), std::string::npos);
  facts.flows[0].tested[0] = {};
  EXPECT_NE(graph_text(facts, Style{}, false).find("gordian detect --algorithm dataflow /b/t"),
            std::string::npos);
}

}  // namespace
}  // namespace gordian
