// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The macros of GoogleTest, Catch2, doctest, Boost.Test and CppUTest that a text may hold: which of
// them make a test, which check, which skip.
#pragma once

#include <cstdint>
#include <string_view>

namespace gordian {

/// How a macro that makes a test takes its arguments.
enum class TestForm : std::uint8_t {
  suite_and_name,         ///< TEST(Suite, Name)
  fixture_and_name,       ///< TEST_F(Fixture, Name)
  title,                  ///< TEST_CASE("title", ...)
  fixture_and_title,      ///< TEST_CASE_METHOD(Fixture, "title", ...)
  name,                   ///< BOOST_AUTO_TEST_CASE(name, ...)
  name_and_fixture,       ///< BOOST_FIXTURE_TEST_CASE(name, Fixture, ...)
  fixture_and_plain_name  ///< BOOST_DATA_TEST_CASE_F(Fixture, name, ...)
};

struct TestMacro {
  std::string_view name;
  TestForm form;
  bool is_template;
};

/// nullptr: it makes no test. Prefixes (CATCH_, DOCTEST_, GTEST_) are seen through.
const TestMacro* test_macro(std::string_view name);

bool is_check_macro(std::string_view name);
/// Skips the running test: GTEST_SKIP, SKIP; or is a test that never runs: IGNORE_TEST.
bool is_skip_macro(std::string_view name);
/// Opens a group of tests with arguments that may switch it off: TEST_SUITE, BOOST_AUTO_TEST_SUITE.
bool is_suite_macro(std::string_view name);

}  // namespace gordian
