// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/repair/fake_workspace.h"

namespace gordian {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const char* const kSuite =
    "TEST(Config, IsQuiet) {\n"
    "  EXPECT_EQ(level, 1);\n"
    "}\n"
    "TEST(Config, IsCalm) {\n"
    "  EXPECT_EQ(level, 1);\n"
    "  EXPECT_EQ(calm, 1);\n"
    "}\n"
    "TEST(Config, Loud) {\n"
    "  level = 3;\n"
    "  EXPECT_EQ(level, 3);\n"
    "}\n";

class Quiet : public RepairListener {
 public:
  void step(const Dependence&, std::string_view what) override { steps.emplace_back(what); }
  void attempted(const Dependence& d, const RepairAttempt& attempt) override {
    attempts.push_back(to_string(d.id) + " " + std::string(to_string(attempt.verdict)));
  }
  void repaired(const Dependence& d, const Repair&) override { ended.push_back(to_string(d.id)); }
  void phase(std::string_view what) override { phases.emplace_back(what); }
  void checking(std::string_view check) override { checks.emplace_back(check); }
  std::vector<std::string> steps, attempts, ended, phases, checks;
};

/// A line in front of another one, wherever it stands in the file now.
Proposal insertion(const RepairTask& task, const std::string& file, const std::string& before,
                   const std::string& line, Strategy strategy = Strategy::restore) {
  Proposal proposal;
  proposal.strategy = strategy;
  proposal.summary = "puts " + line + " there";
  const std::size_t at = task.source.content(file)->find(before);
  if (at != std::string::npos) proposal.change.edits.push_back({file, at, 0, line + "\n"});
  return proposal;
}

Proposal removal(const RepairTask& task, const std::string& file, const std::string& text) {
  Proposal proposal;
  proposal.summary = "removes a check";
  proposal.change.edits.push_back({file, task.source.content(file)->find(text), text.size(), ""});
  return proposal;
}

class RepairTest : public ::testing::Test {
 protected:
  void open(const std::string& text) { workspace_ = std::make_unique<FakeWorkspace>(text); }

  Dependence& add(const std::string& by, const std::string& test, Role role = Role::victim) {
    const Suite suite = *workspace_->suite();
    Dependence d;
    d.id = DependenceId{static_cast<int>(given_.size()) + 1};
    d.test = *suite.find(test);
    d.role = role;
    d.by = {*suite.find(by)};
    d.witness = {d.by.front(), d.test};
    (role == Role::brittle ? d.witnessed : d.alone).kind = OutcomeKind::pass;
    (role == Role::brittle ? d.alone : d.witnessed).kind = OutcomeKind::fail;
    d.explanation.emplace().carriers.emplace_back().key = {CarrierKind::variable, "level"};
    given_.push_back(std::move(d));
    return given_.back();
  }

  RepairResult run(const std::function<Proposals(const RepairTask&)>& propose) {
    ladder_.propose = propose;
    const FactsOf facts = [](const std::vector<std::string>&) { return SourceFacts{}; };
    auto result =
        repair(*workspace_->suite(), given_, *workspace_, facts, options_, listener_, ladder_);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(*result) : RepairResult{};
  }

  /// What the last test of an order does.
  Outcome seen(const std::vector<std::string>& order) {
    const std::vector<std::vector<std::string>> orders = {order};
    return workspace_->run(orders)->front().runs.back().outcome;
  }

  const std::string& file() const { return workspace_->file(); }
  static RepairOptions small() {
    RepairOptions options;
    options.random_orders = 6;
    options.confirmations = 2;
    return options;
  }

  std::unique_ptr<FakeWorkspace> workspace_;
  std::vector<Dependence> given_;
  RepairLadder ladder_;
  RepairOptions options_ = small();
  Quiet listener_;
};

TEST_F(RepairTest, TakesTheFirstPatchThatIsVerified) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  const RepairResult result = run([&](const RepairTask& task) {
    Proposals p;
    p.ladder = {insertion(task, file(), "  level = 3;", "  ??"),
                insertion(task, file(), "  level = 3;", "  count = 1;"),
                insertion(task, file(), "  level = 3;", "  Guard guard(level);"),
                insertion(task, file(), "  level = 3;", "  Guard another(level);")};
    p.inapplicable = {{Strategy::own_reset, "there is none"}};
    return p;
  });
  ASSERT_EQ(result.repairs.size(), 1u);
  const Repair& repair = result.repairs.front();
  ASSERT_EQ(repair.attempts.size(), 3u);
  EXPECT_EQ(repair.attempts[0].verdict, RepairVerdict::not_built);
  EXPECT_EQ(repair.attempts[1].verdict, RepairVerdict::rejected);
  EXPECT_EQ(repair.attempts[2].verdict, RepairVerdict::verified);
  EXPECT_EQ(repair.accepted, 2u);
  EXPECT_EQ(repair.inapplicable.size(), 1u);
  EXPECT_THAT(result.diff, HasSubstr("+  Guard guard(level);"));
  EXPECT_THAT(result.diff, HasSubstr("--- a/suite_test.cc"));
  EXPECT_GT(result.failing_before, 0);
  EXPECT_EQ(result.failing_after, 0);
  EXPECT_THAT(result.commit_message, StartsWith("Put   Guard guard(level); there\n\n"));
  EXPECT_THAT(result.checks, Not(IsEmpty()));
  EXPECT_THAT(listener_.ended, ElementsAre("D1"));
}

/// Reads passes behind Sets; alone it fails at its first check, behind Init at its second.
const char* const kTwoFailures =
    "TEST(A, Init) {\n  ready = 2;\n}\n"
    "TEST(B, Sets) {\n  ready = 2;\n  made = 2;\n}\n"
    "TEST(C, Reads) {\n  EXPECT_EQ(ready, 2);\n  EXPECT_EQ(made, 2);\n}\n";

TEST_F(RepairTest, AWrongRoleMakesNoPassingTestFail) {
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    open(kTwoFailures);
    given_.clear();
    Dependence& d = add("A.Init", "C.Reads", role);
    d.alone = seen({"C.Reads"});
    d.witnessed = seen({"A.Init", "C.Reads"});
    d.expected = seen({"A.Init", "B.Sets", "C.Reads"});
    ASSERT_EQ(d.expected.kind, OutcomeKind::pass);
    ASSERT_FALSE(same_result(d.alone, d.witnessed));
    const RepairResult result = run([&](const RepairTask& task) {
      Proposals p;
      p.ladder = {insertion(task, file(), "  EXPECT_EQ(ready, 2);", "  ready = 1;")};
      return p;
    });
    ASSERT_EQ(result.repairs.size(), 1u);
    EXPECT_FALSE(result.repairs[0].accepted);
    EXPECT_EQ(result.diff, "");
  }
}

TEST_F(RepairTest, AWrongRoleDoesNotHideTheRightPatch) {
  open(kTwoFailures);
  Dependence& d = add("A.Init", "C.Reads", Role::victim);
  d.alone.kind = d.witnessed.kind = OutcomeKind::fail;
  d.expected.kind = OutcomeKind::pass;
  const RepairResult result = run([&](const RepairTask& task) {
    Proposals p;
    p.ladder = {insertion(task, file(), "  EXPECT_EQ(ready, 2);", "  ready = 2;\n  made = 2;")};
    return p;
  });
  ASSERT_EQ(result.repairs.size(), 1u);
  EXPECT_TRUE(result.repairs[0].accepted);
}

TEST_F(RepairTest, WhatPassesNowhereIsNotRepaired) {
  open(kTwoFailures);
  Dependence& d = add("A.Init", "C.Reads");
  d.alone.kind = d.witnessed.kind = d.expected.kind = OutcomeKind::fail;
  const RepairResult result = run([](const RepairTask&) { return Proposals{}; });
  ASSERT_EQ(result.repairs.size(), 1u);
  EXPECT_THAT(result.repairs[0].why_not, HasSubstr("passes in no order"));
}

TEST_F(RepairTest, TellsWhatItDoes) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  run([&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  });
  EXPECT_THAT(listener_.phases,
              ElementsAre("building the project as it is",
                          "running the tests as they are, in the default order and in random ones",
                          "checking all patches together"));
  ASSERT_GE(listener_.checks.size(), 8u);
  listener_.checks.resize(8);
  EXPECT_THAT(listener_.checks, ElementsAre("checks kept", "build", "tests kept", "witness",
                                            "alone", "reversed", "default order", "random orders"));
}

TEST_F(RepairTest, GoesOnFromPatchesThatWereAcceptedBefore) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  const std::string text = workspace_->text();
  const std::string calm = "TEST(Config, IsCalm) {\n";
  std::string with_base = text;
  with_base.insert(text.find(calm) + calm.size(), "  Guard early(calm);\n");
  options_.base[file()] = {text, with_base};
  const RepairResult result = run([&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  });
  EXPECT_EQ(workspace_->builds.front().at(file()).after, with_base);
  EXPECT_THAT(result.diff, HasSubstr("+  Guard early(calm);"));
  EXPECT_THAT(result.diff, HasSubstr("+  Guard guard(level);"));
  ASSERT_TRUE(result.repairs.front().accepted.has_value());
  const Patch& own = result.repairs.front().attempts[*result.repairs.front().accepted].patch;
  EXPECT_THAT(own.diff, Not(HasSubstr("early")));
  EXPECT_EQ(own.added, 1);
}

TEST_F(RepairTest, NeverTouchesTheUsersFile) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  run([&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  });
  EXPECT_EQ(workspace_->text(), kSuite);
}

TEST_F(RepairTest, WhatHarmsIsNeverAccepted) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  const RepairResult result = run([&](const RepairTask& task) {
    Proposals p;
    p.ladder = {removal(task, file(), "  EXPECT_EQ(level, 1);\n"),
                insertion(task, file(), "  EXPECT_EQ(level, 1);", "  GTEST_SKIP();"),
                insertion(task, file(), "  EXPECT_EQ(level, 1);", "  level = 1;\n  calm = 2;"),
                insertion(task, file(), "  level = 3;", "  int unused;\n  Guard guard(level);")};
    return p;
  });
  const Repair& repair = result.repairs.front();
  ASSERT_EQ(repair.attempts.size(), 4u);
  EXPECT_THAT(repair.attempts[0].why, HasSubstr("an assertion is removed"));
  EXPECT_THAT(repair.attempts[1].why, HasSubstr("skipped or disabled"));
  EXPECT_THAT(repair.attempts[2].why, HasSubstr("Config.IsCalm: fail"));
  EXPECT_THAT(repair.attempts[3].why, HasSubstr("a new warning"));
  for (const RepairAttempt& attempt : repair.attempts) {
    EXPECT_EQ(attempt.verdict, RepairVerdict::rejected);
  }
  EXPECT_FALSE(repair.accepted);
  EXPECT_THAT(repair.why_not, HasSubstr("no patch stood the checks"));
  EXPECT_THAT(result.files, IsEmpty());
  EXPECT_THAT(result.diff, IsEmpty());
}

TEST_F(RepairTest, OnePatchMayRepairSeveral) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  add("Config.Loud", "Config.IsCalm");
  const RepairResult result = run([&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  });
  EXPECT_EQ(result.repairs[0].accepted, 0u);
  EXPECT_EQ(result.repairs[1].gone_by, DependenceId{1});
  EXPECT_THAT(result.repairs[1].attempts, IsEmpty());
}

TEST_F(RepairTest, BrittleTestsComeFirst) {
  open(std::string(kSuite) +
       "TEST(Use, Level) {\n  EXPECT_EQ(used, 7);\n}\nTEST(Set, Level) {\n  used = 7;\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  add("Set.Level", "Use.Level", Role::brittle);
  const RepairResult result = run([&](const RepairTask& task) {
    Proposals p;
    p.ladder = {task.dependence.role == Role::brittle
                    ? insertion(task, file(), "  EXPECT_EQ(used, 7);", "  used = 7;")
                    : insertion(task, file(), "  level = 3;", "  Guard guard(level);")};
    return p;
  });
  EXPECT_THAT(listener_.attempts, ElementsAre("D2 verified", "D1 verified"));
  EXPECT_EQ(result.files.size(), 1u);
  EXPECT_THAT(result.diff, HasSubstr("+  used = 7;"));
  EXPECT_THAT(result.diff, HasSubstr("+  Guard guard(level);"));
  EXPECT_THAT(result.commit_message, StartsWith("Make tests independent of the order"));
}

TEST_F(RepairTest, LaterProposalsSeeTheLinesAsTheyAreByThen) {
  open(std::string(kSuite) +
       "TEST(B, Sees) {\n  EXPECT_EQ(other, 1);\n}\nTEST(B, Sets) {\n  other = 2;\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  add("B.Sets", "B.Sees");
  std::vector<int> lines;
  run([&](const RepairTask& task) {
    const bool first = task.dependence.id == DependenceId{1};
    lines.push_back(task.suite.test(task.dependence.by.front()).line);
    return Proposals{{insertion(task, file(), first ? "  level = 3;" : "  other = 2;",
                                first ? "  Guard a(level);" : "  Guard b(other);")},
                     {}};
  });
  EXPECT_THAT(lines, ElementsAre(8, 16));  // one more than line 15 before the first patch
}

TEST_F(RepairTest, EveryPolluterThatIsEnoughGetsItsPart) {
  open(std::string(kSuite) + "TEST(Config, Louder) {\n  level = 4;\n}\n");
  auto& given = add("Config.Loud", "Config.IsQuiet");
  given.singles = {*workspace_->suite()->find("Config.Loud"),
                   *workspace_->suite()->find("Config.Louder")};
  const RepairResult result = run([&](const RepairTask& task) {
    const std::string by = task.suite.test(task.dependence.by.front()).name;
    return Proposals{{insertion(task, file(), by == "Loud" ? "  level = 3;" : "  level = 4;",
                                "  Guard guard(level);")},
                     {}};
  });
  ASSERT_EQ(result.repairs.front().attempts.size(), 1u);
  EXPECT_EQ(result.repairs.front().attempts.front().verdict, RepairVerdict::verified)
      << result.repairs.front().attempts.front().why;
  EXPECT_EQ(result.repairs.front().attempts.front().patch.added, 2);
  EXPECT_EQ(result.failing_after, 0);
}

TEST_F(RepairTest, APartlyVerifiedPatchIsOfferedButNotTaken) {
  open(std::string(kSuite) + "TEST(Config, Louder) {\n  level = 4;\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  const auto propose = [&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  };
  const RepairResult offered = run(propose);
  EXPECT_EQ(offered.repairs.front().attempts.front().verdict, RepairVerdict::partly);
  EXPECT_FALSE(offered.repairs.front().accepted);
  EXPECT_THAT(offered.repairs.front().why_not, HasSubstr("does not do all of it"));
  EXPECT_THAT(offered.diff, IsEmpty());
  options_.accept_partly = true;
  const RepairResult taken = run(propose);
  EXPECT_EQ(taken.repairs.front().accepted, 0u);
  EXPECT_THAT(taken.diff, Not(IsEmpty()));
}

TEST_F(RepairTest, AListenerForManyTestsIsTriedOnceForAll) {
  open(std::string(kSuite) +
       "TEST(Config, IsMild) {\n  EXPECT_EQ(level, 1);\n}\n"
       "TEST(Config, Louder) {\n  level = 4;\n}\n"
       "TEST(Config, Loudest) {\n  level = 5;\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  add("Config.Louder", "Config.IsCalm");
  add("Config.Loudest", "Config.IsMild");
  ladder_.propose_for_all = [&](const std::vector<RepairTask>& tasks) {
    EXPECT_EQ(tasks.size(), 3u);
    Proposal listener;
    listener.strategy = Strategy::listener;
    listener.summary = "puts level back behind every test";
    listener.change.new_files[workspace_->root() + "/isolation_listener.cc"] = "put_back(level);\n";
    return Proposals{{listener}, {}};
  };
  const RepairResult result = run([](const RepairTask&) { return Proposals{}; });
  EXPECT_EQ(result.repairs[0].accepted, 0u);
  EXPECT_EQ(result.repairs[1].gone_by, DependenceId{1});
  EXPECT_EQ(result.repairs[2].gone_by, DependenceId{1});
  EXPECT_EQ(result.repairs[0].attempts[0].patch.added, 0);
  EXPECT_THAT(result.repairs[0].attempts[0].patch.files, ElementsAre("isolation_listener.cc"));
}

TEST_F(RepairTest, ManyTestsBehindOnePolluterNeedNoListener) {
  open(std::string(kSuite) + "TEST(Config, IsMild) {\n  EXPECT_EQ(level, 1);\n}\n");
  for (const char* test : {"Config.IsQuiet", "Config.IsCalm", "Config.IsMild"}) {
    add("Config.Loud", test);
  }
  ladder_.propose_for_all = [](const std::vector<RepairTask>&) {
    ADD_FAILURE() << "one guard is enough";
    return Proposals{};
  };
  const RepairResult result = run([&](const RepairTask& task) {
    return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
  });
  EXPECT_EQ(result.repairs[2].gone_by, DependenceId{1});
}

TEST_F(RepairTest, WhatLeavesTheWitnessIsNotTriedWithFewerTests) {
  open(kSuite);
  add("Config.Loud", "Config.IsQuiet");
  const RepairResult result = run([&](const RepairTask& task) {
    Proposals p;
    p.ladder = {insertion(task, file(), "  level = 3;", "  count = 1;"),
                insertion(task, file(), "  level = 3;", "  count = 2;"),
                insertion(task, file(), "  level = 3;", "  Guard guard(level);")};
    p.ladder[0].way = p.ladder[1].way = "the same guard";
    return p;
  });
  EXPECT_THAT(listener_.attempts, ElementsAre("D1 rejected", "D1 verified"));
}

/// D1 fails behind Loud, and in some orders behind Moody, whatever is done about Loud.
class TwoStates : public RepairTest {
 protected:
  RepairResult run_with(const std::string& for_mood, const std::string& else_for_level) {
    open(
        "TEST(Config, IsMild) {\n  EXPECT_EQ(mood, 1);\n  EXPECT_EQ(level, 1);\n}\n"
        "TEST(Config, Loud) {\n  level = 3;\n}\n"
        "TEST(Config, IsGlad) {\n  EXPECT_EQ(mood, 1);\n}\n"
        "TEST(Config, Moody) {\n  mood = 3;\n}\n");
    add("Config.Loud", "Config.IsMild");
    add("Config.Moody", "Config.IsGlad");
    return run([&](const RepairTask& task) {
      if (task.dependence.id == DependenceId{2}) {
        return Proposals{{insertion(task, file(), "  mood = 3;", for_mood)}, {}};
      }
      return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);"),
                        insertion(task, file(), "  level = 3;", else_for_level)},
                       {}};
    });
  }
};

TEST_F(TwoStates, WhatAnotherPatchMayCompleteWaitsForIt) {
  const RepairResult result = run_with("  Guard guard(mood);", "  Guard another(level);");
  EXPECT_THAT(listener_.attempts, ElementsAre("D1 partly", "D2 verified", "D1 verified"));
  EXPECT_THAT(result.diff, Not(HasSubstr("another")));
}

TEST_F(TwoStates, WhatWaitedInVainIsTriedToTheEndOnce) {
  const RepairResult result = run_with("  count = 1;", "  count = 1;");
  EXPECT_THAT(listener_.attempts, ElementsAre("D1 partly", "D2 rejected", "D1 rejected"));
  EXPECT_THAT(result.repairs[0].why_not, HasSubstr("does not do all of it"));
  EXPECT_THAT(result.repairs[1].why_not, HasSubstr("no patch stood the checks"));
}

TEST_F(RepairTest, PollutersThatAreTamedAreLeftAlone) {
  open(std::string(kSuite) +
       "TEST(Config, Louder) {\n  level = 4;\n  mood = 2;\n}\n"
       "TEST(Config, IsMild) {\n  EXPECT_EQ(mood, 1);\n  EXPECT_EQ(level, 1);\n}\n"
       "TEST(Config, Moody) {\n  mood = 3;\n}\n");
  const auto id = [&](const char* test) { return *workspace_->suite()->find(test); };
  add("Config.Loud", "Config.IsQuiet").singles = {id("Config.Loud"), id("Config.Louder")};
  add("Config.Loud", "Config.IsMild").singles = {id("Config.Loud"), id("Config.Louder"),
                                                 id("Config.Moody")};
  std::vector<std::size_t> polluters;
  run([&](const RepairTask& task) {
    polluters.push_back(task.dependence.singles.size());
    Proposals p;
    if (task.dependence.id == DependenceId{1}) {
      p.ladder = {insertion(task, file(), "  level = 3;", "  Guard guard(level);")};
      p.ladder[0].change.edits.push_back(
          insertion(task, file(), "  level = 4;", "  Guard guard(level);").change.edits[0]);
    }
    return p;
  });
  // The second one is asked for again after the first was accepted; there were three at first.
  EXPECT_THAT(polluters, ElementsAre(2, 2, 2));
}

TEST_F(RepairTest, ADependenceThatDoesNotShowIsSaid) {
  open(kSuite);
  add("Config.IsCalm", "Config.IsQuiet");
  const RepairResult result = run([](const RepairTask&) { return Proposals{}; });
  EXPECT_THAT(result.repairs.front().why_not, HasSubstr("does not show"));
}

TEST_F(RepairTest, TheSameInputGivesTheSameDiff) {
  std::vector<std::string> diffs;
  for (int i = 0; i < 2; ++i) {
    open(kSuite);
    given_.clear();
    add("Config.Loud", "Config.IsQuiet");
    add("Config.Loud", "Config.IsCalm");
    diffs.push_back(
        run([&](const RepairTask& task) {
          return Proposals{{insertion(task, file(), "  level = 3;", "  Guard guard(level);")}, {}};
        }).diff);
  }
  EXPECT_EQ(diffs[0], diffs[1]);
}

TEST_F(RepairTest, AProjectThatDoesNotBuildIsAnErrorWithTheFirstError) {
  open(std::string(kSuite) + "TEST(X, Broken) {\n  ??\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  const FactsOf facts = [](const std::vector<std::string>&) { return SourceFacts{}; };
  const auto result =
      repair(*workspace_->suite(), given_, *workspace_, facts, options_, listener_, ladder_);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("does not build as it is"));
  EXPECT_THAT(result.error().hint, HasSubstr("`make`"));
}

TEST_F(RepairTest, AnInterruptKeepsWhatWasAccepted) {
  open(std::string(kSuite) +
       "TEST(B, Sees) {\n  EXPECT_EQ(other, 1);\n}\nTEST(B, Sets) {\n  other = 2;\n}\n");
  add("Config.Loud", "Config.IsQuiet");
  add("B.Sets", "B.Sees");
  workspace_->stop_after = 2;  // as it is, and with the first patch
  const RepairResult result = run([&](const RepairTask& task) {
    const bool first = task.dependence.id == DependenceId{1};
    return Proposals{{insertion(task, file(), first ? "  level = 3;" : "  other = 2;",
                                first ? "  Guard a(level);" : "  Guard b(other);")},
                     {}};
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.repairs[0].accepted, 0u);
  EXPECT_FALSE(result.repairs[1].accepted);
  EXPECT_THAT(result.diff, HasSubstr("Guard a(level)"));
}

}  // namespace
}  // namespace gordian
