// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/declared.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Order order(std::initializer_list<std::uint32_t> numbers) {
  Order result;
  for (std::uint32_t number : numbers) result.push_back(TestId{number});
  return result;
}

/// B needs A, C needs B; D is free.
Suite chain() {
  std::vector<Test> tests(4);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].name = std::string(1, "ABCD"[i]);
  tests[1].declared = {"A"};
  tests[2].declared = {"B"};
  return Suite(&kProcessRuntime, Framework::ctest, "", tests);
}

TEST(Declared, ReachesThroughOthers) {
  const Declared declared(chain());
  EXPECT_TRUE(declared.before(TestId{0}, TestId{2}));
  EXPECT_FALSE(declared.before(TestId{2}, TestId{0}));
  EXPECT_EQ(declared.needed_by(TestId{2}), order({0, 1}));
  EXPECT_TRUE(declared.needed_by(TestId{3}).empty());
}

TEST(Declared, OnlyWhatStandsTooEarlyIsMoved) {
  const Declared declared(chain());
  EXPECT_EQ(declared.lawful(order({2, 3, 1, 0})), order({0, 1, 2, 3}));
  EXPECT_EQ(declared.lawful(order({3, 0, 1})), order({3, 0, 1}));
  EXPECT_TRUE(declared.is_lawful(order({2, 3})));  // the others are not in it
  EXPECT_FALSE(declared.is_lawful(order({1, 0})));
  EXPECT_TRUE(declared.is_lawful(order({1, 1})));
}

TEST(Declared, WhatIsMissingIsAddedOnce) {
  const Declared declared(chain());
  const auto completed = declared.complete(order({3, 2, 1}));
  EXPECT_EQ(completed.order, order({3, 0, 1, 2, 1}));
  EXPECT_EQ(completed.places, (std::vector<std::size_t>{0, 3, 4}));
}

TEST(Declared, ACircleIsNoReasonToHang) {
  std::vector<gordian::Test> tests(2);
  tests[0].name = "A", tests[0].declared = {"B"};
  tests[1].name = "B", tests[1].declared = {"A"};
  const Declared declared(Suite(&kProcessRuntime, Framework::ctest, "", tests));
  EXPECT_EQ(declared.lawful(order({0, 1})).size(), 2u);
  EXPECT_EQ(declared.complete(order({0})).order.size(), 2u);
}

}  // namespace
}  // namespace gordian
