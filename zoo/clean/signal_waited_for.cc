// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test waits for a signal with sigsuspend, another with sigtimedwait.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t g_seen = 0;

void on_signal(int) {
  g_seen = 1;
}

sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

TEST(Wait, Suspended) {
  const sigset_t usr1 = only(SIGUSR1);
  sigset_t before;
  sigprocmask(SIG_BLOCK, &usr1, &before);
  g_seen = 0;
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  EXPECT_EQ(g_seen, 0);
  EXPECT_EQ(sigsuspend(&before), -1);
  EXPECT_EQ(g_seen, 1);
  signal(SIGUSR1, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Wait, Taken) {
  const sigset_t usr2 = only(SIGUSR2);
  sigset_t before;
  sigprocmask(SIG_BLOCK, &usr2, &before);
  raise(SIGUSR2);
  const timespec second{1, 0};
  EXPECT_EQ(sigtimedwait(&usr2, nullptr, &second), SIGUSR2);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Wait, Interrupted) {
  signal(SIGALRM, on_signal);
  const itimerval soon{{0, 0}, {0, 20'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  EXPECT_EQ(pause(), -1);
  signal(SIGALRM, SIG_DFL);
}
