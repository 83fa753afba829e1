// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whoever wants to see the system calls of test processes that name files, directories or peers. A
// watched program is started under a seccomp filter: each such call waits in the kernel until the
// watch has answered its notification. Calls come from the engine's thread; the watch must answer
// from another one, because the engine waits for programs that wait for it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

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

/// The system calls that are told, ascending.
const std::vector<long>& watched_calls();

/// The seccomp filter of watched programs: calls that name a file, a directory or a peer are told
/// to a listener and then go on; all others are not delayed. It is inherited by every child, also
/// over exec, and needs no rights, but the program can gain none any more (NO_NEW_PRIVS). Ready to
/// be installed; made before fork: it allocates.
class WatchFilter {
 public:
  /// `channel_fd`: messages sent there are not told.
  WatchFilter(const gordian_wire::Header& header, int channel_fd);
  ~WatchFilter();
  WatchFilter(const WatchFilter&) = delete;
  WatchFilter& operator=(const WatchFilter&) = delete;

  /// For the calling thread and its children, for good. The listener, or -1 with errno. Only system
  /// calls: may be called between fork and exec.
  int install() const;

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

/// Sends what install() gave, or why it gave nothing, through a socket that the filter spares; only
/// system calls. False: the other side is gone.
bool send_listener(int socket_fd, int listener, int error);
/// Waits for that. Neither listener nor error: the sender has ended before.
struct SentListener {
  UniqueFd listener;
  int error = 0;
};
SentListener receive_listener(int socket_fd);

/// Why programs cannot be watched here, found by trying in a child; empty when they can.
std::string watch_obstacle();
/// What an errno of install() means, for people.
std::string describe_watch_error(int error);

}  // namespace gordian
