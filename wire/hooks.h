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
