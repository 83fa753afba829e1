// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test installs a signal handler and leaves it there.
#include <gtest/gtest.h>
#include <signal.h>

void on_resize(int) {}

TEST(Resize, HasNoHandlerAtFirst) {
  struct sigaction current {};
  sigaction(SIGWINCH, nullptr, &current);  // READ
  EXPECT_EQ(current.sa_handler, SIG_DFL);
}

TEST(Resize, HandlerCanBeInstalled) {
  EXPECT_NE(signal(SIGWINCH, on_resize), SIG_ERR);  // WRITE
}

TEST(Resize, SignalHasANumber) {
  EXPECT_GT(SIGWINCH, 0);
}
