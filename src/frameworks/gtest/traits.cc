// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"
#include "frameworks/gtest/shuffle.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSelecting = {"--gtest_filter"sv,     "--gtest_also_run_disabled_tests"sv,
                                   "--gtest_output"sv,     "--gtest_color"sv,
                                   "--gtest_brief"sv,      "--gtest_print_time"sv,
                                   "--gtest_list_tests"sv, "--gtest_stream_result_to"sv};
constexpr std::array kLibraries = {"libgtest"sv, "libgmock"sv};
constexpr std::array kNamespaces = {"testing::"sv};
constexpr std::array kFolders = {"/include/gtest/"sv,  "/include/gmock/"sv, "/googletest/src/"sv,
                                 "/googlemock/src/"sv, "/gtest/src/"sv,     "/gmock/src/"sv};
constexpr std::array kStems = {"gtest"sv, "gmock"sv};
constexpr std::array kRunners = {"testing::internal::HandleSehExceptionsInMethodIfSupported"sv,
                                 "testing::internal::HandleExceptionsInMethodIfSupported"sv,
                                 "testing::Test::Run"sv,
                                 "testing::TestInfo::Run"sv,
                                 "testing::TestSuite::"sv,
                                 "testing::TestCase::"sv,
                                 "testing::internal::UnitTestImpl::"sv,
                                 "testing::UnitTest::Run"sv};
constexpr std::array kEntryPoints = {"RUN_ALL_TESTS"sv};
constexpr std::array kTests = {
    TestMacro{"TEST", TestForm::suite_and_name, false},
    TestMacro{"TEST_F", TestForm::fixture_and_name, false},
    TestMacro{"TEST_P", TestForm::fixture_and_name, false},
    TestMacro{"TYPED_TEST", TestForm::fixture_and_name, true},
    TestMacro{"TYPED_TEST_P", TestForm::fixture_and_name, true},
};
constexpr std::array kChecks = {"FAIL"sv, "SUCCEED"sv, "ADD_FAILURE"sv, "ADD_FAILURE_AT"sv};
constexpr std::array kChecksBegin = {"EXPECT_"sv, "ASSERT_"sv};
constexpr std::array kSkips = {"GTEST_SKIP"sv, "GTEST_SKIP_"sv};
constexpr std::array kBookkeeping = {"::test_info_"sv, "testing::UnitTest::GetInstance()"sv};

/// What TEST() and its kin make of a test: its class may stand in any namespace.
bool is_test_body(std::string_view function) {
  return function.find("_Test::TestBody()") != std::string_view::npos;
}

/// What the macros put beside each test: "Suite_Name_Test::test_info_" and the "gtest_..._" of
/// parameterised and typed tests.
bool made_by_macro(std::string_view variable) {
  const std::size_t colon = variable.rfind("::");
  const auto last = colon == std::string_view::npos ? variable : variable.substr(colon + 2);
  return last == "test_info_" || (last.starts_with("gtest_") && last.ends_with("_"));
}

constexpr const char* kListener = R"(
class Isolation : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite&) override { suite_ = save(); }
  void OnTestStart(const testing::TestInfo&) override { test_ = save(); }
  void OnTestEnd(const testing::TestInfo&) override { put_back(test_); }
  void OnTestSuiteEnd(const testing::TestSuite&) override { put_back(suite_); }

  Guards test_, suite_;
};

const bool is_isolated = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Isolation);
  return true;
}();
)";

ListenerSource listener(std::string_view) {
  return {.code = kListener, .includes = {"<gtest/gtest.h>"}};
}

Result<Order> order_of_seed(const Suite& suite, std::uint32_t seed) {
  if (seed < 1 || seed > 99999) {
    return usage_error(std::to_string(seed) + " is no seed of GoogleTest",
                       "those are from 1 to 99999");
  }
  return gtest_shuffle(suite, seed);
}

}  // namespace

const FrameworkTraits& gtest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::gtest,
      .word = "gtest",
      .name = "GoogleTest",
      .disabled_flag = "--gtest_also_run_disabled_tests",
      .filter_flag = "--gtest_filter=",
      .selecting_flags = kSelecting,
      .selecting_options = {},
      .environment_prefix = "GTEST_",
      .has_adapter = true,
      .driven_by_flags = true,
      .shards_round_robin = true,
      .shuffle = order_of_seed,
      .listener = listener,
      .macros = {.prefix = "GTEST_",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .checks_hold = {},
                 .skips = kSkips,
                 .suites = {}},
      .type_parameter = "TypeParam",
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .entry_points = kEntryPoints,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .bookkeeping = kBookkeeping,
      .flag_prefix = "testing::FLAGS_",
  };
  return kTraits;
}

}  // namespace gordian
