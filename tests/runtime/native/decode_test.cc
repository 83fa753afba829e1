// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/decode.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/runtime/native/played_agent.h"

namespace gordian {
namespace {

using namespace gordian_wire;

const Order kTwo = {TestId{3}, TestId{7}};

/// Two tests in one branch: kOpen len 3 7 kClose kClose.
class Branch : public PlayedAgent {
 protected:
  Branch() { load(Plan::flat(std::vector<Order>{kTwo})); }
  OutcomeKind kind(std::uint32_t token, ProcessState state = kDone) {
    return decoder_.result(token, state)->outcome.kind;
  }
  static constexpr std::uint32_t kFork = 0, kFirst = 2, kSecond = 3;
  Decoder decoder_{memory_, plan_};
};

TEST_F(Branch, NothingIsKnownAtFirst) {
  EXPECT_FALSE(decoder_.result(kFirst, kBusy));
  EXPECT_FALSE(decoder_.result(kSecond, kBusy));
}

TEST_F(Branch, AVerdictHoldsOnceTheNextTestHasStarted) {
  set(kFirst, kPass);
  EXPECT_FALSE(decoder_.result(kFirst, kBusy)) << "its process may still die in suite tear-down";
  set(kSecond, kStarting);
  ASSERT_TRUE(decoder_.result(kFirst, kBusy));
  EXPECT_EQ(kind(kFirst, kBusy), OutcomeKind::pass);
}

TEST_F(Branch, TheLastVerdictHoldsOnceTheBranchHasEnded) {
  set(kFirst, kPass);
  set(kSecond, kSkip);
  EXPECT_FALSE(decoder_.result(kSecond, kBusy));
  end_branch(kFork, 0);
  EXPECT_EQ(kind(kSecond, kBusy), OutcomeKind::skip);
}

TEST_F(Branch, FailureComesWithPlaceWordsAndOutput) {
  fail(kFirst, "a.cc", 12, "Expected: 1");
  print(kFirst, "hello\n");
  slot(kFirst).duration_ns = 1500;
  seal(kFirst);
  set(kSecond, kPass);
  end_branch(kFork, 0);
  TestRun run = *decoder_.result(kFirst, kDone);
  EXPECT_EQ(run.test, TestId{3});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::fail);
  EXPECT_EQ(run.outcome.file, "a.cc");
  EXPECT_EQ(run.outcome.line, 12);
  EXPECT_EQ(run.outcome.message, "Expected: 1");
  EXPECT_EQ(run.output, "hello\n");
  EXPECT_EQ(run.duration.count(), 1500);
}

TEST_F(Branch, SignalIsACrashOfTheRunningTestOnly) {
  set(kFirst, kRunning);
  end_branch(kFork, SIGSEGV);
  TestRun run = *decoder_.result(kFirst, kDone);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(run.outcome.signal, SIGSEGV);
  EXPECT_EQ(kind(kSecond), OutcomeKind::not_run);
}

TEST_F(Branch, EndOfTheProcessInATestIsAnExit) {
  set(kFirst, kRunning);
  end_branch(kFork, exited(3));
  TestRun run = *decoder_.result(kFirst, kDone);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::exit);
  EXPECT_EQ(run.outcome.exit_code, 3);
}

TEST_F(Branch, ExitWithZeroIsStillAnExit) {
  set(kFirst, kRunning);
  end_branch(kFork, 0);
  EXPECT_EQ(kind(kFirst), OutcomeKind::exit);
  EXPECT_EQ(kind(kSecond), OutcomeKind::not_run);
}

TEST_F(Branch, DeathInSuiteSetUpSaysSo) {
  set(kFirst, kStarting);
  end_branch(kFork, SIGABRT);
  Outcome outcome = decoder_.result(kFirst, kDone)->outcome;
  EXPECT_EQ(outcome.kind, OutcomeKind::crash);
  EXPECT_NE(outcome.message.find("set-up"), std::string::npos);
}

TEST_F(Branch, DeathAfterThePassIsNoPass) {
  set(kFirst, kPass);
  set(kSecond, kPass);
  end_branch(kFork, SIGABRT);
  Outcome outcome = decoder_.result(kSecond, kDone)->outcome;
  EXPECT_EQ(outcome.kind, OutcomeKind::crash);
  EXPECT_NE(outcome.message.find("tear-down"), std::string::npos);
  EXPECT_EQ(kind(kFirst), OutcomeKind::pass);
}

TEST_F(Branch, TimeoutIsOurDoing) {
  set(kFirst, kRunning);
  decoder_.intervene(kFirst, {Intervention::Reason::timeout, {StackFrame{"spin", "", 0, "", 0}}});
  end_branch(kFork, SIGKILL);
  TestRun run = *decoder_.result(kFirst, kDone);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::timeout);
  ASSERT_EQ(run.stack.size(), 1u);
  EXPECT_EQ(run.stack[0].function, "spin");
  EXPECT_EQ(kind(kSecond), OutcomeKind::not_run);
}

TEST_F(Branch, StoppedTestsWereNotRun) {
  set(kFirst, kRunning);
  decoder_.stop();
  end_branch(kFork, SIGKILL);
  EXPECT_EQ(kind(kFirst), OutcomeKind::not_run);
}

TEST_F(Branch, BulletThatMissedLosesTheNextTest) {
  decoder_.intervene(kFirst, {Intervention::Reason::timeout, {}});
  set(kFirst, kPass);
  set(kSecond, kRunning);
  end_branch(kFork, SIGKILL);
  EXPECT_EQ(kind(kFirst), OutcomeKind::pass);
  EXPECT_EQ(kind(kSecond), OutcomeKind::lost) << "it was innocent: never a crash";
}

TEST_F(Branch, TooMuchOutputIsACrashThatSaysWhy) {
  set(kFirst, kRunning);
  decoder_.intervene(kFirst, {Intervention::Reason::output_limit, {}});
  end_branch(kFork, SIGKILL);
  Outcome outcome = decoder_.result(kFirst, kDone)->outcome;
  EXPECT_EQ(outcome.kind, OutcomeKind::crash);
  EXPECT_NE(outcome.message.find("output"), std::string::npos);
}

TEST_F(Branch, WithoutAnEndItIsLost) {
  set(kFirst, kRunning);
  set(kFork, kBranchOpen);
  EXPECT_EQ(kind(kFirst, gone(SIGKILL)), OutcomeKind::lost);
  EXPECT_EQ(kind(kSecond, gone(SIGKILL)), OutcomeKind::lost);
}

TEST_F(Branch, ForkThatFailedIsLostWithAReason) {
  end_branch(kFork, 0xffff);
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
  EXPECT_FALSE(decoder_.result(kFirst, kDone)->outcome.message.empty());
}

TEST_F(Branch, RefusedBranchIsKnownToItsTests) {
  EXPECT_FALSE(decoder_.refused_branch(kFirst));
  set(kFork, kBranchUnsafe);
  EXPECT_EQ(decoder_.refused_branch(kFirst), kFork);
  EXPECT_EQ(decoder_.refused_branch(kSecond), kFork);
}

TEST_F(Branch, LeaksBelongToTheLastTest) {
  slot(kFirst).leaked_threads = 2;
  set(kFirst, kPass);
  set(kSecond, kPass);
  slot(kFork).leaked_children = 1;
  end_branch(kFork, 0);
  EXPECT_EQ(decoder_.result(kFirst, kDone)->leaks.threads, 2);
  EXPECT_EQ(decoder_.result(kFirst, kDone)->leaks.children, 0);
  EXPECT_EQ(decoder_.result(kSecond, kDone)->leaks.children, 1);
}

TEST_F(Branch, ATestThatDidNotRunLeavesNothing) {
  set(kFirst, kRunning);
  slot(kFork).leaked_children = 1;
  end_branch(kFork, SIGSEGV);
  EXPECT_EQ(decoder_.result(kFirst, kDone)->leaks.children, 1);
  EXPECT_EQ(decoder_.result(kSecond, kDone)->leaks.children, 0);
}

TEST_F(Branch, FailedGlobalSetUpFailsEveryTest) {
  memory_.report().setup_failed = 1;
  memory_.report().setup_text = text("env.cc", 5, "no server");
  memory_.keep_start();
  end_branch(kFork, 0);
  for (std::uint32_t token : {kFirst, kSecond}) {
    Outcome outcome = decoder_.result(token, kDone)->outcome;
    EXPECT_EQ(outcome.kind, OutcomeKind::fail);
    EXPECT_EQ(outcome.line, 5);
    EXPECT_EQ(outcome.message, "global set-up: no server");
  }
}

TEST_F(Branch, TextOutsideTheArenaIsALostResult) {
  slot(kFirst).text = ~0u;
  set(kFirst, kFail);
  set(kSecond, kPass);
  end_branch(kFork, 0);
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, TextThatClaimsToBeHugeIsALostResult) {
  fail(kFirst, "a.cc", 1, "words");
  auto* head = reinterpret_cast<FailureText*>(reinterpret_cast<char*>(&memory_.report()) +
                                              memory_.header().arena_offset + slot(kFirst).text);
  head->message_size = ~0u;
  set(kSecond, kPass);
  end_branch(kFork, 0);
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, AnyByteThatSomebodyElseWroteLosesTheResult) {
  fail(kFirst, "a.cc", 1, "words");
  set(kSecond, kPass);
  end_branch(kFork, 0);
  ASSERT_EQ(kind(kFirst), OutcomeKind::fail);
  const Slot good = slot(kFirst);
  for (std::size_t byte = 0; byte < offsetof(Slot, reserved); ++byte) {
    const bool used = byte < offsetof(Slot, pid) || byte >= offsetof(Slot, worker);
    auto* bytes = reinterpret_cast<unsigned char*>(&slot(kFirst));
    bytes[byte] ^= 0x10;
    EXPECT_EQ(kind(kFirst), used ? OutcomeKind::lost : OutcomeKind::fail) << "byte " << byte;
    slot(kFirst) = good;
  }
}

TEST_F(Branch, TextThatSomebodyElseWroteLosesTheResult) {
  fail(kFirst, "a.cc", 1, "words");
  set(kSecond, kPass);
  end_branch(kFork, 0);
  auto* text = reinterpret_cast<char*>(&memory_.report()) + memory_.header().arena_offset +
               slot(kFirst).text + sizeof(FailureText);
  text[6] ^= 1;
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, WhatSomebodyElseWroteIsLookedAtWhenAllIsOver) {
  set(kFirst, kPass);
  set(kSecond, kStarting);
  slot(kFirst).duration_ns ^= 1;
  EXPECT_FALSE(decoder_.result(kFirst, kBusy)) << "perhaps the agent is writing";
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, EndOfABranchThatSomebodyElseWroteIsNoEnd) {
  set(kFirst, kRunning);
  end_branch(kFork, SIGSEGV);
  slot(kFork).wait_status = SIGKILL;
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, OverwritingInSharedMemoryMayBeAnyOnes) {
  set(kFirst, kOverwritten);
  end_branch(kFork, exited(125));
  EXPECT_EQ(kind(kFirst), OutcomeKind::lost);
}

TEST_F(Branch, ATestWhoseSlotWasZeroedIsLostAndNotUnrun) {
  set(kFirst, kPass);
  std::memset(&slot(kSecond), 0, sizeof(Slot));
  end_branch(kFork, 0);
  EXPECT_EQ(kind(kSecond), OutcomeKind::lost);
}

TEST_F(Branch, TextThatDidNotFitIsMentioned) {
  slot(kFirst).flags = kTextLost;
  set(kFirst, kFail);
  set(kSecond, kPass);
  end_branch(kFork, 0);
  EXPECT_NE(decoder_.result(kFirst, kDone)->outcome.message, "");
}

/// The order in the process itself: 3 7 kClose.
class Inline : public PlayedAgent {
 protected:
  Inline() { load(Plan::in_process(kTwo)); }
  OutcomeKind kind(std::uint32_t token, ProcessState state) {
    return decoder_.result(token, state)->outcome.kind;
  }
  Decoder decoder_{memory_, plan_};
};

TEST_F(Inline, TheFrameworksExitCodeIsNoOutcome) {
  fail(0, "a.cc", 1, "wrong");
  set(1, kPass);
  EXPECT_EQ(kind(0, gone(exited(1))), OutcomeKind::fail);
  EXPECT_EQ(kind(1, gone(exited(1))), OutcomeKind::pass);
}

TEST_F(Inline, EarlyEndBelongsToTheTestThatRan) {
  set(0, kRunning);
  EXPECT_EQ(kind(0, gone(exited(0))), OutcomeKind::exit);
  EXPECT_EQ(kind(1, gone(exited(0))), OutcomeKind::not_run);
}

TEST_F(Inline, EndBetweenTwoTestsBelongsToTheFirst) {
  set(0, kPass);
  EXPECT_EQ(kind(0, gone(exited(2))), OutcomeKind::exit);
  EXPECT_EQ(kind(1, gone(exited(2))), OutcomeKind::not_run);
}

TEST_F(Inline, WhatTheProcessLeftBehindBelongsToTheLastTest) {
  set(0, kPass);
  set(1, kPass);
  ProcessState state = gone(exited(0));
  state.leaked_children = 2;
  EXPECT_EQ(decoder_.result(0, state)->leaks.children, 0);
  EXPECT_EQ(decoder_.result(1, state)->leaks.children, 2);
}

TEST_F(Inline, CrashIsACrash) {
  set(0, kPass);
  set(1, kRunning);
  EXPECT_EQ(kind(0, gone(SIGABRT)), OutcomeKind::pass);
  EXPECT_EQ(kind(1, gone(SIGABRT)), OutcomeKind::crash);
}

TEST_F(Inline, ProcessThatFoundItsSlotChangedNamesTheTest) {
  set(0, kPass);
  set(1, kOverwritten);
  Outcome outcome = decoder_.result(1, gone(exited(125)))->outcome;
  EXPECT_EQ(outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(outcome.message, "has overwritten Gordian's memory");
  EXPECT_EQ(kind(0, gone(exited(125))), OutcomeKind::pass);
}

TEST_F(Inline, AResultThatWasZeroedWasThere) {
  std::memset(&slot(0), 0, sizeof(Slot));
  set(1, kOverwritten);
  EXPECT_EQ(decoder_.result(0, gone(exited(125)))->outcome.kind, OutcomeKind::lost);
  EXPECT_TRUE(has_overwritten(decoder_.result(1, gone(exited(125)))->outcome));
}

TEST_F(Inline, BehindTheTestThatOverwroteNothingWasRun) {
  set(0, kOverwritten);
  std::memset(&slot(1), 0xff, sizeof(Slot));
  EXPECT_TRUE(has_overwritten(decoder_.result(0, gone(exited(125)))->outcome));
  EXPECT_EQ(decoder_.result(1, gone(exited(125)))->outcome.kind, OutcomeKind::not_run);
}

TEST_F(Inline, WhichOfSeveralTestsDidItIsNotGuessed) {
  set(0, kPass);
  set(1, kPass);
  slot(0).duration_ns ^= 1;
  EXPECT_EQ(kind(0, gone(exited(0))), OutcomeKind::lost);
  EXPECT_EQ(kind(1, gone(exited(0))), OutcomeKind::pass);
}

/// (3 (7)(9)): a prefix and two branches of it.
class Tree : public PlayedAgent {
 protected:
  Tree() { load(Plan::tree(std::vector<Order>{kTwo, {TestId{3}, TestId{9}}})); }
  Decoder decoder_{memory_, plan_};
};

TEST_F(Tree, DeathOfThePrefixLeavesTheRestNotRun) {
  std::uint32_t prefix = plan_.positions(0)[0], inner = plan_.positions(0)[1];
  set(prefix, kRunning);
  end_branch(plan_.branch_of(prefix), SIGSEGV);
  EXPECT_EQ(decoder_.result(prefix, kDone)->outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(decoder_.result(inner, kDone)->outcome.kind, OutcomeKind::not_run);
}

TEST_F(Tree, DeathOfOneBranchDoesNotTouchTheOther) {
  std::uint32_t prefix = plan_.positions(0)[0];
  std::uint32_t seven = plan_.positions(0)[1], nine = plan_.positions(1)[1];
  set(prefix, kPass);
  set(seven, kRunning);
  end_branch(plan_.branch_of(seven), SIGSEGV);
  set(nine, kPass);
  end_branch(plan_.branch_of(nine), 0);
  end_branch(plan_.branch_of(prefix), 0);
  EXPECT_EQ(decoder_.result(prefix, kDone)->outcome.kind, OutcomeKind::pass);
  EXPECT_EQ(decoder_.result(seven, kDone)->outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(decoder_.result(nine, kDone)->outcome.kind, OutcomeKind::pass);
}

TEST_F(Tree, BranchThatItsParentPassedOverIsLost) {
  std::uint32_t prefix = plan_.positions(0)[0];
  std::uint32_t seven = plan_.positions(0)[1], nine = plan_.positions(1)[1];
  set(prefix, kPass);
  set(nine, kPass);
  end_branch(plan_.branch_of(nine), 0);
  end_branch(plan_.branch_of(prefix), 0);
  EXPECT_EQ(decoder_.result(seven, kDone)->outcome.kind, OutcomeKind::lost);
}

}  // namespace
}  // namespace gordian
