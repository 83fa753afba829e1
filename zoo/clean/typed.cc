// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Typed tests over a static member of a template: one instance for each type.
#include <gtest/gtest.h>

template <class T>
class Holder : public testing::Test {
 protected:
  void SetUp() override { value_ = T{}; }
  static T value_;
};

template <class T>
T Holder<T>::value_{};

using HolderTypes = testing::Types<char, int, double>;
TYPED_TEST_SUITE(Holder, HolderTypes);

TYPED_TEST(Holder, StartsAtZero) {
  EXPECT_EQ(this->value_, TypeParam{});
}

TYPED_TEST(Holder, CanBeSet) {
  this->value_ = TypeParam{1};
  EXPECT_EQ(this->value_, TypeParam{1});
}
