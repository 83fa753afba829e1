// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/gtest_layout.h"

#include <string.h>

#include "target/agent/frameworks/safe_read.h"

namespace gordian_agent {
namespace {

/// Memory that was readable when the layout was looked for. Sorted; saves a system call per look.
struct Range {
  uint64_t begin, end;
};
const int kMaxRanges = 1024;
Range ranges[kMaxRanges];
int range_count;

void note_readable() {
  range_count = 0;
  each_readable_mapping([](uint64_t begin, uint64_t end) {
    if (range_count > 0 && ranges[range_count - 1].end == begin) {
      ranges[range_count - 1].end = end;
    } else if (range_count < kMaxRanges) {
      ranges[range_count++] = Range{begin, end};
    }
  });
}

bool is_noted(uint64_t begin, size_t size) {
  int low = 0, high = range_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (ranges[middle].end <= begin) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < range_count && ranges[low].begin <= begin && size <= ranges[low].end - begin;
}

/// In a program built with AddressSanitizer memcpy() is the sanitizer's, and objects to a look
/// beyond an object's end. The volatile keeps the compiler from calling it here.
void copy_unchecked(const void* at, void* out, size_t size) {
  const volatile char* from = (const volatile char*)at;
  for (size_t i = 0; i < size; ++i) ((char*)out)[i] = from[i];
}

/// As peek(), without a system call where the memory was noted.
bool look(const void* at, void* out, size_t size) {
  if (is_noted((uint64_t)(uintptr_t)at, size)) {
    copy_unchecked(at, out, size);
    return true;
  }
  return peek(at, out, size);
}

bool readable(const char* first, const char* last) {
  char byte;
  return look(first, &byte, 1) && look(last, &byte, 1);
}

/// A plausible, non-empty vector of `element`-sized things; `count` of them unless 0.
bool peek_vector(const void* at, size_t element, size_t count, RawVector* v) {
  const size_t kMost = 5000000;
  if (!look(at, v, sizeof *v) || !v->begin || v->end <= v->begin || v->capacity < v->end) {
    return false;
  }
  size_t bytes = (size_t)(v->end - v->begin);
  if ((uintptr_t)v->begin % 4 || bytes % element || bytes / element > kMost) return false;
  if (count && bytes / element != count) return false;
  return readable(v->begin, v->end - 1);
}

/// Every number below n: the identity, or a shuffle of it.
bool are_indices(const RawVector& v, size_t n) {
  const int* values = (const int*)v.begin;
  for (size_t i = 0; i < n; ++i) {
    if (values[i] < 0 || (size_t)values[i] >= n) return false;
  }
  return true;
}

bool string_at(size_t string_size, const void* at, Text* text) {
  const char* raw = (const char*)at;
  char bytes[32] = {};
  if (!look(at, bytes, string_size)) return false;
  if (string_size == 32) {
    memcpy(&text->data, bytes, 8);
    memcpy(&text->size, bytes + 8, 8);
  } else if (bytes[0] & 1) {  // libc++, long form
    memcpy(&text->size, bytes + 8, 8);
    memcpy(&text->data, bytes + 16, 8);
  } else {
    text->size = (size_t)((unsigned char)bytes[0] >> 1);
    text->data = raw + 1;
  }
  if (text->size >= (1u << 24)) return false;
  return text->size == 0 || readable(text->data, text->data + text->size - 1);
}

/// UnitTest::impl_ is the pointer whose second word (UnitTestImpl::parent_) points back.
char* find_impl(const char* unit_test) {
  for (size_t at = 8; at < 512; at += 8) {
    char *candidate, *words[2];
    if (look(unit_test + at, &candidate, 8) && candidate && (uintptr_t)candidate % 8 == 0 &&
        look(candidate, words, sizeof words) && words[1] == unit_test) {
      return candidate;
    }
  }
  return nullptr;
}

/// test_suites_ is the vector whose first element has a TestSuite's vptr; the next vector of as
/// many ints is test_suite_indices_.
bool find_suites(char* impl, uint64_t suite_vtable, GtestLayout* layout) {
  RawVector v;
  char *suite, *vptr;
  for (size_t at = 8; at < 1024; at += 8) {
    if (!peek_vector(impl + at, 8, 0, &v) || !look(v.begin, &suite, 8) || !look(suite, &vptr, 8) ||
        (uint64_t)(uintptr_t)vptr != suite_vtable) {
      continue;
    }
    size_t count = (size_t)(v.end - v.begin) / 8;
    layout->suites = (RawVector*)(impl + at);
    for (size_t next = at + 24; next < at + 256; next += 8) {
      if (peek_vector(impl + next, 4, count, &v) && are_indices(v, count)) {
        layout->suite_indices = (RawVector*)(impl + next);
        return true;
      }
    }
  }
  return false;
}

/// test_info_list_ is the vector in a TestSuite whose first element begins with the suite's own
/// name; test_indices_ follows it.
bool find_tests(char* suite, size_t string_size, GtestLayout* layout) {
  Text name, owner_name;
  RawVector v, indices;
  char* info;
  if (!string_at(string_size, suite + 8, &name)) return false;
  for (size_t at = 8 + string_size; at < 256; at += 8) {
    if (!peek_vector(suite + at, 8, 0, &v) || !look(v.begin, &info, 8)) continue;
    if (!string_at(string_size, info, &owner_name) || !same_text(name, owner_name)) continue;
    size_t count = (size_t)(v.end - v.begin) / 8;
    if (!peek_vector(suite + at + 24, 4, count, &indices) || !are_indices(indices, count)) continue;
    layout->string_size = string_size;
    layout->tests_at = at;
    layout->test_indices_at = at + 24;
    layout->should_run_at = 3 * string_size + 32;
    layout->result_at = layout->should_run_at + 16;
    return true;
  }
  return false;
}

/// The flag bytes of every test must be flags, or our idea of a TestInfo is wrong.
bool tests_look_right(const GtestLayout& layout) {
  for (char** s = (char**)layout.suites->begin; s < (char**)layout.suites->end; ++s) {
    RawVector* tests = tests_of(layout, *s);
    for (char** t = (char**)tests->begin; t < (char**)tests->end; ++t) {
      unsigned char flag;
      if (!look(*t + layout.should_run_at, &flag, 1) || flag > 1) return false;
    }
  }
  return true;
}

Text read_unique_string(const GtestLayout& layout, const void* at) {
  const char* pointed;
  Text none = {"", 0};
  return look(at, &pointed, 8) && pointed ? read_string(layout, pointed) : none;
}

/// By the name in its run-time type information, which is there even in stripped programs.
bool is_of_framework(const char* listener) {
  const char kPrefix[] = "N7testing8internal";
  const char *vtable, *type, *name;
  char text[sizeof kPrefix - 1];
  return peek(listener, &vtable, sizeof vtable) && peek(vtable - 8, &type, sizeof type) &&
         peek(type + 8, &name, sizeof name) && peek(name, text, sizeof text) &&
         memcmp(text, kPrefix, sizeof text) == 0;
}

}  // namespace

bool find_layout(const void* unit_test, uint64_t suite_vtable, GtestLayout* layout) {
  note_readable();
  char* impl = find_impl((const char*)unit_test);
  if (!impl || !find_suites(impl, suite_vtable, layout)) return false;
  char* first = *(char**)layout->suites->begin;
  if (!find_tests(first, 32, layout) && !find_tests(first, 24, layout)) return false;
  return tests_look_right(*layout);
}

Text read_string(const GtestLayout& layout, const void* at) {
  Text text = {"", 0};
  if (!string_at(layout.string_size, at, &text)) {
    text.data = "";
    text.size = 0;
  }
  return text;
}

GtestTest read_test(const GtestLayout& layout, const char* info) {
  const size_t s = layout.string_size;
  GtestTest test;
  test.suite = read_string(layout, info);
  test.name = read_string(layout, info + s);
  test.type_param = read_unique_string(layout, info + 2 * s);
  test.value_param = read_unique_string(layout, info + 2 * s + 8);
  test.file = read_string(layout, info + 2 * s + 16);
  test.line = *(const int*)(info + 3 * s + 16);
  test.should_run = info[layout.should_run_at] != 0;
  return test;
}

GtestPart read_part(const GtestLayout& layout, const void* part) {
  const size_t s = layout.string_size;
  const char* p = (const char*)part;
  GtestPart out;
  out.type = *(const int*)p;
  out.file = read_string(layout, p + 8);
  out.line = *(const int*)(p + 8 + s);
  out.message = read_string(layout, p + 16 + 2 * s);  // message_; summary_ stands before it
  return out;
}

bool only_framework_listens(const void* repeater) {
  RawVector listeners;
  if (!peek(listeners_of(repeater), &listeners, sizeof listeners)) return false;
  size_t count = (size_t)(listeners.end - listeners.begin) / 8;
  char* listener[16];
  if (count == 0 || count > 16 || !peek(listeners.begin, listener, count * 8)) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!is_of_framework(listener[i])) return false;
  }
  return true;
}

}  // namespace gordian_agent
