// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The macros of the test frameworks that a text may hold: which of them make a test, which check,
// which skip. A text does not say whose they are: those of all frameworks are looked for.
#pragma once

#include <string_view>

#include "frameworks/framework_traits.h"

namespace gordian {

/// nullptr: it makes no test. Prefixes (CATCH_, DOCTEST_, GTEST_) are seen through.
const TestMacro* test_macro(std::string_view name);

bool is_check_macro(std::string_view name);
/// Skips the running test: GTEST_SKIP, SKIP; or is a test that never runs: IGNORE_TEST.
bool is_skip_macro(std::string_view name);
/// Opens a group of tests with arguments that may switch it off: TEST_SUITE, BOOST_AUTO_TEST_SUITE.
bool is_suite_macro(std::string_view name);

/// Checks of the frameworks (EXPECT_*, ASSERT_*, REQUIRE*, CHECK*, BOOST_*, ...) and skips or
/// disabled tests, in a text. A patch must not lower the first nor raise the second.
struct CheckCount {
  int checks = 0, skips = 0, tests = 0;
};
CheckCount count_checks(const std::string& content);

}  // namespace gordian
