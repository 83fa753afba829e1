// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/framework_macros.h"

#include <algorithm>
#include <array>

namespace gordian {

namespace {

constexpr std::array kTests = {
    TestMacro{"TEST", TestForm::suite_and_name, false},
    TestMacro{"TEST_F", TestForm::fixture_and_name, false},
    TestMacro{"TEST_P", TestForm::fixture_and_name, false},
    TestMacro{"TYPED_TEST", TestForm::fixture_and_name, true},
    TestMacro{"TYPED_TEST_P", TestForm::fixture_and_name, true},
    TestMacro{"TEST_CASE", TestForm::title, false},
    TestMacro{"SCENARIO", TestForm::title, false},
    TestMacro{"TEST_CASE_METHOD", TestForm::fixture_and_title, false},
    TestMacro{"TEST_CASE_PERSISTENT_FIXTURE", TestForm::fixture_and_title, false},
    TestMacro{"SCENARIO_METHOD", TestForm::fixture_and_title, false},
    TestMacro{"TEST_CASE_FIXTURE", TestForm::fixture_and_title, false},
    TestMacro{"TEMPLATE_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_TEST_CASE_SIG", TestForm::title, true},
    TestMacro{"TEMPLATE_PRODUCT_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_LIST_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
    TestMacro{"TEMPLATE_LIST_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
    TestMacro{"TEMPLATE_PRODUCT_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
    TestMacro{"TEST_CASE_TEMPLATE", TestForm::title, true},
    TestMacro{"TEST_CASE_TEMPLATE_DEFINE", TestForm::title, true},
    TestMacro{"SCENARIO_TEMPLATE", TestForm::title, true},
    TestMacro{"BOOST_AUTO_TEST_CASE", TestForm::name, false},
    TestMacro{"BOOST_FIXTURE_TEST_CASE", TestForm::name_and_fixture, false},
    TestMacro{"BOOST_AUTO_TEST_CASE_TEMPLATE", TestForm::name, true},
    TestMacro{"BOOST_FIXTURE_TEST_CASE_TEMPLATE", TestForm::name, true},
    TestMacro{"BOOST_DATA_TEST_CASE", TestForm::name, false},
    TestMacro{"BOOST_DATA_TEST_CASE_F", TestForm::fixture_and_plain_name, false},
};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix : {"CATCH_", "DOCTEST_", "GTEST_"}) {
    if (starts_with(name, prefix)) return name.substr(prefix.size());
  }
  return name;
}

/// BOOST_TEST_... that check nothing are names of modules, messages and groups.
bool is_boost_check(std::string_view name) {
  constexpr std::array<std::string_view, 7> kChecks = {
      "BOOST_TEST",       "BOOST_TEST_REQUIRE", "BOOST_TEST_CHECK", "BOOST_TEST_WARN",
      "BOOST_TEST_ERROR", "BOOST_ERROR",        "BOOST_FAIL"};
  return std::find(kChecks.begin(), kChecks.end(), name) != kChecks.end() ||
         starts_with(name, "BOOST_CHECK") || starts_with(name, "BOOST_REQUIRE") ||
         starts_with(name, "BOOST_WARN");
}

bool is_cpputest_check(std::string_view name) {
  return name.find("S_EQUAL") != std::string_view::npos || starts_with(name, "STRCMP_") ||
         starts_with(name, "STRNCMP_") || starts_with(name, "MEMCMP_");
}

}  // namespace

const TestMacro* test_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  const auto found = std::find_if(kTests.begin(), kTests.end(),
                                  [&](const TestMacro& macro) { return macro.name == plain; });
  return found == kTests.end() ? nullptr : &*found;
}

bool is_check_macro(std::string_view name) {
  if (starts_with(name, "BOOST_")) return is_boost_check(name);
  name = without_prefix(name);
  constexpr std::array<std::string_view, 10> kWhole = {
      "CHECK",  "REQUIRE", "FAIL",    "FAIL_CHECK",  "FAIL_TEST",
      "assert", "SUCCEED", "SUCCESS", "ADD_FAILURE", "ADD_FAILURE_AT"};
  return std::find(kWhole.begin(), kWhole.end(), name) != kWhole.end() ||
         starts_with(name, "EXPECT_") || starts_with(name, "ASSERT_") ||
         starts_with(name, "REQUIRE_") || starts_with(name, "CHECK_") || is_cpputest_check(name);
}

bool is_skip_macro(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSkips = {"GTEST_SKIP", "GTEST_SKIP_", "SKIP",
                                                      "IGNORE_TEST"};
  return std::find(kSkips.begin(), kSkips.end(), name) != kSkips.end() || name == "CATCH_SKIP";
}

bool is_suite_macro(std::string_view name) {
  name = without_prefix(name);
  return name == "TEST_SUITE" || name == "TEST_SUITE_BEGIN" || name == "BOOST_AUTO_TEST_SUITE" ||
         name == "BOOST_FIXTURE_TEST_SUITE";
}

}  // namespace gordian
