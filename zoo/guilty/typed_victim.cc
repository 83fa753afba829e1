// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A typed test is the victim, for both of its types.
#include <gtest/gtest.h>

unsigned g_padding = 0;

template <class T>
unsigned long packed_size() {
  return sizeof(T) + g_padding;  // READ
}

template <class T>
class Packed : public testing::Test {};

using PackedTypes = testing::Types<char, long>;
TYPED_TEST_SUITE(Packed, PackedTypes);

TYPED_TEST(Packed, HasNoPadding) {
  EXPECT_EQ(packed_size<TypeParam>(), sizeof(TypeParam));
}

TEST(PackedSettings, PaddingCanBeSet) {
  g_padding = 4;  // WRITE
  EXPECT_EQ(packed_size<char>(), 5u);
}

TEST(PackedSettings, PaddingIsSmall) {
  EXPECT_LT(g_padding, 8u);
}
