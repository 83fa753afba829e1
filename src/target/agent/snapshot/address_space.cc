// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/address_space.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "target/agent/snapshot/raw_syscall.h"

namespace gordian_agent {
namespace {

uint64_t hex(const char** p) {
  uint64_t value = 0;
  for (;; ++*p) {
    char c = **p;
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                            : 16;
    if (digit == 16) return value;
    value = value * 16 + digit;
  }
}

/// "55d0-55d4 rw-p 00002000 08:01 1234   /path"
Mapping parse_line(const char* p) {
  Mapping m;
  memset(&m, 0, sizeof m);
  m.begin = hex(&p);
  ++p;
  m.end = hex(&p);
  ++p;
  m.protection = (uint8_t)((p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
                           (p[2] == 'x' ? PROT_EXEC : 0));
  m.shared = p[3] == 's';
  p += 5;
  m.offset = hex(&p);
  ++p;
  m.device = (uint32_t)hex(&p) << 16;
  ++p;
  m.device |= (uint32_t)hex(&p);
  ++p;
  while (*p >= '0' && *p <= '9') m.inode = m.inode * 10 + (uint64_t)(*p++ - '0');
  while (*p == ' ') ++p;
  m.heap = strcmp(p, "[heap]") == 0;
  m.stack = strcmp(p, "[stack]") == 0;
  m.special = strncmp(p, "[v", 2) == 0;  // vdso, vvar, vsyscall
  return m;
}

bool is_lasting(const Mapping& m) {
  const Range* own;
  int count = lasting_ranges(&own);
  for (int i = 0; i < count; ++i) {
    if (m.begin < own[i].end && own[i].begin < m.end) return true;
  }
  return false;
}

bool add_line(AddressSpace* space, const char* line) {
  Mapping m = parse_line(line);
  if (is_lasting(m)) return true;
  if (space->count == AddressSpace::kMost) return false;
  space->at[space->count++] = m;
  return true;
}

bool same_nature(const Mapping& a, const Mapping& b) {
  return a.protection == b.protection && a.shared == b.shared && a.inode == b.inode &&
         a.device == b.device && (a.inode == 0 || a.offset - a.begin == b.offset - b.begin);
}

/// Cuts each mapping of `a` where those of `b` begin or end: fn(mapping, begin, end, b's or null).
template <class Fn>
void each_piece(const AddressSpace& a, const AddressSpace& b, Fn fn) {
  int j = 0;
  for (int i = 0; i < a.count; ++i) {
    for (uint64_t at = a.at[i].begin; at < a.at[i].end;) {
      while (j < b.count && b.at[j].end <= at) ++j;
      const Mapping* other = j < b.count ? &b.at[j] : nullptr;
      bool inside = other && other->begin <= at;
      uint64_t limit = !other ? a.at[i].end : inside ? other->end : other->begin;
      uint64_t end = limit < a.at[i].end ? limit : a.at[i].end;
      fn(a.at[i], at, end, inside ? other : nullptr);
      at = end;
    }
  }
}

void add_range(SpaceChanges* changes, uint64_t begin, uint64_t end) {
  if (changes->count > 0 && changes->added[changes->count - 1].end == begin) {
    changes->added[changes->count - 1].end = end;
  } else if (changes->count == SpaceChanges::kMost) {
    changes->lost = true;  // more than we can undo
  } else {
    Range range = {begin, end};
    changes->added[changes->count++] = range;
  }
}

}  // namespace

bool read_address_space(AddressSpace* space) {
  static char* buffer = (char*)lasting_memory(64 * 1024);  // no lock: -fno-threadsafe-statics
  const size_t kSize = 64 * 1024;
  space->count = 0;
  long fd = raw(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || !buffer) return false;
  size_t have = 0;
  bool fits = true;
  for (long n; fits && (n = raw(SYS_read, fd, buffer + have, kSize - have - 1)) > 0;) {
    have += (size_t)n;
    char* line = buffer;
    for (char* end; (end = (char*)memchr(line, '\n', have - (size_t)(line - buffer)));) {
      *end = 0;
      fits = fits && add_line(space, line);
      line = end + 1;
    }
    have -= (size_t)(line - buffer);
    memmove(buffer, line, have);
    if (have == kSize - 1) fits = false;
  }
  raw(SYS_close, fd);
  return fits;
}

void compare_spaces(const AddressSpace& before, const AddressSpace& now, SpaceChanges* changes) {
  changes->count = 0;
  changes->lost = false;
  each_piece(before, now, [changes](const Mapping& was, uint64_t, uint64_t, const Mapping* is) {
    if (!is || !same_nature(was, *is)) changes->lost = true;
  });
  each_piece(now, before,
             [changes](const Mapping& is, uint64_t begin, uint64_t end, const Mapping* was) {
               if (!was && !is.stack && !is.heap && !is.special) add_range(changes, begin, end);
             });
}

}  // namespace gordian_agent
