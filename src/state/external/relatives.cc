// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Threads and children cannot be ended without changing what they would have done: they are
// suspects, and their reset says no.
#include <fmt/format.h>
#include <sys/syscall.h>

#include <fstream>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

bool cannot_be_undone(HeldProcess&) {
  return false;
}

void read_threads(StateReading& from, ExternalState& to) {
  to.threads = static_cast<int>(number_in(from.status, "Threads", 10));
}

void read_children(StateReading& from, ExternalState& to) {
  const pid_t pid = from.held.pid();
  std::ifstream list(proc_path(pid, fmt::format("task/{}/children", pid)));
  for (pid_t child = 0; list >> child;) ++to.children;
}

void thread_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (after.threads <= before.threads) return;
  StateEvents events{.writing_calls = {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork}};
  changes.push_back(changed({CarrierKind::thread, SoleKey{}}, fmt::format("{}", before.threads),
                            fmt::format("{}", after.threads), cannot_be_undone, events));
}

void child_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (after.children <= before.children) return;
  StateEvents events{.writing_calls = {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork},
                     .reading_calls = {SYS_wait4, SYS_waitid}};
  changes.push_back(changed({CarrierKind::child, SoleKey{}}, "none",
                            fmt::format("{}", after.children - before.children), cannot_be_undone,
                            events));
}

}  // namespace

const ExternalKind kinds::threads = {
    .kind = CarrierKind::thread, .read = read_threads, .compare = thread_change};

const ExternalKind kinds::children = {
    .kind = CarrierKind::child, .read = read_children, .compare = child_change};

}  // namespace gordian
