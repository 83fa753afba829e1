// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The macros of a framework, as they stand in a source: which make a test, which check, which skip.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gordian {

using Words = std::span<const std::string_view>;

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
  bool grouped = false;  ///< its suite is the path of the groups that are open, see GroupMacros
};

/// Macros that open and close a group of tests, whose name is not among the test's own arguments.
struct GroupMacros {
  std::string_view begin;               ///< BOOST_AUTO_TEST_SUITE(name); empty: there are none
  std::string_view begin_with_fixture;  ///< BOOST_FIXTURE_TEST_SUITE(name, Fixture)
  std::string_view end;
};

struct FrameworkMacros {
  /// All of them may be spelled with it in front: "CATCH_". Empty: there is no such way.
  std::string_view prefix{};
  std::span<const TestMacro> tests;
  /// Macros that check something: these, and those that begin with or hold one of these.
  Words checks{}, checks_begin{}, checks_hold{};
  /// Skip the running test (GTEST_SKIP), or are a test that never runs (IGNORE_TEST). As spelled.
  Words skips{};
  /// Open a group of tests with arguments that may switch it off: TEST_SUITE.
  Words suites{};
  GroupMacros groups{};
  /// A source that holds one of these has fixtures for suites: TEST(Fixture, Name).
  Words suite_is_fixture{};
};

}  // namespace gordian
