// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Copying, filling and comparing memory and strings: done by libc, whose code no compiler of ours
// has seen. Some run before dlsym() can be used; then a plain loop does the work.
#include <string.h>

#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {

/// The real ones; null until the shadow is there.
struct Real {
  void* (*move)(void*, const void*, size_t);
  void* (*copy)(void*, const void*, size_t);
  void* (*fill)(void*, int, size_t);
  int (*compare)(const void*, const void*, size_t);
  size_t (*length)(const char*);
};
Real real;

template <class Function>
void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor(102))) void find_real() {
  Real found;
  find(found.move, "memmove");
  find(found.copy, "memcpy");
  find(found.fill, "memset");
  find(found.compare, "memcmp");
  find(found.length, "strlen");
  real = found;
}

void* move_slowly(void* to, const void* from, size_t size) {
  volatile char* t = static_cast<char*>(to);
  const volatile char* f = static_cast<const char*>(from);
  if (t < f) {
    for (size_t i = 0; i < size; ++i) t[i] = f[i];
  } else {
    for (size_t i = size; i > 0; --i) t[i - 1] = f[i - 1];
  }
  return to;
}

void* fill_slowly(void* to, int byte, size_t size) {
  volatile char* t = static_cast<char*>(to);
  for (size_t i = 0; i < size; ++i) t[i] = static_cast<char>(byte);
  return to;
}

size_t length_of(const char* text) {
  if (real.length) return real.length(text);
  const volatile char* end = text;
  while (*end) ++end;
  return static_cast<size_t>(end - text);
}

void* copy(void* to, const void* from, size_t size, uint64_t pc) {
  read_range(from, size, pc);
  write_range(to, size, pc);
  return real.copy ? real.copy(to, from, size) : move_slowly(to, from, size);
}
void* move(void* to, const void* from, size_t size, uint64_t pc) {
  read_range(from, size, pc);
  write_range(to, size, pc);
  return real.move ? real.move(to, from, size) : move_slowly(to, from, size);
}
void* fill(void* to, int byte, size_t size, uint64_t pc) {
  write_range(to, size, pc);
  return real.fill ? real.fill(to, byte, size) : fill_slowly(to, byte, size);
}
int compare(const void* a, const void* b, size_t size, uint64_t pc) {
  read_range(a, size, pc);
  read_range(b, size, pc);
  if (real.compare) return real.compare(a, b, size);
  for (size_t i = 0; i < size; ++i) {
    int difference = static_cast<const uint8_t*>(a)[i] - static_cast<const uint8_t*>(b)[i];
    if (difference) return difference;
  }
  return 0;
}
size_t length(const char* text, uint64_t pc) {
  const size_t size = length_of(text);
  read_range(text, size + 1, pc);
  return size;
}
size_t length_within(const char* text, size_t most) {
  size_t size = 0;
  while (size < most && text[size]) ++size;
  return size;
}

/// Compares up to the first difference, or to the end of both.
int compare_text(const char* a, const char* b, size_t most, uint64_t pc) {
  size_t i = 0;
  while (i < most && a[i] && a[i] == b[i]) ++i;
  const size_t seen = i < most ? i + 1 : most;
  read_range(a, seen, pc);
  read_range(b, seen, pc);
  return i < most ? static_cast<uint8_t>(a[i]) - static_cast<uint8_t>(b[i]) : 0;
}

char* copy_text(char* to, const char* from, uint64_t pc) {
  const size_t size = length_of(from);
  copy(to, from, size + 1, pc);
  return to + size;
}

}  // namespace

GORDIAN_TRACE_REPLACES void* memcpy(void* to, const void* from, size_t size) {
  return copy(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __tsan_memcpy(void* to, const void* from, size_t size) {
  return copy(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __memcpy_chk(void* to, const void* from, size_t size, size_t) {
  return copy(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* mempcpy(void* to, const void* from, size_t size) noexcept {
  return static_cast<char*>(copy(to, from, size, GORDIAN_TRACE_CALLER)) + size;
}
GORDIAN_TRACE_REPLACES void* memmove(void* to, const void* from, size_t size) {
  return move(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __tsan_memmove(void* to, const void* from, size_t size) {
  return move(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __memmove_chk(void* to, const void* from, size_t size, size_t) {
  return move(to, from, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* memset(void* to, int byte, size_t size) {
  return fill(to, byte, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __tsan_memset(void* to, int byte, size_t size) {
  return fill(to, byte, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* __memset_chk(void* to, int byte, size_t size, size_t) {
  return fill(to, byte, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void bzero(void* to, size_t size) noexcept {
  fill(to, 0, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int memcmp(const void* a, const void* b, size_t size) {
  return compare(a, b, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int bcmp(const void* a, const void* b, size_t size) noexcept {
  return compare(a, b, size, GORDIAN_TRACE_CALLER);
}

GORDIAN_TRACE_REPLACES size_t strlen(const char* text) {
  return length(text, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES size_t strnlen(const char* text, size_t most) noexcept {
  const size_t size = length_within(text, most);
  read_range(text, size < most ? size + 1 : size, GORDIAN_TRACE_CALLER);
  return size;
}
GORDIAN_TRACE_REPLACES char* strcpy(char* to, const char* from) noexcept {
  copy_text(to, from, GORDIAN_TRACE_CALLER);
  return to;
}
GORDIAN_TRACE_REPLACES char* __strcpy_chk(char* to, const char* from, size_t) {
  copy_text(to, from, GORDIAN_TRACE_CALLER);
  return to;
}
GORDIAN_TRACE_REPLACES char* stpcpy(char* to, const char* from) noexcept {
  return copy_text(to, from, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES char* strcat(char* to, const char* from) noexcept {
  copy_text(to + length(to, GORDIAN_TRACE_CALLER), from, GORDIAN_TRACE_CALLER);
  return to;
}
GORDIAN_TRACE_REPLACES char* strncat(char* to, const char* from, size_t most) noexcept {
  const size_t size = length_within(from, most);
  char* end = to + length(to, GORDIAN_TRACE_CALLER);
  copy(end, from, size, GORDIAN_TRACE_CALLER);
  fill(end + size, 0, 1, GORDIAN_TRACE_CALLER);
  return to;
}
GORDIAN_TRACE_REPLACES char* strncpy(char* to, const char* from, size_t most) noexcept {
  const size_t size = length_within(from, most);
  copy(to, from, size, GORDIAN_TRACE_CALLER);
  fill(to + size, 0, most - size, GORDIAN_TRACE_CALLER);
  return to;
}
GORDIAN_TRACE_REPLACES int strcmp(const char* a, const char* b) noexcept {
  return compare_text(a, b, SIZE_MAX, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int strncmp(const char* a, const char* b, size_t most) noexcept {
  return compare_text(a, b, most, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES char* strdup(const char* text) noexcept {
  read_range(text, length_of(text) + 1, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(strdup)(text);
}

// Reads only: told as a whole, before libc looks.
GORDIAN_TRACE_REPLACES int strcasecmp(const char* a, const char* b) noexcept {
  read_range(a, length_of(a) + 1, GORDIAN_TRACE_CALLER);
  read_range(b, length_of(b) + 1, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(strcasecmp)(a, b);
}
GORDIAN_TRACE_REPLACES int strncasecmp(const char* a, const char* b, size_t most) noexcept {
  read_range(a, length_within(a, most), GORDIAN_TRACE_CALLER);
  read_range(b, length_within(b, most), GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(strncasecmp)(a, b, most);
}
