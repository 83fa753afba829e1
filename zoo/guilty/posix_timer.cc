// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A POSIX timer left running interrupts another test's sleep.
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

void on_tick(int) {}

TEST(Sleep, IsNotInterrupted) {
  timespec pause{0, 60'000'000};
  EXPECT_EQ(nanosleep(&pause, nullptr), 0);  // READ
}

TEST(Sleep, TimerCanBeStarted) {
  struct sigaction action {};
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR2;
  timer_t timer{};
  ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  const itimerspec every{{0, 5'000'000}, {0, 5'000'000}};
  EXPECT_EQ(timer_settime(timer, 0, &every, nullptr), 0);  // WRITE
}

TEST(Sleep, ZeroPauseIsAllowed) {
  timespec pause{0, 0};
  EXPECT_LE(nanosleep(&pause, nullptr), 0);
}
