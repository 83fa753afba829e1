// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// State shared by a suite, built in its set-up and taken down at its end.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

class Shared : public testing::Test {
 protected:
  static void SetUpTestSuite() { data_ = std::make_unique<std::vector<int>>(3, 7); }
  static void TearDownTestSuite() { data_.reset(); }
  static std::unique_ptr<std::vector<int>> data_;
};

std::unique_ptr<std::vector<int>> Shared::data_;

TEST_F(Shared, HasThreeElements) {
  EXPECT_EQ(data_->size(), 3u);
}

TEST_F(Shared, FirstIsSeven) {
  EXPECT_EQ(data_->front(), 7);
}

TEST_F(Shared, LastIsSeven) {
  EXPECT_EQ(data_->back(), 7);
}
