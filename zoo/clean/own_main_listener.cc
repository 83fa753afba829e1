// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The user's own main() with an extra listener that counts the tests.
#include <gtest/gtest.h>

#include <cstdio>

class Counter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { ++count_; }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::printf("the listener saw %d tests\n", count_);
  }
  int count_ = 0;
};

TEST(Listener, First) {
  SUCCEED();
}

TEST(Listener, Second) {
  EXPECT_EQ(1 + 1, 2);
}

TEST(Listener, Third) {
  EXPECT_STREQ("a", "a");
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Counter);
  return RUN_ALL_TESTS();
}
