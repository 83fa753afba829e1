// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Children of the calling process, for both sides: workers of the agent and the engine's guard end
// what tests leave running. C++11 clean, libc only, safe in signal handlers and after fork.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire/small_text.h"

namespace gordian_wire {

// Waiting for a child that may have made us its tracer. After PTRACE_TRACEME a signal stops the
// thread that called it, wait() tells us of that whether we ask or not, and it stays so until we
// let it go; a thread that ends so stays until we collect it, and keeps its process from ending.

/// Lets a stopped thread go, and its signal reach it, as if nobody traced it. The trap by which a
/// tracer learns of an exec() is none of the program's signals.
inline void let_go(pid_t thread, int signal) {
  siginfo_t info;
  const bool is_exec = signal == SIGTRAP && ptrace(PTRACE_GETSIGINFO, thread, 0, &info) == 0 &&
                       info.si_code == SI_USER;
  ptrace(PTRACE_DETACH, thread, 0, (long)(is_exec ? 0 : signal));
}

inline bool is_stop(const siginfo_t& info) {
  return info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED;
}

/// Lets go or collects those threads of `pid` that wait for us to do so.
inline void release_threads(pid_t pid) {
  struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[1];
  };
  SmallText path;
  path << "/proc/" << (unsigned)pid << "/task";
  const int list = open(path.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return;
  alignas(8) char buffer[4096];
  long size;
  while ((size = syscall(SYS_getdents64, list, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < size;) {
      const Entry* entry = (const Entry*)(buffer + at);
      at += entry->size;
      pid_t thread = 0;
      for (const char* c = entry->name; *c >= '0' && *c <= '9'; ++c)
        thread = thread * 10 + (*c - '0');
      int status = 0;
      if (thread == 0 || thread == pid) continue;
      if (waitpid(thread, &status, WNOHANG | __WALL) != thread) continue;
      if (WIFSTOPPED(status)) let_go(thread, WSTOPSIG(status));
    }
  }
  close(list);
}

/// Whether somebody ended whom we have to leave to others: then all our looks would end with him.
inline bool ended_beside(pid_t pid, const siginfo_t& info) {
  if (info.si_pid == pid || is_stop(info)) return false;
  SmallText path;
  path << "/proc/" << (unsigned)pid << "/task/" << (unsigned)info.si_pid;
  return access(path.data, F_OK) != 0;
}

/// Returns when this child has ended, or if it is none; its status is still there to be collected.
inline void await_end(pid_t pid) {
  siginfo_t there;
  if (waitid(P_PID, (id_t)pid, &there, WEXITED | WNOWAIT | WNOHANG | __WALL) != 0) return;
  bool beside = false;  // then we look at `pid` alone, and at its threads from time to time
  for (;;) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    const int how = WEXITED | WNOWAIT | __WALL | (beside ? WNOHANG : 0);
    if (waitid(beside ? P_PID : P_ALL, (id_t)pid, &info, how) != 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (info.si_pid == pid && !is_stop(info)) return;
    if (info.si_pid != 0 && is_stop(info)) {
      let_go(info.si_pid, info.si_status);
      continue;
    }
    beside = beside || ended_beside(pid, info);
    release_threads(pid);
    const struct timespec pause = {0, 1000000};
    if (beside) nanosleep(&pause, nullptr);
  }
}

/// Calls fn(pid) for each child of the calling thread, dead ones included.
template <class Fn>
void each_child(Fn fn) {
  SmallText path;
  path << "/proc/self/task/" << (unsigned)syscall(SYS_gettid) << "/children";
  char buffer[4096];
  int fd = open(path.data, O_RDONLY | O_CLOEXEC);
  ssize_t size = fd < 0 ? -1 : read(fd, buffer, sizeof buffer);
  if (fd >= 0) close(fd);
  pid_t pid = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (buffer[i] >= '0' && buffer[i] <= '9') {
      pid = pid * 10 + (buffer[i] - '0');
    } else if (pid > 0) {
      fn(pid);
      pid = 0;
    }
  }
}

/// Kills and reaps every child that keep(pid) does not spare, and in turn those that come to us
/// from them if we are a subreaper. Returns how many were alive.
template <class Keep>
int end_children_except(Keep keep) {
  siginfo_t info;
  if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return 0;  // the usual case: none
  int total = 0;
  for (bool found = true; found;) {
    found = false;
    each_child([&](pid_t pid) {
      if (keep(pid)) return;
      found = true;
      int status = 0;
      if (waitpid(pid, &status, WNOHANG) == pid && !WIFSTOPPED(status)) return;
      ++total;
      kill(pid, SIGKILL);
      await_end(pid);
      waitpid(pid, nullptr, 0);
    });
  }
  return total;
}

}  // namespace gordian_wire
