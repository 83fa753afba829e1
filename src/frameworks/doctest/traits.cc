// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

// What doctest_discover_tests() writes, and no more: programs of other frameworks may have options
// that are called -s or --out.
constexpr std::array kSelecting = {"--test-case"sv,     "--dt-test-case"sv, "--test-suite"sv,
                                   "--dt-test-suite"sv, "--reporters"sv,    "--dt-reporters"sv};
constexpr std::array kNamespaces = {"doctest::"sv, "doctest_detail_test_suite_ns::"sv};
constexpr std::array kFolders = {"/include/doctest/"sv};
constexpr std::array kStems = {"doctest"sv};
constexpr std::array kRunners = {"doctest::Context::run"sv};

constexpr std::string_view last_part(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

/// What TEST_CASE() and its kin make of a test; releases before 2.4.7 put a '_' before it.
bool is_test_body(std::string_view function) {
  return function.find("DOCTEST_ANON_FUNC_") != std::string_view::npos ||
         function.find("DOCTEST_ANON_CLASS_") != std::string_view::npos ||
         function.find("DOCTEST_ANON_TMP_") != std::string_view::npos;
}

/// "DOCTEST_ANON_VAR_5" and the like, which register tests, suites and reporters.
bool made_by_macro(std::string_view variable) {
  std::string_view last = last_part(variable);
  if (last.starts_with('_')) last.remove_prefix(1);
  return last.starts_with("DOCTEST_ANON_");
}

}  // namespace

const FrameworkTraits& doctest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::doctest,
      .disabled_flag = "",
      .filter_flag = "",
      .selecting_flags = kSelecting,
      .selecting_options = {},
      .libraries = {},
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
