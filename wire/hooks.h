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
  kResultVtable,     // first virtual function of TestResult
  kRegistryVtable,   // likewise of TestRegistry
  kCurrentRegistry,  // TestRegistry::getCurrentRegistry()
  kShouldRun,        // UtestShell::shouldRun(group filters, name filters) const
};
enum CppUTestNumber : uint32_t {
  kResultSlots,    // virtual functions of TestResult
  kRegistrySlots,  // ... of TestRegistry
  kShellSlots,     // ... of UtestShell
};

}  // namespace gordian_wire
