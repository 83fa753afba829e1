// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A timer is started and stopped within one test.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

void on_alarm(int) {}

TEST(Sleep, IsNotInterrupted) {
  timespec pause{0, 30'000'000};
  EXPECT_EQ(nanosleep(&pause, nullptr), 0);
}

TEST(Sleep, TimerInterrupts) {
  const auto before = signal(SIGALRM, on_alarm);
  itimerval every{{0, 5000}, {0, 5000}};
  itimerval never{};
  setitimer(ITIMER_REAL, &every, nullptr);
  timespec pause{1, 0};
  EXPECT_EQ(nanosleep(&pause, nullptr), -1);
  setitimer(ITIMER_REAL, &never, nullptr);
  signal(SIGALRM, before);
}

TEST(Sleep, ZeroPauseReturns) {
  timespec pause{0, 0};
  EXPECT_EQ(nanosleep(&pause, nullptr), 0);
}
