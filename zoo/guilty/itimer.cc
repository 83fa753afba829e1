// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A periodic timer left running interrupts another test's sleep.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

void on_alarm(int) {}

TEST(Sleep, IsNotInterrupted) {
  timespec pause{0, 60'000'000};
  EXPECT_EQ(nanosleep(&pause, nullptr), 0);  // READ
}

TEST(Sleep, TimerCanBeStarted) {
  struct sigaction action {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval every{{0, 5000}, {0, 5000}};
  EXPECT_EQ(setitimer(ITIMER_REAL, &every, nullptr), 0);  // WRITE
}

TEST(Sleep, ZeroPauseIsAllowed) {
  timespec pause{0, 0};
  EXPECT_LE(nanosleep(&pause, nullptr), 0);
}
