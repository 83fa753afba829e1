// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whoever wants to see the system calls of test processes that name files, directories or peers. A
// watched program is started under a seccomp filter (runtime/native/watch_filter.h): each such call
// waits in the kernel until the watch has answered its notification. Calls come from the engine's
// thread; the watch must answer from another one, because the engine waits for programs that wait
// for it.
#pragma once

#include <sys/types.h>

#include "base/unique_fd.h"
#include "wire/protocol.h"

namespace gordian {

class SyscallWatch {
 public:
  virtual ~SyscallWatch() = default;

  /// A program stands before its exec. From now on `listener` has to be served, with every process
  /// that the program makes. `header` and `report` stay where they are until ended().
  virtual void started(pid_t pid, UniqueFd listener, const gordian_wire::Header& header,
                       const gordian_wire::Report& report) = 0;
  /// It is gone, with all its children.
  virtual void ended(pid_t pid) = 0;
  /// The kernel did not let it be watched (errno); it runs all the same.
  virtual void refused(int error) = 0;
};

}  // namespace gordian
