// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global callback is replaced and put back in the tear-down.
#include <gtest/gtest.h>

#include <functional>

std::function<int(int)> g_filter = [](int value) { return value; };

class Filter : public testing::Test {
 protected:
  void TearDown() override { g_filter = before_; }
  const std::function<int(int)> before_ = g_filter;
};

TEST_F(Filter, PassesThroughByDefault) {
  EXPECT_EQ(g_filter(4), 4);
}

TEST_F(Filter, CanBeReplaced) {
  g_filter = [](int value) { return -value; };
  EXPECT_EQ(g_filter(4), -4);
}

TEST_F(Filter, CanBeReplacedAgain) {
  g_filter = [](int) { return 0; };
  EXPECT_EQ(g_filter(4), 0);
}
