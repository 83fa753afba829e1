// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A handler is installed, used and taken away again.
#include <gtest/gtest.h>
#include <signal.h>

volatile sig_atomic_t g_seen = 0;

void on_resize(int) {
  g_seen = 1;
}

TEST(Resize, HasNoHandlerAtFirst) {
  struct sigaction current {};
  sigaction(SIGWINCH, nullptr, &current);
  EXPECT_EQ(current.sa_handler, SIG_DFL);
}

TEST(Resize, HandlerSeesSignal) {
  g_seen = 0;
  const auto before = signal(SIGWINCH, on_resize);
  raise(SIGWINCH);
  signal(SIGWINCH, before);
  EXPECT_EQ(g_seen, 1);
}

TEST(Resize, IgnoredSignalDoesNothing) {
  g_seen = 0;
  raise(SIGWINCH);
  EXPECT_EQ(g_seen, 0);
}
