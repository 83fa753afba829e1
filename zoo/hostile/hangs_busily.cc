// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Never ends, never sleeps and has all polite signals ignored.
#include <gtest/gtest.h>
#include <signal.h>

volatile unsigned long g_rounds = 0;

TEST(Hostile, IgnoresTermination) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM}) signal(number, SIG_IGN);
  for (;;) g_rounds = g_rounds + 1;
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
