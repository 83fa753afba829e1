// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <string.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/doctest_layout.h"

namespace gordian_agent {
namespace {

int compare_files(const DoctestLayout& layout, const DoctestTest& a, const DoctestTest& b) {
  if (int files = strcmp(a.file.data, b.file.data)) return files;
  if (int lines = line_of(layout, a.test) - line_of(layout, b.test)) return lines;
  if (int types = template_of(layout, a.test) - template_of(layout, b.test)) return types;
  return strcmp(a.name.data, b.name.data);  // made by one macro
}

/// By --order-by; at random is taken as by file.
bool comes_before(const DoctestLayout& layout, DoctestOrder order, const DoctestTest& a,
                  const DoctestTest& b) {
  int names = order == kByName ? strcmp(a.name.data, b.name.data) : 0;
  if (names != 0) return names < 0;
  int suites = order == kByName || order == kBySuite ? strcmp(a.suite.data, b.suite.data) : 0;
  return suites != 0 ? suites < 0 : compare_files(layout, a, b) < 0;
}

/// The framework's sort leaves equal ones in an order that depends on how many fillers there are,
/// and numbers of tests must be the same in every process.
void sort_tests(const DoctestLayout& layout, DoctestTest* tests, int count, DoctestOrder order) {
  if (order == kUnsorted) return;  // as registered, where no two are equal
  for (int gap = count / 2; gap > 0; gap /= 2) {
    for (int i = gap; i < count; ++i) {
      DoctestTest moving = tests[i];
      int at = i;
      for (; at >= gap && comes_before(layout, order, moving, tests[at - gap]); at -= gap)
        tests[at] = tests[at - gap];
      tests[at] = moving;
    }
  }
}

Text distinct_name(const DoctestTest* tests, int i) {
  const DoctestTest& r = tests[i];
  Text name = r.name;
  int twins = 1;
  for (int k = 0; k < i; ++k) {
    if (same_text(name, tests[k].name) && same_text(r.suite, tests[k].suite)) ++twins;
  }
  if (twins == 1) return name;
  char digits[12];
  size_t count = 0;
  for (; twins > 0; twins /= 10) digits[count++] = (char)('0' + twins % 10);
  char* text = (char*)agent_memory(name.size + count + 2);
  memcpy(text, name.data, name.size);
  size_t size = name.size;
  text[size++] = '#';
  while (count > 0) text[size++] = digits[--count];
  return Text{text, size};
}

// What doctest's events tell of a failure, in words close to those of its console.

void add(DoctestFailure* f, Text text) {
  size_t room = sizeof f->room - f->message.size;
  size_t size = text.size < room ? text.size : room;
  memcpy(f->room + f->message.size, text.data, size);
  f->message.size += size;
}

void add(DoctestFailure* f, const char* text) {
  add(f, text_of(text));
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

DoctestTest* note_tests(const DoctestLayout& layout, char** sequence, size_t capacity, size_t count,
                        DoctestOrder order) {
  DoctestTest* tests = agent_array<DoctestTest>(count);
  size_t noted = 0;
  for (size_t i = 0; i < capacity; ++i) {
    char* test = sequence[i];
    if (line_of(layout, test) >= kFillerLine) continue;
    if (noted == count) return nullptr;
    DoctestTest* t = &tests[noted++];
    t->test = test;
    t->body = *body_of(layout, test);
    t->skip = *skip_of(layout, test);
    t->suite = suite_of(layout, test);
    t->name = name_of(layout, test);
    t->file = file_of(layout, test);
  }
  if (noted != count) return nullptr;
  sort_tests(layout, tests, (int)count, order);
  return tests;
}

void list_tests(const DoctestLayout& layout, const DoctestTest* tests, int count) {
  for (int i = 0; i < count; ++i) {
    const DoctestTest& r = tests[i];
    ListedTest test = ListedTest();
    test.text[wire::kSuiteText] = r.suite;
    test.text[wire::kNameText] = distinct_name(tests, i);
    test.text[wire::kFileText] = r.file;
    test.line = line_of(layout, r.test);
    test.will_run = (r.would_run & kAsItIs) != 0;
    test.disabled = r.skip && (r.would_run & (kAsItIs | kUnskipped));
    list_test(test);
  }
}

bool read_assert(const void* data, AssertString name_of_kind, DoctestFailure* failure) {
  const AssertHead& a = *(const AssertHead*)data;
  if (!a.failed || (a.kind & kWarning)) return false;
  const char* name = name_of_kind ? name_of_kind(a.kind) : "CHECK";
  begin_message(failure);
  add_call(failure, name, text_of(a.expression));
  add_reason(failure, a, name);
  failure->file = text_of(a.file);
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
  failure->file = text_of(m.file);
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
  return text_of(why);
}

bool counts_as_failed(int flags) {
  return flags != 0 && !(flags & (kFailedAsItShould | kMayFailAndDid | kExactly));
}

}  // namespace gordian_agent
