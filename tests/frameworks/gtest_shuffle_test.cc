// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The expected orders were printed by GoogleTest 1.12 itself, under --gtest_shuffle with the same
// seeds and a program with these tests. tests/e2e/detect_algorithms.py compares with whatever
// version is installed.
#include <gtest/gtest.h>

#include "frameworks/framework_traits.h"
#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

using Names = std::vector<std::string>;

Order gtest_shuffle(const Suite& suite, std::uint32_t seed) {
  return traits_of(Framework::gtest).shuffle(suite, seed).value();
}

class GtestShuffle : public testing::Test {
 protected:
  Names shuffled(std::uint32_t seed) const { return names(suite_, gtest_shuffle(suite_, seed)); }

  // As the framework lists them: suites of death tests come first.
  Suite suite_ = suite_of({"CrashDeathTest.A", "CrashDeathTest.B", "Typed/HangDeathTest/0.A",
                           "First.A", "First.B", "First.DISABLED_C", "First.D", "Second.A",
                           "Second.B", "Second.C", "DISABLED_Third.A", "Fourth.A"});
};

TEST_F(GtestShuffle, Seed1) {
  EXPECT_EQ(shuffled(1),
            (Names{"Typed/HangDeathTest/0.A", "CrashDeathTest.B", "CrashDeathTest.A", "First.A",
                   "First.B", "First.D", "Second.A", "Second.B", "Second.C", "Fourth.A"}));
}

TEST_F(GtestShuffle, Seed2) {
  EXPECT_EQ(shuffled(2),
            (Names{"CrashDeathTest.A", "CrashDeathTest.B", "Typed/HangDeathTest/0.A", "Second.C",
                   "Second.A", "Second.B", "Fourth.A", "First.B", "First.D", "First.A"}));
}

TEST_F(GtestShuffle, Seed42) {
  EXPECT_EQ(shuffled(42),
            (Names{"CrashDeathTest.A", "CrashDeathTest.B", "Typed/HangDeathTest/0.A", "Second.B",
                   "Second.A", "Second.C", "Fourth.A", "First.B", "First.D", "First.A"}));
}

TEST_F(GtestShuffle, LargestSeed) {
  EXPECT_EQ(shuffled(99999),
            (Names{"Typed/HangDeathTest/0.A", "CrashDeathTest.B", "CrashDeathTest.A", "First.D",
                   "First.A", "First.B", "Fourth.A", "Second.A", "Second.B", "Second.C"}));
}

TEST_F(GtestShuffle, EmptyAndSmallSuites) {
  EXPECT_TRUE(gtest_shuffle(suite_of({}), 1).empty());
  EXPECT_EQ(gtest_shuffle(suite_of({"A.B"}), 7), order({0}));
  EXPECT_TRUE(gtest_shuffle(suite_of({"A.DISABLED_B"}), 7).empty());
}

}  // namespace
}  // namespace gordian::detect_test
