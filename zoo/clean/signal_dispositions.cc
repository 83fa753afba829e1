// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Signals have their default action when a test looks, also those that tools use.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <vector>

std::vector<int> handled() {
  std::vector<int> found;
  for (int number : {SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGTRAP, SIGSYS}) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_DFL) found.push_back(number);
  }
  return found;
}

TEST(Dispositions, AreDefault) {
  EXPECT_EQ(handled(), std::vector<int>());
}

TEST(Dispositions, AreDefaultAfterManyCalls) {
  for (int i = 0; i < 5000; ++i) getppid();
  EXPECT_EQ(handled(), std::vector<int>());
}

TEST(Dispositions, OfSigsysCanBeChangedAndBack) {
  struct sigaction own {
  }, before{};
  own.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGSYS, &own, &before), 0);
  EXPECT_EQ(before.sa_handler, SIG_DFL);
  EXPECT_EQ(raise(SIGSYS), 0);
  EXPECT_EQ(sigaction(SIGSYS, &before, nullptr), 0);
}
