// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global std::vector that one test fills.
#include <gtest/gtest.h>

#include <string>
#include <vector>

std::vector<std::string> g_queue;

TEST(Queue, IsEmptyAtFirst) {
  EXPECT_TRUE(g_queue.empty());  // READ
}

TEST(Queue, KeepsWhatIsPushed) {
  g_queue.push_back("draft");  // WRITE
  EXPECT_EQ(g_queue.back(), "draft");
}

TEST(Queue, CopyIsIndependent) {
  std::vector<std::string> copy = g_queue;
  copy.push_back("other");
  EXPECT_EQ(copy.size(), g_queue.size() + 1);
}
