// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

void read_directory(StateReading& from, ExternalState& to) {
  to.cwd = link_text(proc_path(from.held.pid(), "cwd"));
}

void directory_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (before.cwd == after.cwd) return;
  StateEvents events{.writing_calls = {SYS_chdir, SYS_fchdir, SYS_rmdir, SYS_rename},
                     .reading_calls = {SYS_getcwd, SYS_open, SYS_openat, SYS_stat, SYS_newfstatat,
                                       SYS_access, SYS_mkdir, SYS_mkdirat}};
  changes.push_back(changed(
      {CarrierKind::cwd, SoleKey{}}, before.cwd, after.cwd,
      [was = before.cwd](HeldProcess& held) { return held.system_call(SYS_chdir, {was}) == 0; },
      events));
}

bool uses_directory(const TraceEvent& event, const StateEvents&, const MemoryImage& memory) {
  switch (event.syscall) {
    case SYS_chdir:
    case SYS_fchdir:
    case SYS_getcwd:
    case SYS_rmdir:
    case SYS_rename:
      return true;
    default:
      return !path_of(event, memory).starts_with("/");
  }
}

StatePieces read_umask(StateReading& from) {
  const std::int64_t mask = number_in(from.status, "Umask", 8);
  return {{{CarrierKind::umask, SoleKey{}}, {fmt::format("{:04o}", mask), {}}}};
}

bool put_umask_back(HeldProcess& held, const StateKey&, const StatePiece* was, const StatePiece*) {
  return was != nullptr && held.system_call(SYS_umask, {std::stoll(was->text, nullptr, 8)}) >= 0;
}

StateEvents umask_events(const StateKey&, const StatePiece*, const StatePiece*) {
  return {.writing_calls = {SYS_umask},
          .reading_calls = {SYS_umask, SYS_open, SYS_openat, SYS_mkdir, SYS_mkdirat, SYS_creat,
                            SYS_mknod, SYS_mknodat}};
}

bool creates_with_mode(const TraceEvent& event, const StateEvents&, const MemoryImage&) {
  if (event.syscall == SYS_open) return event.arguments[1] & O_CREAT;
  if (event.syscall == SYS_openat) return event.arguments[2] & O_CREAT;
  return true;
}

}  // namespace

const ExternalKind kinds::directory = {.kind = CarrierKind::cwd,
                                       .read = read_directory,
                                       .compare = directory_change,
                                       .concerns = uses_directory};

const ExternalKind kinds::umask = {.kind = CarrierKind::umask,
                                   .pieces = PieceKind{read_umask, put_umask_back, umask_events},
                                   .concerns = creates_with_mode};

}  // namespace gordian
