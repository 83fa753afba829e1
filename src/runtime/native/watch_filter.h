// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The seccomp filter of watched programs: calls that name a file, a directory or a peer are told to
// a listener and then go on; all others are not delayed. It is inherited by every child, also over
// exec, and needs no rights, but the program can gain none any more (NO_NEW_PRIVS).
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "wire/protocol.h"

namespace gordian {

/// The system calls that are told, ascending.
const std::vector<long>& watched_calls();

/// A filter ready to be installed. Made before fork: it allocates.
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
