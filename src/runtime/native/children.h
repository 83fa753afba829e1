// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Nothing we started may outlive us. Guards end what tests leave behind; should one be killed, its
// processes come to us, the next subreaper: children that nobody registered are orphans, and ended.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace gordian {

/// Call once, before the first launch.
void adopt_orphans();

void register_child(pid_t pid);
void unregister_child(pid_t pid);

/// Waits for the end of a child: its status.
int reap(pid_t pid);
/// A field of /proc/PID/status for one of its threads, such as "PPid:"; empty when there is none.
std::string status_field(pid_t pid, pid_t tid, std::string_view name);

/// Kills and reaps every child of ours that is not registered, and in turn the children that come
/// to us from them. Returns how many were alive.
int end_orphans();

/// True if `pid` is a process whose parents lead to `ancestor`.
bool descends_from(pid_t pid, pid_t ancestor);
/// False for a process that is gone, or has ended and waits for its parent to notice.
bool is_alive(pid_t pid);
/// A test can stop the processes above it, which watch it and wait for its end. If one of them up
/// to `ancestor`, a child of ours, stands still, everything below that goes on. `pid` itself, if it
/// is the only one that stands still, was stopped for its own sake.
void wake_ancestors(pid_t pid, pid_t ancestor);
/// Everything from `ancestor` on goes on, if it was stopped.
void wake_all(pid_t ancestor);
/// SIGKILL to `pid` if it descends from `ancestor`; for numbers that somebody else wrote. What is
/// signalled is what was looked at, even if the number is given to another process meanwhile.
/// False: it does not, or is gone.
bool kill_descendant(pid_t pid, pid_t ancestor);

}  // namespace gordian
