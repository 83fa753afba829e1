// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A shared queue: each test takes out exactly what it put in.
#include <gtest/gtest.h>

#include <deque>

std::deque<int> g_queue;

int pop() {
  const int first = g_queue.front();
  g_queue.pop_front();
  return first;
}

TEST(Queue, IsEmptyAtFirst) {
  EXPECT_TRUE(g_queue.empty());
}

TEST(Queue, FirstInFirstOut) {
  g_queue.push_back(1);
  g_queue.push_back(2);
  EXPECT_EQ(pop(), 1);
  EXPECT_EQ(pop(), 2);
}

TEST(Queue, ThousandComeBack) {
  for (int i = 0; i < 1000; ++i) g_queue.push_back(i);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(pop(), i);
}
