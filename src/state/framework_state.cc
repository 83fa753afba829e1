// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/framework_state.h"

#include <algorithm>
#include <array>

namespace gordian {
namespace {

using namespace std::string_view_literals;

/// Parts of names: what is reached from these variables has theirs in its own.
constexpr std::array kBookkeeping = {
    "::test_info_"sv,
    "testing::UnitTest::GetInstance()"sv,
    // Catch2: the run with its totals, saved signal handlers, streams for messages, lines it
    // prints.
    "Catch::IMutableContext::currentContext"sv,
    "Catch::Context::currentContext"sv,
    "Catch::oldSigActions"sv,
    "Catch::oldSigStack"sv,
    "Catch::getSingletons()"sv,
    "Catch::Singleton<Catch::StringStreams"sv,
    "Catch::getLineOfChars<"sv,
    // Boost.Test: the tree of tests, the log, the results, the progress display.
    "boost::unit_test::framework::impl::s_frk_state()"sv,
    "boost::unit_test::s_log_impl()"sv,
    "boost::unit_test::s_rc_impl()"sv,
    "boost::unit_test::s_pm_impl()"sv,
    // doctest: the state of a run, saved signal handlers, lanes of its counters.
    "doctest::detail::g_cs"sv,
    "doctest::FatalConditionHandler::"sv,
    "doctest::detail::MultiLaneAtomic<"sv,
    // CppUTest: the test that runs and its result, places to jump back to, known allocations.
    "UtestShell::currentTest_"sv,
    "UtestShell::testResult_"sv,
    "TestRegistry::getCurrentRegistry()"sv,
    "test_exit_jmp_buf"sv,
    "globalDetector"sv,
};

}  // namespace

bool is_bookkeeping(std::string_view name) {
  return std::any_of(kBookkeeping.begin(), kBookkeeping.end(), [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

void call_flag_by_name(Carrier& carrier) {
  constexpr std::string_view kPrefix = "testing::FLAGS_";
  const std::string& variable = carrier.key.name();
  if (!variable.starts_with(kPrefix)) return;
  carrier.key = {CarrierKind::flag, NameKey{variable.substr(kPrefix.size())}};
}

}  // namespace gordian
