// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "repair/framework_macros.h"

namespace gordian {
namespace {

std::string counted(const std::string& content) {
  const CheckCount count = count_checks(content);
  return std::to_string(count.checks) + " checks, " + std::to_string(count.skips) + " skips, " +
         std::to_string(count.tests) + " tests";
}

TEST(CountChecks, OfEachFramework) {
  EXPECT_EQ(counted("TEST(A, B) { EXPECT_EQ(1, 1); ASSERT_TRUE(x) << 1; ADD_FAILURE(); }"),
            "3 checks, 0 skips, 1 tests");
  EXPECT_EQ(counted("TEST_CASE(\"a\") { REQUIRE(x); CHECK_THAT(y, z); CATCH_REQUIRE(x); FAIL(); }"),
            "4 checks, 0 skips, 1 tests");
  EXPECT_EQ(counted("BOOST_AUTO_TEST_CASE(a) { BOOST_TEST(x); BOOST_CHECK_EQUAL(a, b); "
                    "BOOST_REQUIRE(c); BOOST_TEST_MESSAGE(\"m\"); }"),
            "3 checks, 0 skips, 1 tests");
  EXPECT_EQ(counted("TEST(G, a) { LONGS_EQUAL(1, x); STRCMP_EQUAL(\"a\", y); CHECK(z); }"),
            "3 checks, 0 skips, 1 tests");
}

TEST(CountChecks, NotThoseThatNobodyRuns) {
  EXPECT_EQ(counted("// EXPECT_EQ(1, 1);\n/* TEST(A, B) {} */ \"EXPECT_EQ(1, 1)\"\n#if 0\n"
                    "EXPECT_EQ(1, 1);\n#endif\nint EXPECT_NOTHING;"),
            "0 checks, 0 skips, 0 tests");
}

TEST(CountChecks, InMacrosOfTheProject) {
  EXPECT_EQ(counted("#define SAME(a, b) \\\n  EXPECT_EQ(a, b)\n"), "1 checks, 0 skips, 0 tests");
}

TEST(CountChecks, Skips) {
  EXPECT_EQ(counted("TEST(A, DISABLED_B) { GTEST_SKIP() << 1; }"), "0 checks, 2 skips, 1 tests");
  EXPECT_EQ(counted("TEST_CASE(\"a\", \"[.][x]\") { SKIP(); } TEST_CASE(\"b\", \"[!mayfail]\") {}"),
            "0 checks, 3 skips, 2 tests");
  EXPECT_EQ(
      counted("TEST_CASE(\"a\" * doctest::skip()) {} TEST_SUITE(\"s\" * doctest::may_fail()) {}"),
      "0 checks, 2 skips, 1 tests");
  EXPECT_EQ(counted("BOOST_AUTO_TEST_CASE(a, * boost::unit_test::disabled()) {}"),
            "0 checks, 1 skips, 1 tests");
  EXPECT_EQ(counted("IGNORE_TEST(G, a) {}"), "0 checks, 1 skips, 0 tests");
  EXPECT_EQ(counted("TEST(A, B) { file::skip(1); auto s = \"[.\"; }"),
            "0 checks, 0 skips, 1 tests");
}

}  // namespace
}  // namespace gordian
