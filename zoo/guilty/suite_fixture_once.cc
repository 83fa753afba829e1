// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The suite's set-up fills the shared state once per process and nobody tears it down.
#include <gtest/gtest.h>

#include <vector>

class Shared : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (data_ == nullptr) data_ = new std::vector<int>{1, 2, 3};
  }
  static std::vector<int>* data_;
};

std::vector<int>* Shared::data_ = nullptr;

TEST_F(Shared, HasThreeElements) {
  EXPECT_EQ(data_->size(), 3u);  // READ
}

TEST_F(Shared, StartsWithOne) {
  EXPECT_EQ(data_->front(), 1);
}

TEST_F(Shared, CanGrow) {
  data_->push_back(4);  // WRITE
  EXPECT_EQ(data_->back(), 4);
}
