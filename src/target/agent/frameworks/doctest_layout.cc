// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/doctest_layout.h"

#include <string.h>

namespace gordian_agent {
namespace {

const size_t kString = 24;  // sizeof(doctest::String); its last byte tells a long one by its sign

const char* const kOrders[] = {"file", "suite", "name", "rand", "none"};  // by DoctestOrder

/// The text of a doctest::String that may be none.
bool peek_string(const void* at, Text* text) {
  char raw[kString];
  if (!peek(at, raw, sizeof raw)) return false;
  if (raw[kString - 1] & 0x80) {
    const char* data;
    memcpy(&data, raw, sizeof data);
    return peek_text(data, text);
  }
  text->data = (const char*)at;
  text->size = kString - 1 - (size_t)raw[kString - 1];
  return (size_t)raw[kString - 1] < kString && raw[text->size] == 0 &&
         strnlen(raw, kString) == text->size;
}

bool peek_file(size_t head, const char* test, Text* text) {
  const char* pointed;
  if (head == kString) return peek_string(test, text);
  return peek(test, &pointed, sizeof pointed) && peek_text(pointed, text);
}

bool peek_pointed(const char* at, Text* text) {
  const char* pointed;
  return peek(at, &pointed, sizeof pointed) && peek_text(pointed, text);
}

bool looks_like_test(const DoctestLayout& layout, const char* test) {
  Text text;
  int32_t line;
  unsigned char skip;
  void* body;
  return peek_file(layout.head, test, &text) && text.size > 0 &&
         peek(test + layout.head, &line, sizeof line) && line > 0 &&
         peek_pointed(test + layout.head + 8, &text) &&
         peek_pointed(test + layout.head + 16, &text) && peek(test + layout.head + 32, &skip, 1) &&
         skip <= 1 && peek(test + layout.body_at, &body, sizeof body) && is_code(body);
}

/// Three flags before m_expected_failures at first, five from 2.4.1 on; m_type is a String from
/// 2.4.9 on.
bool find_layout_of(const char* test, DoctestLayout* layout) {
  const DoctestLayout kKnown[] = {{24, 80, 0}, {24, 72, 0}, {8, 56, 0}};
  for (const DoctestLayout& known : kKnown) {
    if ((uintptr_t)test % 8 || !looks_like_test(known, test)) continue;
    Text type;
    *layout = known;
    const size_t type_at = known.body_at + 8;
    layout->template_at = type_at + (peek_string(test + type_at, &type) ? kString : 8);
    return true;
  }
  return false;
}

bool holds_tests(const DoctestLayout& layout, char** array, size_t tests) {
  const size_t kChunk = 64;
  char* chunk[kChunk];
  for (size_t at = 0; at < tests; at += kChunk) {
    size_t count = tests - at < kChunk ? tests - at : kChunk;
    if (!peek(array + at, chunk, count * sizeof(char*))) return false;
    for (size_t i = 0; i < count; ++i) {
      if ((uintptr_t)chunk[i] % 8 || !looks_like_test(layout, chunk[i])) return false;
    }
  }
  return true;
}

}  // namespace

bool read_registry(const void* set, DoctestLayout* layout, DoctestRegistry* registry) {
  const size_t kMost = 5000000, kNodeHead = 32;  // three pointers and a colour
  struct Member {
    int first, size;
  };
  const Member kLibraries[] = {{3, 5}, {0, 2}};  // libstdc++, libc++
  char* word[6];
  if (!peek(set, word, sizeof word)) return false;
  for (const Member& member : kLibraries) {
    registry->tests = (size_t)word[member.size];
    registry->first = word[member.first] + kNodeHead;
    bool plausible = registry->tests > 0 && registry->tests < kMost && word[member.first];
    if (plausible && find_layout_of(registry->first, layout)) return true;
  }
  return false;
}

char** find_walk(const void* frame, const DoctestLayout& layout, size_t tests, char** last_walk) {
  const size_t kWords = 4096;  // the frames of a hook and of Context::run()
  char*** word = (char***)((uintptr_t)frame & ~(uintptr_t)7);
  char** found = nullptr;
  for (char*** end = word + kWords; word < end; ++word) {
    char** array;
    char* first;
    if (!peek(word, &array, sizeof array)) break;  // the end of the stack
    if (array == found || array == last_walk || !array || (uintptr_t)array % 8) continue;
    if (!peek(array, &first, sizeof first) || (uintptr_t)first % 8) continue;
    if (!holds_tests(layout, array, tests)) continue;
    if (found) return nullptr;
    found = array;
  }
  return found;
}

void make_filler(const DoctestLayout& layout, const char* test, int number, char* filler) {
  // Not by memcpy(): a sanitizer's would object to the bytes behind an older, smaller object.
  const volatile char* from = test;
  for (size_t i = 0; i < kFillerSize; ++i) filler[i] = from[i];
  int line = kFillerLine + number;
  memcpy(filler + layout.head, &line, sizeof line);
}

PointerVector* find_reporters(const void* state, const void* ours) {
  const size_t kStateSize = 16384;  // it holds two counters of many lanes
  for (size_t at = 0; at < kStateSize; at += 8) {
    PointerVector v;
    size_t count;
    char* first;
    const char* place = (const char*)state + at;
    if (!peek(place, &first, sizeof first)) return nullptr;
    if (!peek_vector(place, &v, &count) || count > 64) continue;
    for (char** reporter = v.begin; reporter < v.end; ++reporter) {
      if (*reporter == ours) return (PointerVector*)(uintptr_t)place;
    }
  }
  return nullptr;
}

int32_t* find_abort_after(const void* state, DoctestOrder* order) {
  int32_t* found = nullptr;  // the last one: the name of an output file may be such a word too
  for (size_t at = 8; at < 160; at += 8) {
    const char* place = (const char*)state + at;
    Text text;
    if (!peek_string(place, &text)) continue;
    for (int i = kByFile; i <= kUnsorted; ++i) {
      const char* word = kOrders[i];
      if (text.size != strlen(word) || strncasecmp(text.data, word, text.size) != 0) continue;
      *order = (DoctestOrder)i;
      found = (int32_t*)(uintptr_t)(place + kString + 12);  // behind rand_seed, first and last
    }
  }
  return found;
}

DoctestCounts* find_counts(const void* stats, size_t tests, uint32_t passing) {
  for (size_t behind = 0; behind <= 4; behind += 4) {
    char* place = (char*)(uintptr_t)stats - sizeof(DoctestCounts) - behind;
    DoctestCounts counts;
    if (peek(place, &counts, sizeof counts) && counts.tests == tests &&
        counts.passing_filters >= passing && counts.passing_filters <= tests &&
        counts.asserts == 0 && counts.asserts_failed == 0) {
      return (DoctestCounts*)place;
    }
  }
  return nullptr;
}

Text doctest_string(const void* at) {
  Text text;
  if (peek_string(at, &text)) return text;
  return Text{"", 0};
}

Text file_of(const DoctestLayout& layout, const char* test) {
  if (layout.head == kString && !(test[kString - 1] & 0x80)) return text_of(test);
  const char* pointed = *(const char* const*)test;
  return text_of(pointed);
}

Text name_of(const DoctestLayout& layout, const char* test) {
  const char* name = *(const char* const*)(test + layout.head + 8);
  return text_of(name);
}

Text suite_of(const DoctestLayout& layout, const char* test) {
  const char* suite = *(const char* const*)(test + layout.head + 16);
  return text_of(suite);
}

}  // namespace gordian_agent
