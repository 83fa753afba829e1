// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A signal handler installed before the tests blocks every signal and makes system calls.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

volatile sig_atomic_t g_seen = 0;

void on_signal(int) {
  g_seen = getppid() > 0 && access("/", F_OK) == 0;
}

int install() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  return sigaction(SIGUSR1, &action, nullptr);
}

const int g_installed = install();

TEST(Handler, Runs) {
  ASSERT_EQ(raise(SIGUSR1), 0);
  EXPECT_EQ(g_seen, 1);
}

TEST(Handler, RunsAgain) {
  g_seen = 0;
  ASSERT_EQ(raise(SIGUSR1), 0);
  EXPECT_EQ(g_seen, 1);
}

TEST(Handler, IsInstalled) {
  EXPECT_EQ(g_installed, 0);
}
