// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/repair/fake_workspace.h"

namespace gordian {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const char* const kLevelSuite =
    "TEST(Config, IsQuiet) {\n"
    "  EXPECT_EQ(level, 1);\n"
    "}\n"
    "TEST(Other, Counts) {\n"
    "  EXPECT_EQ(count, 1);\n"
    "}\n"
    "TEST(Config, Loud) {\n"
    "  level = 3;\n"
    "  EXPECT_EQ(level, 3);\n"
    "}\n";

Outcome outcome(OutcomeKind kind) {
  Outcome result;
  result.kind = kind;
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class VerifyTest : public ::testing::Test {
 protected:
  void open(const std::string& text) {
    workspace_ = std::make_unique<FakeWorkspace>(text);
    auto measured = measure_before(*workspace_, {dependence_}, options_);
    ASSERT_TRUE(measured.ok()) << measured.error().message;
    before_ = *measured;
  }

  Verification verify(const std::string& from, const std::string& to) {
    const std::string text = workspace_->text();
    return verify_files({{workspace_->file(), {text, replaced(text, from, to)}}});
  }

  Verification verify_files(const ChangedFiles& files) {
    Verifier verifier(*workspace_, before_, options_);
    auto result = verifier.verify(dependence_, files, before_.symptoms, [](std::string_view) {});
    EXPECT_TRUE(result.ok());
    return result.ok() ? *result : Verification{};
  }

  static const RepairCheck* check(const Verification& v, const std::string& name) {
    for (const RepairCheck& one : v.checks) {
      if (to_string(one.kind) == name) return &one;
    }
    return nullptr;
  }

  std::unique_ptr<FakeWorkspace> workspace_;
  BeforePatches before_;
  CheckOptions options_{8, 1, 3};
  NamedDependence dependence_{DependenceId{1},
                              "Config.IsQuiet",
                              Role::victim,
                              {"Config.Loud"},
                              {"Config.Loud", "Config.IsQuiet"},
                              {"Config.Loud"},
                              outcome(OutcomeKind::pass)};
};

TEST_F(VerifyTest, AGuardInThePolluterIsVerified) {
  open(kLevelSuite);
  EXPECT_THAT(before_.symptoms.differing["Config.IsQuiet"], Not(IsEmpty()));
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
  EXPECT_THAT(v.symptoms.differing, IsEmpty());
  std::vector<std::string> names;
  for (const RepairCheck& one : v.checks) {
    EXPECT_TRUE(one.passed) << to_string(one.kind) << ": " << one.detail;
    names.emplace_back(to_string(one.kind));
  }
  EXPECT_THAT(names, ElementsAre("checks kept", "build", "tests kept", "witness", "alone",
                                 "reversed", "default order", "random orders"));
}

TEST_F(VerifyTest, WhatTheReversedOrderShowedBeforeIsNoHarm) {
  open(replaced(replaced(kLevelSuite, "level, 1);\n", "level, 1);\n  level = 2;\n"),
                "  level = 3;\n  EXPECT_EQ(level, 3);\n",
                "  EXPECT_EQ(level, 1);\n  level = 3;\n"));
  const NamedDependence other{DependenceId{2},
                              "Config.Loud",
                              Role::victim,
                              {"Config.IsQuiet"},
                              {"Config.IsQuiet", "Config.Loud"},
                              {"Config.IsQuiet"},
                              outcome(OutcomeKind::pass)};
  before_ = *measure_before(*workspace_, {dependence_, other}, options_);
  EXPECT_THAT(before_.symptoms.differing["Config.Loud"], Not(IsEmpty()));
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
  EXPECT_THAT(v.symptoms.differing, ElementsAre(testing::Pair("Config.Loud", Not(IsEmpty()))));
  // Once random orders do not show it any more, it would be harm.
  before_.symptoms.differing.erase("Config.Loud");
  EXPECT_EQ(verify("  level = 3;", "  Guard guard(level);\n  level = 3;").verdict,
            RepairVerdict::rejected);
}

const char* const kCrashing =
    "TEST(Count, IsOne) {\n"
    "  EXPECT_EQ(count, 1);\n"
    "}\n"
    "TEST(Count, Grows) {\n"
    "  count = 2;\n"
    "}\n"
    "TEST(Config, IsQuiet) {\n"
    "  assert(level == 1);\n"
    "}\n"
    "TEST(Config, Loud) {\n"
    "  level = 3;\n"
    "  EXPECT_EQ(level, 3);\n"
    "}\n";

TEST_F(VerifyTest, WhatACrashHadHiddenIsNoHarm) {
  options_.random_orders = 40;
  open(kCrashing);
  ASSERT_THAT(before_.symptoms.unseen["Count.IsOne"], Not(IsEmpty()));
  const std::size_t seen = before_.symptoms.differing["Count.IsOne"].size();
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
  EXPECT_GT(v.symptoms.differing.at("Count.IsOne").size(), seen);
}

TEST_F(VerifyTest, WhatIsWorseWhereItWasSeenIsHarm) {
  options_.random_orders = 40;
  open(kCrashing);
  const Verification v =
      verify("  level = 3;", "  Guard guard(level);\n  count = 5;\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("it makes Count.IsOne worse"));
}

TEST_F(VerifyTest, APatchThatDoesNothingIsRejectedByTheWitness) {
  open(kLevelSuite);
  const Verification v = verify("  level = 3;", "  count = 1;\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("the dependence is still there"));
  EXPECT_THAT(v.why, HasSubstr("Config.Loud, Config.IsQuiet"));
  EXPECT_THAT(v.why, HasSubstr("fail at"));
}

TEST_F(VerifyTest, APatchThatRemovesAnAssertionIsNotEvenBuilt) {
  open(kLevelSuite);
  const std::size_t builds = workspace_->builds.size();
  const Verification v = verify("  EXPECT_EQ(level, 1);\n", "");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("an assertion is removed"));
  EXPECT_EQ(workspace_->builds.size(), builds);
}

TEST_F(VerifyTest, APatchThatSkipsIsRejected) {
  open(kLevelSuite);
  const Verification v =
      verify("  EXPECT_EQ(level, 1);", "  GTEST_SKIP();\n  EXPECT_EQ(level, 1);");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("a test is skipped or disabled"));
}

TEST_F(VerifyTest, APatchThatDisablesIsRejected) {
  open(kLevelSuite);
  const Verification v = verify("TEST(Config, IsQuiet)", "TEST(Config, DISABLED_IsQuiet)");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("a test is skipped or disabled"));
}

TEST_F(VerifyTest, ATestThatIsGoneFromTheProgramIsMissed) {
  open(kLevelSuite);
  const Verification v = verify("TEST(Config, IsQuiet)", "TEST(Config, IsSilent)");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_EQ(v.why, "Config.IsQuiet is gone");
}

TEST_F(VerifyTest, ABuildThatFailsTellsTheFirstError) {
  open(kLevelSuite);
  const Verification v = verify("  level = 3;", "  ??\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::not_built);
  EXPECT_THAT(v.why, HasSubstr("suite_test.cc:8:3: error: expected expression"));
}

TEST_F(VerifyTest, NewWarningsAreHarm) {
  open(kLevelSuite);
  const Verification v =
      verify("  level = 3;", "  int unused;\n  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("a new warning"));
}

TEST_F(VerifyTest, MakingAnotherTestFailInTheDefaultOrderIsHarm) {
  open(kLevelSuite);
  const Verification v =
      verify("  EXPECT_EQ(level, 1);", "  level = 1;\n  count = 2;\n  EXPECT_EQ(level, 1);");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("Other.Counts: fail"));
  ASSERT_NE(check(v, "default order"), nullptr);
  EXPECT_FALSE(check(v, "default order")->passed);
}

TEST_F(VerifyTest, MakingAnotherTestDependentIsHarm) {
  open(kLevelSuite);
  // Loud runs last in the default order: only other orders show what it does to Counts.
  const Verification v =
      verify("  level = 3;", "  Guard guard(level);\n  count = 2;\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("it makes Other.Counts worse"));
  EXPECT_THAT(v.why, HasSubstr("order: "));
}

TEST_F(VerifyTest, TheTestAloneHasToStayAsItWas) {
  open(kLevelSuite);
  const Verification v = verify("  EXPECT_EQ(level, 3);\n",
                                "  EXPECT_EQ(level, 3);\n  level = 1;\n  EXPECT_EQ(level, 3);\n");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("Config.Loud: fail"));
  EXPECT_FALSE(check(v, "alone")->passed);
}

TEST_F(VerifyTest, AnotherPolluterIsLeftOver) {
  dependence_.singles = {"Config.Loud", "Config.Louder"};
  open(std::string(kLevelSuite) + "TEST(Config, Louder) {\n  level = 4;\n}\n");
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::partly);
  EXPECT_THAT(v.still_by, ElementsAre("Config.Louder"));
  EXPECT_THAT(v.why, HasSubstr("still depends on Config.Louder"));
}

TEST_F(VerifyTest, APolluterThatNobodyKnowsShowsInRandomOrders) {
  open(std::string(kLevelSuite) + "TEST(Config, Louder) {\n  level = 4;\n}\n");
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::partly);
  EXPECT_THAT(v.why, HasSubstr("Config.IsQuiet still differs in"));
}

TEST_F(VerifyTest, ABrittleTestPassesAlone) {
  dependence_ = {DependenceId{1},
                 "Read.Value",
                 Role::brittle,
                 {"Write.Value"},
                 {"Write.Value", "Read.Value"},
                 {},
                 outcome(OutcomeKind::pass)};
  open(
      "TEST(Write, Value) {\n  value = 7;\n}\n"
      "TEST(Read, Value) {\n  EXPECT_EQ(value, 7);\n}\n");
  EXPECT_EQ(verify("  EXPECT_EQ(value, 7);", "  value = 7;\n  EXPECT_EQ(value, 7);").verdict,
            RepairVerdict::verified);
  const Verification v = verify("  value = 7;", "  value = 7;\n  other = 7;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_FALSE(check(v, "alone")->passed);
}

TEST_F(VerifyTest, AVictimThatFailedInTheDefaultOrderMayPassNow) {
  open(
      "TEST(Config, Loud) {\n  level = 3;\n}\n"
      "TEST(Config, IsQuiet) {\n  EXPECT_EQ(level, 1);\n}\n");
  EXPECT_EQ(verify("  level = 3;", "  Guard guard(level);\n  level = 3;").verdict,
            RepairVerdict::verified);
}

TEST_F(VerifyTest, AFailureThatWasThereMayMoveToAnotherLine) {
  open(std::string(kLevelSuite) + "TEST(Config, Fails) {\n  EXPECT_EQ(other, 9);\n}\n");
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
}

TEST_F(VerifyTest, WaveringTestsProveNothing) {
  open(std::string(kLevelSuite) + "TEST(Odd, Wobbles) {\n  wobble();\n}\n");
  EXPECT_THAT(before_.wavering, Contains("Odd.Wobbles"));
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
}

TEST_F(VerifyTest, ATestThatWaversOnlyWithThePatchIsNotIgnored) {
  open(kLevelSuite);
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  wobble();\n  level = 3;");
  EXPECT_NE(v.verdict, RepairVerdict::verified);
}

TEST_F(VerifyTest, WhatASearchKnowsToWaverIsNotCountedFromTheStart) {
  options_.wavering = {"Other.Counts", "Config.IsQuiet", "Not.There"};
  open(kLevelSuite);
  // Of the others one is to be repaired, and one is not there.
  EXPECT_THAT(before_.wavering, ElementsAre("Other.Counts"));
  const std::string worse = "  Guard guard(level);\n  count = 2;\n  level = 3;";
  EXPECT_EQ(verify("  level = 3;", worse).verdict, RepairVerdict::verified);
}

TEST_F(VerifyTest, ATestThatWaversWithoutThePatchTooIsNotItsFault) {
  open(std::string(kLevelSuite) + "TEST(Odd, Wobbles) {\n  wobble();\n}\n");
  before_.wavering.clear();  // as if it had been steady so far, by luck
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::verified) << v.why;
  ASSERT_GE(workspace_->builds.size(), 3U);
  EXPECT_TRUE(workspace_->builds.end()[-2].empty());  // there it was seen
  EXPECT_FALSE(workspace_->builds.back().empty());    // and the patch was built again
}

TEST_F(VerifyTest, MakingAnotherTestWaverIsHarm) {
  open(kLevelSuite);
  const std::string text = workspace_->text();
  const std::string guarded = replaced(text, "  level = 3;", "  Guard guard(level);\n  level = 3;");
  const Verification v = verify_files(
      {{workspace_->file(),
        {text, replaced(guarded, "  EXPECT_EQ(count", "  wobble();\n  EXPECT_EQ(count")}}});
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("Other.Counts: not the same result each time"));
}

TEST_F(VerifyTest, ATestThatIsToBeRepairedIsNeverExcused) {
  open(replaced(kLevelSuite, "  EXPECT_EQ(level, 1);", "  wobble();\n  EXPECT_EQ(level, 1);"));
  before_.wavering.clear();
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
}

TEST_F(VerifyTest, ACrashIsAnOutcome) {
  open(kLevelSuite);
  const Verification v = verify("  EXPECT_EQ(count, 1);", "  abort();\n  EXPECT_EQ(count, 1);");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
}

/// It passes in the default order and in every witness: only by itself it does not.
TEST_F(VerifyTest, AnotherTestThatFailsAloneIsHarm) {
  options_.random_orders = 0;
  open(kLevelSuite);
  const std::string text = workspace_->text();
  std::string patched = replaced(text, "  level = 3;", "  Guard guard(level);\n  level = 3;");
  patched = replaced(patched, "  EXPECT_EQ(level, 1);", "  EXPECT_EQ(level, 1);\n  mode = 2;");
  patched = replaced(patched, "  EXPECT_EQ(count", "  EXPECT_EQ(mode, 2);\n  EXPECT_EQ(count");
  const Verification v = verify_files({{workspace_->file(), {text, patched}}});
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  EXPECT_THAT(v.why, HasSubstr("Other.Counts: fail"));
  EXPECT_FALSE(check(v, "alone")->passed);
  // The same for all patches together.
  Verifier verifier(*workspace_, before_, options_);
  const auto all = verifier.verify_all({{workspace_->file(), {text, patched}}}, before_.symptoms);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->verdict, RepairVerdict::rejected);
}

TEST_F(VerifyTest, WhatWasRepairedBeforeStaysSo) {
  options_.random_orders = 0;
  open(std::string(kLevelSuite) +
       "TEST(Mode, IsPlain) {\n  EXPECT_EQ(mode, 1);\n}\nTEST(Mode, Fancy) {\n  mode = 2;\n}\n");
  const NamedDependence other{DependenceId{2},
                              "Mode.IsPlain",
                              Role::victim,
                              {"Mode.Fancy"},
                              {"Mode.Fancy", "Mode.IsPlain"},
                              {},
                              outcome(OutcomeKind::pass)};
  const std::string text = workspace_->text();
  const std::string one = replaced(text, "  level = 3;", "  Guard guard(level);\n  level = 3;");
  const std::string both = replaced(one, "  mode = 2;", "  Guard guard(mode);\n  mode = 2;");
  Verifier verifier(*workspace_, before_, options_);
  const auto tell = [](std::string_view) {};
  const auto keeps = verifier.verify(dependence_, {{workspace_->file(), {text, both}}},
                                     before_.symptoms, tell, {other});
  ASSERT_TRUE(keeps.ok());
  EXPECT_EQ(keeps->verdict, RepairVerdict::verified) << keeps->why;
  const auto breaks = verifier.verify(dependence_, {{workspace_->file(), {text, one}}},
                                      before_.symptoms, tell, {other});
  ASSERT_TRUE(breaks.ok());
  EXPECT_EQ(breaks->verdict, RepairVerdict::rejected);
  EXPECT_FALSE(check(*breaks, "repaired before")->passed);
}

TEST_F(VerifyTest, ABrittleTestThatWasRepairedStillPassesAlone) {
  options_.random_orders = 0;
  const std::string suite = std::string(kLevelSuite) + "TEST(Mode, Fancy) {\n  mode = 2;\n}\n";
  const std::string needs = "TEST(Mode, IsFancy) {\n  EXPECT_EQ(mode, 2);\n}\n";
  open(suite + needs);
  const NamedDependence brittle{DependenceId{2},
                                "Mode.IsFancy",
                                Role::brittle,
                                {"Mode.Fancy"},
                                {"Mode.Fancy", "Mode.IsFancy"},
                                {},
                                outcome(OutcomeKind::pass)};
  const std::string text = workspace_->text();
  const std::string one = replaced(text, "  level = 3;", "  Guard guard(level);\n  level = 3;");
  const std::string both =
      replaced(one, "  EXPECT_EQ(mode, 2);", "  mode = 2;\n  EXPECT_EQ(mode, 2);");
  Verifier verifier(*workspace_, before_, options_);
  const auto tell = [](std::string_view) {};
  const auto keeps = verifier.verify(dependence_, {{workspace_->file(), {text, both}}},
                                     before_.symptoms, tell, {brittle});
  ASSERT_TRUE(keeps.ok());
  EXPECT_EQ(keeps->verdict, RepairVerdict::verified) << keeps->why;
  const auto breaks = verifier.verify(dependence_, {{workspace_->file(), {text, one}}},
                                      before_.symptoms, tell, {brittle});
  ASSERT_TRUE(breaks.ok());
  EXPECT_EQ(breaks->verdict, RepairVerdict::rejected);
  EXPECT_FALSE(check(*breaks, "repaired before")->passed);
}

TEST_F(VerifyTest, ABrittleTestKeepsWhatSetsItsState) {
  options_.random_orders = 0;
  open(std::string(kLevelSuite) +
       "TEST(Level, Raised) {\n  level = 3;\n}\n"
       "TEST(Level, IsHigh) {\n  EXPECT_EQ(level, 3);\n}\n");
  const NamedDependence brittle{DependenceId{2},
                                "Level.IsHigh",
                                Role::brittle,
                                {"Config.Loud"},
                                {"Config.Loud", "Level.IsHigh"},
                                {"Config.Loud", "Level.Raised"},
                                outcome(OutcomeKind::pass)};
  before_ = *measure_before(*workspace_, {dependence_, brittle}, options_);
  // By default another test sets it, too.
  const Verification v = verify("  level = 3;", "  Guard guard(level);\n  level = 3;");
  EXPECT_EQ(v.verdict, RepairVerdict::rejected);
  ASSERT_NE(check(v, "other witnesses"), nullptr);
  EXPECT_FALSE(check(v, "other witnesses")->passed);
}

TEST_F(VerifyTest, ATestThatSkipsWhereItPassedIsHarmed) {
  open(kLevelSuite);
  EXPECT_TRUE(before_.is_fine("Other.Counts", outcome(OutcomeKind::pass), {}));
  before_.alone["Other.Counts"] = outcome(OutcomeKind::skip);
  EXPECT_FALSE(before_.is_fine("Other.Counts", outcome(OutcomeKind::skip), {}));
}

TEST(NamedDependence, OneThatPassesBehindOthersHasAGoal) {
  Dependence d;
  for (Outcome* one : {&d.alone, &d.witnessed, &d.expected}) *one = outcome(OutcomeKind::fail);
  d.passes_after = {TestId(1)};
  EXPECT_TRUE(named(*FakeWorkspace(kLevelSuite).suite(), d).has_goal());
}

TEST(NamedDependence, TheGoalIsAPassWhateverTheRole) {
  const Suite suite = *FakeWorkspace(kLevelSuite).suite();
  const std::vector<OutcomeKind> kinds = {OutcomeKind::pass, OutcomeKind::fail, OutcomeKind::crash,
                                          OutcomeKind::skip};
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    for (OutcomeKind alone : kinds) {
      for (OutcomeKind witnessed : kinds) {
        for (OutcomeKind expected : kinds) {
          Dependence d;
          d.role = role;
          d.alone = outcome(alone);
          d.witnessed = outcome(witnessed);
          d.expected = outcome(expected);
          const bool passes = alone == OutcomeKind::pass || witnessed == OutcomeKind::pass ||
                              expected == OutcomeKind::pass;
          EXPECT_EQ(named(suite, d).has_goal(), passes);
          if (passes) {
            EXPECT_EQ(named(suite, d).goal().kind, OutcomeKind::pass);
          }
        }
      }
    }
  }
}

TEST_F(VerifyTest, ATestThatIsGoneBeforeAnyPatchIsAnError) {
  workspace_ = std::make_unique<FakeWorkspace>("TEST(Config, Loud) {\n}\n");
  const auto measured = measure_before(*workspace_, {dependence_}, options_);
  ASSERT_FALSE(measured.ok());
  EXPECT_EQ(measured.error().kind, ErrorKind::no_match);
}

}  // namespace
}  // namespace gordian
