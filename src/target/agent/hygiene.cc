// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// fork() copies memory, not threads, and shares open file descriptions. These checks tell whether a
// fork of this process is a faithful copy, and repair what can be repaired in the child.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/agent/place.h"
#include "target/agent/snapshot/proc_files.h"
#include "wire/processes.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

// glibc 2.32 and newer: non-zero while no thread was ever started. Absent elsewhere.
extern "C" __attribute__((weak)) char __libc_single_threaded;

namespace gordian_agent {
namespace {

struct OpenFile {
  int fd, flags;
  off_t position;
};
const int kMaxFiles = 256;
OpenFile files[kMaxFiles];
int file_count;

struct LinuxDirent {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

bool is_ours(int fd) {
  for (uint32_t i = 0; i < header->workers; ++i) {
    if (fd == header->capture_fd[i]) return true;
  }
  return false;
}

int parse_number(const char* s) {
  int value = 0;
  for (; *s; ++s) {
    if (*s < '0' || *s > '9') return -1;
    value = value * 10 + (*s - '0');
  }
  return value;
}

/// Calls fn(number) for each entry of a /proc directory, without opendir()'s malloc.
template <class Fn>
void each_number(const char* directory, Fn fn) {
  int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) return;
  alignas(8) char buffer[8192];
  long n;
  while ((n = syscall(SYS_getdents64, dir, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < n;) {
      LinuxDirent* entry = (LinuxDirent*)(buffer + at);
      int number = parse_number(entry->name);
      if (number >= 0 && number != dir) fn(number);
      at += entry->size;
    }
  }
  close(dir);
}

/// Calls fn(line) for each line of /proc/self/maps.
template <class Fn>
void each_mapping(Fn fn) {
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  static char buffer[16384];
  size_t have = 0;
  for (ssize_t n; (n = read(fd, buffer + have, sizeof buffer - have - 1)) > 0;) {
    have += (size_t)n;
    char* line = buffer;
    for (char* end; (end = (char*)memchr(line, '\n', have - (size_t)(line - buffer)));) {
      *end = 0;
      fn(line);
      line = end + 1;
    }
    have -= (size_t)(line - buffer);
    memmove(buffer, line, have);
    if (have == sizeof buffer - 1) have = 0;  // a line longer than any path: skip it
  }
  close(fd);
}

uint64_t parse_hex(const char** p) {
  uint64_t value = 0;
  for (;; ++*p) {
    char c = **p;
    if (c >= '0' && c <= '9') {
      value = value * 16 + (uint64_t)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    } else {
      return value;
    }
  }
}

}  // namespace

void each_readable_mapping(void (*fn)(uint64_t begin, uint64_t end)) {
  each_mapping([fn](const char* line) {
    const char* p = line;
    uint64_t begin = parse_hex(&p);
    ++p;
    uint64_t end = parse_hex(&p);
    bool device = strstr(p, "/dev/") || strstr(p, "[vvar");  // reading these may do things
    if (p[0] == ' ' && p[1] == 'r' && !device) fn(begin, end);
  });
}

int count_threads() {
  if (&__libc_single_threaded && __libc_single_threaded) return 1;
  struct stat st;
  return stat("/proc/self/task", &st) == 0 ? (int)st.st_nlink - 2 : 1;
}

bool has_live_child() {
  siginfo_t info;
  info.si_pid = 0;
  // WNOHANG with children alive gives success and no pid; without any child it fails.
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

uint32_t note_files() {
  uint32_t odd = 0;
  file_count = 0;
  each_number("/proc/self/fd", [&odd](int fd) {
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    if (fd < 3 || is_ours(fd) || flags < 0 || fstat(fd, &st) != 0) return;
    if (S_ISREG(st.st_mode)) {
      if (file_count == kMaxFiles) {
        ++odd;
        return;
      }
      OpenFile file = {fd, flags & ~(O_CREAT | O_TRUNC | O_EXCL), lseek(fd, 0, SEEK_CUR)};
      files[file_count++] = file;
    } else if (!S_ISDIR(st.st_mode) && !S_ISCHR(st.st_mode) && !is_channel(fd)) {
      ++odd;
    }
  });
  return odd;
}

void own_files() {
  for (int i = 0; i < file_count; ++i) {
    wire::SmallText path;
    path << "/proc/self/fd/" << (unsigned)files[i].fd;
    int copy = open(path.data, files[i].flags | O_CLOEXEC);
    if (copy < 0) continue;
    lseek(copy, files[i].position, SEEK_SET);
    bool cloexec = (fcntl(files[i].fd, F_GETFD) & FD_CLOEXEC) != 0;
    dup3(copy, files[i].fd, cloexec ? O_CLOEXEC : 0);
    close(copy);
  }
}

uint32_t count_shared_maps() {
  uint32_t count = 0;
  each_mapping([&count](const char* line) {
    const char* p = line;
    uint64_t begin = parse_hex(&p);
    ++p;
    parse_hex(&p);
    bool ours = begin == (uint64_t)(uintptr_t)report;
    if (p[0] == ' ' && p[2] == 'w' && p[4] == 's' && !ours) ++count;
  });
  return count;
}

/// A number of /proc/self/status; 0 where there is none.
static int status_number(const char* field) {
  char text[4096];
  long size = read_proc("/proc/self/status", text, sizeof text - 1);
  text[size > 0 ? size : 0] = 0;
  const char* at = strstr(text, field);
  return at ? atoi(at + strlen(field)) : 0;
}

bool has_locked_memory() {
  return status_number("\nVmLck:") != 0;
}

int count_filters() {
  return status_number("\nSeccomp_filters:");
}

bool has_what_forks_lack() {
  sigset_t waiting;
  if (sigpending(&waiting) == 0 && !sigisemptyset(&waiting)) return true;
  for (int which = 0; which < 3; ++which) {
    struct itimerval timer;
    if (getitimer((__itimer_which_t)which, &timer) != 0) continue;
    if (timer.it_value.tv_sec || timer.it_value.tv_usec) return true;
  }
  char some[64];
  return read_proc("/proc/self/timers", some, sizeof some) > 0 || has_locked_memory();
}

// Copying page table entries dominates fork(): some 27 us per MB of 4 kB pages. Huge pages make
// that 0.5 us per MB; a child that writes gets 4 kB copies as usual. Needs Linux 6.1; harmless
// before.
void collapse_heap() {
  each_mapping([](const char* line) {
    const uint64_t kHuge = 2u << 20;
    const char* p = line;
    uint64_t begin = parse_hex(&p);
    ++p;
    uint64_t end = parse_hex(&p);
    bool anonymous = !strchr(p, '/') && !strstr(p, "[v") && !strstr(p, "[stack");
    if (p[0] != ' ' || p[2] != 'w' || p[4] != 'p' || !anonymous || end - begin < 2 * kHuge) return;
    uint64_t first = (begin + kHuge - 1) & ~(kHuge - 1), last = end & ~(kHuge - 1);
    if (last > first) madvise((void*)first, (size_t)(last - first), MADV_COLLAPSE);
  });
}

bool is_own_child(pid_t pid) {
  siginfo_t info;
  return pid > 1 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

int end_children() {
  return wire::end_children_except(is_at_work);
}

}  // namespace gordian_agent
