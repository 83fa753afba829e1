// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where Catch2 keeps what Gordian reads: tests, failed assertions, the reporter. Versions 2.13 and
// 3 with libstdc++. What can be found by its type or address is; offsets that remain are checked on
// every test before the first one runs, so that another layout is refused and not misread.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

/// A std::vector's three pointers.
struct Catch2Tests {
  char *begin, *end, *capacity;
};

/// `major`: 2 or 3. The size of what a vector of tests holds: TestCase, or a handle of two words.
size_t catch2_test_size(int major);
inline int catch2_count(const Catch2Tests& tests, int major) {
  return (int)((size_t)(tests.end - tests.begin) / catch2_test_size(major));
}

enum Catch2Properties : int { kHidden = 2, kShouldFail = 4, kMayFail = 8 };

struct Catch2Test {
  Text name, class_name, file;
  int line, properties;
  const void* identity;  // the same in every vector that holds this test
};

/// False: it does not look like a test of that version.
bool read_catch2_test(int major, const char* test, Catch2Test* out);
/// "[io][slow]" into `to`; what does not fit is left out. Returns its size.
size_t write_catch2_tags(int major, const char* test, char* to, size_t room);

struct Catch2Assertion {
  Text macro, expression, expanded, message, file;
  int line, type;
};
enum Catch2ResultType : int {
  kCatch2Skip = 4,
  kCatch2Failure = 0x10,
  kCatch2Expression = 0x11,
  kCatch2Explicit = 0x12,
  kCatch2Threw = 0x111,
  kCatch2DidNotThrow = 0x112,
  kCatch2Fatal = 0x210,
};
/// `stats`: an AssertionStats. False: it does not look like one of that version.
bool read_catch2_assertion(int major, const char* stats, Catch2Assertion* out);
/// What the framework's own reporter would say, first line without values. Returns its size.
size_t write_catch2_message(const Catch2Assertion& assertion, char* to, size_t room);

/// The first of the `words` that begin at `object` which points to an object with this vptr.
char* find_by_vptr(const void* object, int words, uint64_t vptr);
/// The first word of a RunContext that points to a reporter; by its run-time type information.
char* find_catch2_reporter(const void* run_context);
/// All listeners are classes of the framework, as far as the reporter's own type tells.
bool is_catch2_class(const void* object);

/// The place of a function in a vtable, -1 when it is not there.
int find_slot(const uint64_t* table, uint32_t slots, uint64_t function);

}  // namespace gordian_agent
