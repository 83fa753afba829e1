// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each test has a heap object of its own behind the shared pointer.
#include <gtest/gtest.h>

#include <vector>

std::vector<int>* g_data = nullptr;

class Fresh : public testing::Test {
 protected:
  Fresh() { g_data = new std::vector<int>{1, 2, 3}; }
  ~Fresh() override { delete g_data; }
};

TEST_F(Fresh, HasThreeElements) {
  EXPECT_EQ(g_data->size(), 3u);
}

TEST_F(Fresh, CanGrow) {
  g_data->push_back(4);
  EXPECT_EQ(g_data->size(), 4u);
}

TEST_F(Fresh, CanBeEmptied) {
  g_data->clear();
  EXPECT_TRUE(g_data->empty());
}
