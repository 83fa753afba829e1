// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/doctest_tests.h"

#include <string.h>

#include "target/agent/agent.h"

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

bool same(Text a, Text b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

Text distinct_name(const DoctestTest* tests, int i) {
  const DoctestTest& r = tests[i];
  Text name = r.name;
  int twins = 1;
  for (int k = 0; k < i; ++k) {
    if (same(name, tests[k].name) && same(r.suite, tests[k].suite)) ++twins;
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

}  // namespace

DoctestTest* note_tests(const DoctestLayout& layout, char** sequence, size_t capacity, size_t count,
                        DoctestOrder order) {
  DoctestTest* tests = (DoctestTest*)agent_memory(count * sizeof(DoctestTest));
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

}  // namespace gordian_agent
