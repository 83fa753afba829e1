// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Makes whoever started it its tracer, as programs do that do not want to be debugged; from then on
// a signal stops it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

namespace {
volatile sig_atomic_t signals;
void count(int) {
  signals = signals + 1;
}
}  // namespace

TEST(Hostile, AsksToBeTraced) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  EXPECT_GT(getpid(), 0);
}

TEST(Hostile, IsStoppedByItsSignal) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  signal(SIGUSR1, count);
  signals = 0;
  raise(SIGUSR1);
  EXPECT_EQ(signals, 1);
}

TEST(Hostile, EndsWhileTraced) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  _exit(3);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
