// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

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

constexpr std::array kTests = {
    TestMacro{"TEST_CASE", TestForm::title, false},
    TestMacro{"SCENARIO", TestForm::title, false},
    TestMacro{"TEST_CASE_FIXTURE", TestForm::fixture_and_title, false},
    TestMacro{"TEST_CASE_TEMPLATE", TestForm::title, true},
    TestMacro{"TEST_CASE_TEMPLATE_DEFINE", TestForm::title, true},
    TestMacro{"SCENARIO_TEMPLATE", TestForm::title, true},
};
constexpr std::array kChecks = {"CHECK"sv, "REQUIRE"sv, "FAIL"sv, "FAIL_CHECK"sv, "SUCCESS"sv};
constexpr std::array kChecksBegin = {"REQUIRE_"sv, "CHECK_"sv};
constexpr std::array kSuites = {"TEST_SUITE"sv, "TEST_SUITE_BEGIN"sv};
/// The state of a run, saved signal handlers, lanes of its counters.
constexpr std::array kBookkeeping = {"doctest::detail::g_cs"sv,
                                     "doctest::FatalConditionHandler::"sv,
                                     "doctest::detail::MultiLaneAtomic<"sv};

constexpr const char* kListener = R"(
class Isolation : public doctest::IReporter {
 public:
  explicit Isolation(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData&) override { test_ = save(); }
  void test_case_reenter(const doctest::TestCaseData&) override {}  // the next subcase of one test
  void test_case_end(const doctest::CurrentTestCaseStats&) override { put_back(test_); }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  Guards test_;
};
DOCTEST_REGISTER_LISTENER("isolation", 1, Isolation);
)";

ListenerSource listener(std::string_view) {
  return {.code = kListener, .includes = {"<doctest/doctest.h>"}};
}

}  // namespace

const FrameworkTraits& doctest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::doctest,
      .word = "doctest",
      .name = "doctest",
      .selecting_flags = kSelecting,
      .listener = listener,
      .macros = {.prefix = "DOCTEST_",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .suites = kSuites},
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .bookkeeping = kBookkeeping,
  };
  return kTraits;
}

}  // namespace gordian
