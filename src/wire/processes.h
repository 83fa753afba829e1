// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Children of the calling process, for both sides: workers of the agent and the engine's guard end
// what tests leave running. C++11 clean, libc only, safe in signal handlers and after fork.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/small_text.h"
#include "wire/tracees.h"

namespace gordian_wire {

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
