// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"

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

}  // namespace

const FrameworkTraits& gtest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::gtest,
      .disabled_flag = "--gtest_also_run_disabled_tests",
      .filter_flag = "--gtest_filter=",
      .selecting_flags = kSelecting,
      .selecting_options = {},
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .entry_points = kEntryPoints,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
  };
  return kTraits;
}

}  // namespace gordian
