// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Functions of libc that write their results into memory of the program.
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "target/trace/shadow.h"

#undef fread
#undef read
#undef vsnprintf

using namespace gordian_trace;

namespace {

/// How long the text will be is asked first: what was there before must be saved in time.
int print(char* to, size_t room, const char* format, va_list list, uint64_t pc) {
  va_list copy;
  va_copy(copy, list);
  const int length = GORDIAN_TRACE_NEXT(vsnprintf)(nullptr, 0, format, copy);
  va_end(copy);
  if (length >= 0 && room > 0) {
    const size_t size = static_cast<size_t>(length) + 1;
    write_range(to, size < room ? size : room, pc);
  }
  return GORDIAN_TRACE_NEXT(vsnprintf)(to, room, format, list);
}

}  // namespace

#define GORDIAN_TRACE_PRINT(room)                                         \
  va_list list;                                                           \
  va_start(list, format);                                                 \
  const int length = print(to, room, format, list, GORDIAN_TRACE_CALLER); \
  va_end(list);                                                           \
  return length

enum : size_t { kNoLimit = 0x7fffffff };

GORDIAN_TRACE_REPLACES int vsnprintf(char* to, size_t room, const char* format,
                                     va_list list) noexcept {
  return print(to, room, format, list, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int vsprintf(char* to, const char* format, va_list list) noexcept {
  return print(to, kNoLimit, format, list, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int snprintf(char* to, size_t room, const char* format, ...) noexcept {
  GORDIAN_TRACE_PRINT(room);
}
GORDIAN_TRACE_REPLACES int sprintf(char* to, const char* format, ...) noexcept {
  GORDIAN_TRACE_PRINT(kNoLimit);
}
GORDIAN_TRACE_REPLACES int __vsnprintf_chk(char* to, size_t room, int, size_t, const char* format,
                                           va_list list) {
  return print(to, room, format, list, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int __snprintf_chk(char* to, size_t room, int, size_t, const char* format,
                                          ...) {
  GORDIAN_TRACE_PRINT(room);
}
GORDIAN_TRACE_REPLACES int __sprintf_chk(char* to, int, size_t, const char* format, ...) {
  GORDIAN_TRACE_PRINT(kNoLimit);
}

GORDIAN_TRACE_REPLACES ssize_t read(int fd, void* to, size_t size) {
  save_range(to, size);
  const ssize_t got = GORDIAN_TRACE_NEXT(read)(fd, to, size);
  if (got > 0) write_range(to, static_cast<size_t>(got), GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES ssize_t pread(int fd, void* to, size_t size, off_t offset) {
  save_range(to, size);
  const ssize_t got = GORDIAN_TRACE_NEXT(pread)(fd, to, size, offset);
  if (got > 0) write_range(to, static_cast<size_t>(got), GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES ssize_t pread64(int fd, void* to, size_t size, off64_t offset) {
  save_range(to, size);
  const ssize_t got = GORDIAN_TRACE_NEXT(pread64)(fd, to, size, offset);
  if (got > 0) write_range(to, static_cast<size_t>(got), GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES ssize_t recv(int fd, void* to, size_t size, int flags) {
  save_range(to, size);
  const ssize_t got = GORDIAN_TRACE_NEXT(recv)(fd, to, size, flags);
  if (got > 0) write_range(to, static_cast<size_t>(got), GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES size_t fread(void* to, size_t size, size_t count, FILE* from) {
  save_range(to, size * count);
  const size_t got = GORDIAN_TRACE_NEXT(fread)(to, size, count, from);
  write_range(to, got * size, GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES char* fgets(char* to, int size, FILE* from) {
  if (size > 0) save_range(to, static_cast<size_t>(size));
  char* got = GORDIAN_TRACE_NEXT(fgets)(to, size, from);
  if (!got) return got;
  size_t length = 0;
  while (got[length]) ++length;
  write_range(to, length + 1, GORDIAN_TRACE_CALLER);
  return got;
}
GORDIAN_TRACE_REPLACES ssize_t write(int fd, const void* from, size_t size) {
  read_range(from, size, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(write)(fd, from, size);
}
GORDIAN_TRACE_REPLACES size_t fwrite(const void* from, size_t size, size_t count, FILE* to) {
  read_range(from, size * count, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(fwrite)(from, size, count, to);
}

GORDIAN_TRACE_REPLACES void qsort(void* base, size_t count, size_t size,
                                  int (*order)(const void*, const void*)) {
  read_range(base, count * size, GORDIAN_TRACE_CALLER);
  write_range(base, count * size, GORDIAN_TRACE_CALLER);
  GORDIAN_TRACE_NEXT(qsort)(base, count, size, order);
}
GORDIAN_TRACE_REPLACES int clock_gettime(clockid_t clock, struct timespec* to) noexcept {
  write_range(to, sizeof *to, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(clock_gettime)(clock, to);
}
GORDIAN_TRACE_REPLACES int gettimeofday(struct timeval* to, void* zone) noexcept {
  write_range(to, sizeof *to, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(gettimeofday)(to, zone);
}
GORDIAN_TRACE_REPLACES struct tm* localtime_r(const time_t* from, struct tm* to) noexcept {
  read_range(from, sizeof *from, GORDIAN_TRACE_CALLER);
  write_range(to, sizeof *to, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(localtime_r)(from, to);
}
GORDIAN_TRACE_REPLACES char* getcwd(char* to, size_t size) noexcept {
  if (to) save_range(to, size);
  char* got = GORDIAN_TRACE_NEXT(getcwd)(to, size);
  if (got && to) {
    size_t length = 0;
    while (got[length]) ++length;
    write_range(to, length + 1, GORDIAN_TRACE_CALLER);
  }
  return got;
}
