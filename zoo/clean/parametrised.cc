// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Parametrised tests that all write the same global before they read it.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

int g_current = -1;

class Numbers : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { g_current = GetParam(); }
};

TEST_P(Numbers, SquareIsNotNegative) {
  EXPECT_GE(g_current * g_current, 0);
}

TEST_P(Numbers, IsCurrent) {
  EXPECT_EQ(g_current, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Small, Numbers, testing::Range(0, 3));

INSTANTIATE_TEST_SUITE_P(Named, Numbers, testing::Values(100),
                         [](const auto& value) { return "N" + std::to_string(value.param); });
