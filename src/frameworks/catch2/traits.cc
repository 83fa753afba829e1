// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

/// What catch_discover_tests adds, beside the name of the test.
constexpr std::array kSelectingOptions = {"--reporter"sv, "--out"sv};
constexpr std::array kLibraries = {"libCatch2"sv};
constexpr std::array kNamespaces = {"Catch::"sv};
constexpr std::array kFolders = {"/include/catch2/"sv, "/src/catch2/"sv, "/single_include/"sv};
constexpr std::array kStems = {"catch"sv};
constexpr std::array kRunners = {"Catch::TestInvokerAsFunction::invoke"sv,
                                 "Catch::TestInvokerAsMethod"sv,
                                 "Catch::TestInvokerFixture"sv,
                                 "Catch::(anonymous namespace)::TestInvokerAs"sv,
                                 "Catch::TestCase::invoke"sv,
                                 "Catch::TestCaseHandle::invoke"sv,
                                 "Catch::RunContext::"sv,
                                 "Catch::Session::"sv};

constexpr auto kTest2 = "____C_A_T_C_H____"sv;
constexpr auto kTest3 = "CATCH2_INTERNAL_T"sv;

/// What TEST_CASE and its kin make of a test: a function, or a class with a test().
bool is_test_body(std::string_view function) {
  return function.find(kTest2) != std::string_view::npos ||
         function.find(kTest3) != std::string_view::npos;
}

/// "autoRegistrar7" beside each test, and what TEMPLATE_TEST_CASE registers its types with.
bool made_by_macro(std::string_view variable) {
  const std::size_t colon = variable.rfind("::");
  const auto last = colon == std::string_view::npos ? variable : variable.substr(colon + 2);
  return last.starts_with("autoRegistrar") || last.starts_with(kTest2) || last.starts_with(kTest3);
}

}  // namespace

const FrameworkTraits& catch2_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::catch2,
      .disabled_flag = "",
      .filter_flag = "",
      .selecting_flags = {},
      .selecting_options = kSelectingOptions,
      .mark = "N5Catch",
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .entry_points = {},
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
  };
  return kTraits;
}

}  // namespace gordian
