// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSelectingFlags = {
    "--run_test"sv,      "--color_output"sv, "--no_color_output"sv, "--log_level"sv,
    "--log_format"sv,    "--log_sink"sv,     "--logger"sv,          "--report_level"sv,
    "--report_format"sv, "--report_sink"sv,  "--output_format"sv,   "--show_progress"sv,
    "--build_info"sv,    "--result_code"sv,  "--list_content"sv,    "--catch_system_errors"sv,
    "--random"sv};
constexpr std::array kSelectingOptions = {"-t"sv, "-l"sv, "-f"sv, "-k"sv,
                                          "-r"sv, "-m"sv, "-e"sv, "-o"sv};
constexpr std::array kLibraries = {"libboost_unit_test_framework"sv, "libboost_prg_exec_monitor"sv,
                                   "libboost_test_exec_monitor"sv};
// What the framework's functions are made of counts as its own in the stacks above a test.
constexpr std::array kNamespaces = {"boost::unit_test::"sv,
                                    "boost::test_tools::"sv,
                                    "boost::execution_monitor::"sv,
                                    "boost::detail::"sv,
                                    "boost::runtime::"sv,
                                    "boost::function0<"sv,
                                    "boost::execution_exception::"sv,
                                    "boost::debug::"sv,
                                    "boost::fpe::"sv};
constexpr std::array kFolders = {"/boost/test/"sv, "/libs/test/src/"sv};
constexpr std::array kRunners = {"boost::unit_test::ut_detail::invoker<"sv,
                                 "boost::detail::function::void_function_"sv,
                                 "boost::detail::function::function_obj_invoker0<"sv,
                                 "boost::detail::forward::"sv,
                                 "boost::detail::do_invoke<"sv,
                                 "boost::execution_monitor::"sv,
                                 "boost::unit_test::unit_test_monitor_t::"sv,
                                 "boost::unit_test::framework::state::execute_test_tree"sv,
                                 "boost::unit_test::framework::run"sv,
                                 "boost::unit_test::unit_test_main"sv};
constexpr std::array kEntryPoints = {"init_unit_test_suite"sv};

/// What the macros make of a test: a class of its name with this member; a template of functions
/// where the test has samples.
bool is_test_body(std::string_view function) {
  return function.find("::test_method(") != std::string_view::npos ||
         function.find("::test_method<") != std::string_view::npos;
}

/// What the macros put beside each test and suite: "name_registrar123".
bool made_by_macro(std::string_view variable) {
  const std::string_view last = last_part(variable);
  const std::size_t digits = last.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == last.size()) return false;
  return last.substr(0, digits + 1).ends_with("_registrar");
}

constexpr std::array kTests = {
    TestMacro{"BOOST_AUTO_TEST_CASE", TestForm::name, false, true},
    TestMacro{"BOOST_FIXTURE_TEST_CASE", TestForm::name_and_fixture, false, true},
    TestMacro{"BOOST_AUTO_TEST_CASE_TEMPLATE", TestForm::name, true, true},
    TestMacro{"BOOST_FIXTURE_TEST_CASE_TEMPLATE", TestForm::name, true, true},
    TestMacro{"BOOST_DATA_TEST_CASE", TestForm::name, false, true},
    TestMacro{"BOOST_DATA_TEST_CASE_F", TestForm::fixture_and_plain_name, false, true},
};
// BOOST_TEST_... that check nothing are names of modules, messages and groups.
constexpr std::array kChecks = {"BOOST_TEST"sv,      "BOOST_TEST_REQUIRE"sv, "BOOST_TEST_CHECK"sv,
                                "BOOST_TEST_WARN"sv, "BOOST_TEST_ERROR"sv,   "BOOST_ERROR"sv,
                                "BOOST_FAIL"sv};
constexpr std::array kChecksBegin = {"BOOST_CHECK"sv, "BOOST_REQUIRE"sv, "BOOST_WARN"sv};
constexpr std::array kSuites = {"BOOST_AUTO_TEST_SUITE"sv, "BOOST_FIXTURE_TEST_SUITE"sv};
/// The tree of tests, the log, the results, the progress display.
constexpr std::array kBookkeeping = {
    "boost::unit_test::framework::impl::s_frk_state()"sv, "boost::unit_test::s_log_impl()"sv,
    "boost::unit_test::s_rc_impl()"sv, "boost::unit_test::s_pm_impl()"sv};

/// What the macro of a test takes behind its name.
std::string needs(const Test& test) {
  return "boost::unit_test::depends_on(\"" +
         (test.suite.empty() ? test.name : test.suite + "/" + test.name) + "\")";
}

}  // namespace

const FrameworkTraits& boost_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::boost,
      .word = "boost",
      .name = "Boost.Test",
      .filter_flag = {},  // names of tests are written in another way there
      .selecting_flags = kSelectingFlags,
      .selecting_options = kSelectingOptions,
      .needs = needs,
      .macros = {.prefix = "",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .suites = kSuites,
                 .groups = {"BOOST_AUTO_TEST_SUITE", "BOOST_FIXTURE_TEST_SUITE",
                            "BOOST_AUTO_TEST_SUITE_END"}},
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .runners = kRunners,
      .entry_points = kEntryPoints,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .bookkeeping = kBookkeeping,
  };
  return kTraits;
}

}  // namespace gordian
