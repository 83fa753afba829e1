// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where GoogleTest (1.8 to 1.18, libstdc++ and libc++) keeps its tests. Nothing here is an offset
// by version: every place is found by its shape at run time and checked, so that a version we have
// never seen is either understood or refused.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

/// A std::vector's three pointers, in both standard libraries.
struct RawVector {
  char *begin, *end, *capacity;
};

struct GtestLayout {
  RawVector* suites;         // UnitTestImpl::test_suites_
  RawVector* suite_indices;  // UnitTestImpl::test_suite_indices_
  size_t string_size;        // sizeof(std::string): 32 libstdc++, 24 libc++
  size_t tests_at;           // TestSuite::test_info_list_
  size_t test_indices_at;    // TestSuite::test_indices_
  size_t should_run_at;      // TestInfo::should_run_
  size_t result_at;          // TestInfo::result_
};

/// Finds the layout from the UnitTest that an event carries. False: not a shape we know.
bool find_layout(const void* unit_test, uint64_t suite_vtable, GtestLayout* layout);

/// The std::string at `at`; an empty text when it does not look like one.
Text read_string(const GtestLayout& layout, const void* at);

inline RawVector* tests_of(const GtestLayout& layout, char* suite) {
  return (RawVector*)(suite + layout.tests_at);
}
inline RawVector* test_indices_of(const GtestLayout& layout, char* suite) {
  return (RawVector*)(suite + layout.test_indices_at);
}

/// The parts of a TestInfo that Gordian lists.
struct GtestTest {
  Text suite, name, type_param, value_param, file;
  int line;
  bool should_run;
};
GtestTest read_test(const GtestLayout& layout, const char* info);

/// The parts of a TestPartResult that make a failure.
struct GtestPart {
  int type;  // 0 success, 1 non-fatal, 2 fatal, 3 skip
  Text file;
  int line;
  Text message;
};
GtestPart read_part(const GtestLayout& layout, const void* part);

/// The list of listeners inside the repeater.
inline const RawVector* listeners_of(const void* repeater) {
  return (const RawVector*)((const char*)repeater + 16);  // behind the vptr and a flag
}

/// True if all that listens to the repeater's events is the framework's own: its printers change
/// nothing in the kernel that anybody could see. False also when that cannot be told.
bool only_framework_listens(const void* repeater);

}  // namespace gordian_agent
