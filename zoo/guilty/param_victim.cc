// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Only one value of a parametrised test notices the pollution.
#include <gtest/gtest.h>

int g_scale = 1;

int scaled(int value) {
  return value * g_scale;  // READ
}

class Scale : public testing::TestWithParam<int> {};

TEST_P(Scale, LeavesValueAlone) {
  EXPECT_EQ(scaled(GetParam()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Values, Scale, testing::Values(0, 7));

class ScaleChange : public testing::TestWithParam<int> {};

TEST_P(ScaleChange, CanBeSet) {
  g_scale = GetParam();  // WRITE
  EXPECT_EQ(scaled(1), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Factors, ScaleChange, testing::Values(1, 3));
