// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/current_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repair/commit_text.h"

namespace gordian {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Suite suite_of(const std::vector<std::string>& names) {
  std::vector<Test> tests;
  for (const std::string& name : names) {
    Test test;
    test.suite = "S";
    test.name = name;
    test.file = name + ".cc";
    tests.push_back(test);
  }
  return {Framework::gtest, "1", tests};
}

TEST(CurrentState, DependencesFollowTheirTestsByName) {
  const Suite from = suite_of({"A", "B", "C"}), to = suite_of({"X", "B", "A"});
  Dependence d;
  d.test = TestId{0};
  d.by = {TestId{1}};
  d.witness = {TestId{1}, TestId{0}};
  d.singles = {TestId{1}, TestId{2}};
  const auto now = in_suite(d, from, to);
  ASSERT_TRUE(now);
  EXPECT_EQ(now->test, TestId{2});
  EXPECT_THAT(now->witness, ElementsAre(TestId{1}, TestId{2}));
  EXPECT_THAT(now->singles, ElementsAre(TestId{1}));
  d.by = {TestId{2}};
  EXPECT_FALSE(in_suite(d, from, to));
}

TEST(CurrentState, PlacesMoveWithTheirLines) {
  Explanation explanation;
  Carrier& carrier = explanation.carriers.emplace_back();
  carrier.file = "/a.cc";
  carrier.line = 1;
  carrier.write.emplace().stack = {{"f", "/a.cc", 3, "m", 0}, {"g", "/b.cc", 3, "m", 0}};
  const auto moved = with_moved_lines(
      explanation, {{"/a.cc", {"one\ntwo\nthree\n", "one\nnew\nnew\ntwo\nthree\n"}}});
  EXPECT_EQ(moved.carriers[0].line, 1);
  EXPECT_EQ(moved.carriers[0].write->stack[0].line, 5);
  EXPECT_EQ(moved.carriers[0].write->stack[1].line, 3);
}

TEST(CurrentState, OneChangeOnTopOfAnotherKeepsTheFirstBegin) {
  const ChangedFiles both =
      combined({{"/a", {"1", "2"}}}, {{"/a", {"2", "3"}}, {"/b", {"x", "y"}}});
  EXPECT_EQ(both.at("/a").before, "1");
  EXPECT_EQ(both.at("/a").after, "3");
  EXPECT_EQ(both.at("/b").after, "y");
}

TEST(CurrentState, FilesConcernedLieBelowTheRoot) {
  Dependence d;
  d.witness = {TestId{1}, TestId{0}};
  Explanation explanation;
  explanation.carriers.emplace_back().file = "/usr/include/x.h";
  explanation.carriers.emplace_back().file = "/root/lib/state.cc";
  EXPECT_THAT(files_concerned(suite_of({"A", "B"}), d, explanation, "/root", {"/root", "/root/t"},
                              [](const std::string& file) { return file != "/root/B.cc"; }),
              ElementsAre("/root/A.cc", "/root/lib/state.cc", "/root/t/B.cc"));
}

TEST(CommitText, IsImperativeAndSaysWhy) {
  Patch patch;
  patch.summary = "copies what Set.Up writes into Use.It";
  patch.reason = "Set.Up is the only one that writes it";
  const std::string text = commit_message(patch, {"Use.It", "Set.Up", "app::level", true});
  EXPECT_THAT(text,
              ::testing::StartsWith("Copy what Set.Up writes into Use.It\n\nUse.It only passed"));
  EXPECT_THAT(text, HasSubstr("Set.Up is the only one that writes it."));
  EXPECT_EQ(imperative("passes x"), "Pass x");
  EXPECT_EQ(imperative("resets x"), "Reset x");
  EXPECT_EQ(imperative("puts x back"), "Put x back");
  EXPECT_EQ(imperative("Mail.Sends sets up x"), "Mail.Sends sets up x");
}

TEST(CommitText, ALongSummaryGivesWayToAShortSubject) {
  Patch patch;
  patch.summary = "puts " + std::string(80, 'x') + " back";
  EXPECT_THAT(commit_message(patch, {"A.B", "C.D", "", false}),
              AllOf(::testing::StartsWith("Make A.B independent of other tests\n\n"),
                    HasSubstr("The patch puts\n" + std::string(80, 'x') + "\nback.")));
  patch.summary = "A.B sets up " + std::string(80, 'x');
  EXPECT_THAT(commit_message(patch, {"A.B", "C.D", "", false}), HasSubstr(" A.B sets up\nxxx"));
}

}  // namespace
}  // namespace gordian
