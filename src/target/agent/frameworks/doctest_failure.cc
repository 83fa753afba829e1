// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What doctest's events tell of a failure, in words close to those of its console.
#include <string.h>

#include "target/agent/frameworks/doctest_layout.h"

namespace gordian_agent {
namespace {

void add(DoctestFailure* f, Text text) {
  size_t room = sizeof f->room - f->message.size;
  size_t size = text.size < room ? text.size : room;
  memcpy(f->room + f->message.size, text.data, size);
  f->message.size += size;
}

void add(DoctestFailure* f, const char* text) {
  add(f, Text{text, strlen(text)});
}

void begin_message(DoctestFailure* f) {
  f->message = Text{f->room, 0};
}

// Bits of doctest::assertType.
enum : int { kWarning = 1, kThrows = 16 | 32 | 64 };

// Members of doctest::AssertData, the same in all releases.
struct AssertHead {
  const void* test;
  int kind;
  const char* file;
  int line;
  const char* expression;
  bool failed, threw;
  alignas(8) char exception[24];
  char values[24];
};

void add_call(DoctestFailure* f, const char* name, Text inside) {
  add(f, name);
  add(f, "( ");
  add(f, inside);
  add(f, " )");
}

void add_reason(DoctestFailure* f, const AssertHead& a, const char* name) {
  if (a.threw) {
    add(f, a.kind & kThrows ? " threw a different exception: " : " threw an exception: ");
    add(f, doctest_string(a.exception));
  } else if (a.kind & kThrows) {
    add(f, " did not throw at all");
  } else {
    add(f, " is not correct");
    Text values = doctest_string(a.values);
    if (values.size == 0) return;
    add(f, "\n  values: ");
    add_call(f, name, values);
  }
}

}  // namespace

bool read_assert(const void* data, AssertString name_of_kind, DoctestFailure* failure) {
  const AssertHead& a = *(const AssertHead*)data;
  if (!a.failed || (a.kind & kWarning)) return false;
  const char* name = name_of_kind ? name_of_kind(a.kind) : "CHECK";
  begin_message(failure);
  add_call(failure, name, Text{a.expression, strlen(a.expression)});
  add_reason(failure, a, name);
  failure->file = Text{a.file, strlen(a.file)};
  failure->line = a.line;
  return true;
}

bool read_message(const void* data, DoctestFailure* failure) {
  struct Message {
    char text[24];
    const char* file;
    int line, severity;
  };
  const Message& m = *(const Message*)data;
  if (m.severity & kWarning) return false;  // MESSAGE() only prints
  failure->file = Text{m.file, strlen(m.file)};
  failure->line = m.line;
  failure->message = doctest_string(m.text);
  return true;
}

void read_exception(const void* exception, DoctestFailure* failure) {
  begin_message(failure);
  add(failure, "the test case threw an exception: ");
  add(failure, doctest_string(exception));
}

// Bits of doctest::TestCaseFailureReason.
enum : int {
  kTimeout = 16,
  kShouldHaveFailed = 32,
  kFailedAsItShould = 64,
  kNotExactly = 128,
  kExactly = 256,
  kMayFailAndDid = 512,
};

Text broken_decorator(int flags) {
  const char* why = "the test case failed";
  if (flags & kTimeout) {
    why = "the test case took longer than its timeout decorator allows";
  } else if (flags & kShouldHaveFailed) {
    why = "the test case is marked should_fail and did not fail";
  } else if (flags & kNotExactly) {
    why = "the test case did not fail as many times as its expected_failures decorator says";
  }
  return Text{why, strlen(why)};
}

bool counts_as_failed(int flags) {
  return flags != 0 && !(flags & (kFailedAsItShould | kMayFailAndDid | kExactly));
}

}  // namespace gordian_agent
