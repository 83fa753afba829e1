// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What Hooks::entry and Hooks::number hold for each framework: symbols/frameworks finds them in the
// program's files, agent/frameworks uses them in its process.
#pragma once

#include "wire/protocol.h"

namespace gordian_wire {

enum GtestEntry : uint32_t {
  kRepeaterVtable,  // first virtual function of testing::internal::TestEventRepeater
  kSuiteVtable,     // value of a TestSuite's (1.8: TestCase's) vptr
  kClearResult,     // TestSuite::ClearResult(): resets results before a second run
  kResultFailed,    // TestResult::Failed() const
};
enum GtestNumber : uint32_t {
  kRepeaterSlots,  // virtual functions in the repeater's vtable
};

enum Catch2Entry : uint32_t {
  kRegistryVtable,    // first virtual function of Catch::TestRegistry
  kAllTests,          // TestRegistry::getAllTests() const
  kAllTestsSorted,    // TestRegistry::getAllTestsSorted(IConfig const&) const
  kRunTest,           // RunContext::runTest(...)
  kRunContextVtable,  // value of a RunContext's vptr
  kContextFunction,   // getCurrentMutableContext(), where it is a function of its own
  kContextVariable,   // the pointer that it returns
  kFanOutVtable,      // first virtual function of the reporter that stands for several
  kFanOutAssertion,   // its assertionEnded()
  kFanOutGroup,       // its testGroupStarting(): version 2 only
  kFilterTests,       // filterTests(tests, TestSpec const&, IConfig const&)
  kConfigTestSpec,    // Config::testSpec() const
  kConfigRunOrder,    // Config::runOrder() const
  kConfigAbortAfter,  // Config::abortAfter() const
};
enum Catch2Number : uint32_t {
  kCatch2Major,    // 2 or 3
  kRegistrySlots,  // virtual functions in those vtables
  kFanOutSlots,
};

enum DoctestEntry : uint32_t {
  kRegisterReporter,  // doctest::detail::registerReporterImpl()
  kAssertString,      // doctest::assertString(): the name of an assertion's macro
  kRegisteredTests,   // doctest::detail::getRegisteredTests()
  kRegisterTest,      // doctest::detail::regTest()
  kContextRun,        // doctest::Context::run()
};
enum DoctestNumber : uint32_t {
  kReporterSlots,  // virtual functions of doctest::IReporter
};

enum CppUTestEntry : uint32_t {
  kResultVtable,       // first virtual function of TestResult
  kCppRegistryVtable,  // likewise of TestRegistry
  kCurrentRegistry,    // TestRegistry::getCurrentRegistry()
  kShouldRun,          // UtestShell::shouldRun(group filters, name filters) const
};
enum CppUTestNumber : uint32_t {
  kResultSlots,       // virtual functions of TestResult
  kCppRegistrySlots,  // ... of TestRegistry
  kShellSlots,        // ... of UtestShell
};

enum BoostEntry : uint32_t {
  kResultsVtable,    // first virtual function of results_collector_t, which observes every event
  kLogVtable,        // ... of unit_test_log_t, which does so before it
  kFormatterVtable,  // ... of unit_test_log_formatter, the base of all formatters
  kGetUnit,          // framework::get(): the unit of an id
  kGetFormatter,     // unit_test_log_t::get_formatter()
  kResultsOf,        // results_collector_t::results()
  kPassed,           // test_results::passed()
};
enum BoostNumber : uint32_t {
  kObserverSlots,   // virtual functions in an observer's vtable
  kFormatterSlots,  // ... in a formatter's
};

}  // namespace gordian_wire
