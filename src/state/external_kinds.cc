// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external_kinds.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <string>

namespace gordian {
namespace {

using namespace changes;
using namespace kinds;

const ExternalKind kTable[] = {
    {.kind = CarrierKind::environment,
     .read = read_environment,
     .compare = environment_changes,
     .concerns = names_variable},
    {.kind = CarrierKind::cwd,
     .read = read_directory,
     .compare = directory_change,
     .concerns = uses_directory},
    {.kind = CarrierKind::umask,
     .read = read_umask,
     .compare = umask_change,
     .concerns = creates_with_mode},
    {.kind = CarrierKind::locale, .read = read_locale, .compare = locale_changes},
    {.kind = CarrierKind::signal,
     .read = read_signals,
     .compare = signal_changes,
     .concerns = uses_signal},
    // With the signals that wait because of it.
    {.kind = CarrierKind::signal_mask, .read = read_signal_mask, .compare = mask_changes},
    {.kind = CarrierKind::descriptor,
     .read = read_descriptors,
     .compare = descriptor_changes,
     .concerns = uses_descriptor},
    {.kind = CarrierKind::limit, .read = read_limits, .compare = limit_changes},
    {.kind = CarrierKind::timer, .read = read_timers, .compare = timer_changes},
    {.kind = CarrierKind::fp_mode, .read = read_float_mode, .compare = float_change},
    {.kind = CarrierKind::process, .read = read_attributes, .compare = attribute_changes},
    {.kind = CarrierKind::thread, .read = read_threads, .compare = thread_change},
    {.kind = CarrierKind::child, .read = read_children, .compare = child_change},
    {.kind = CarrierKind::sysv,
     .pieces = &segments,
     .concerns = names_segment,
     .only_asks = only_asks_for_segment,
     .unseen = segment_calls},
    // Read and compared by themselves: file_changes.h, mapping_changes.h.
    {.kind = CarrierKind::file, .concerns = names_file},
    {.kind = CarrierKind::mapping, .concerns = uses_mapping},
};

}  // namespace

std::span<const ExternalKind> external_kinds() {
  return kTable;
}

namespace {

std::string text_at(const MemoryImage& memory, std::uint64_t address) {
  return memory.c_string(address).value_or("");
}

std::string_view last_part(std::string_view path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool takes_directory(long number) {
  switch (number) {
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_faccessat:
    case SYS_mknodat:
      return true;
    default:
      return false;
  }
}

/// The path that a call names first.
std::string path_of(const TraceEvent& event, const MemoryImage& memory) {
  return text_at(memory, event.arguments[takes_directory(event.syscall) ? 1 : 0]);
}

/// Most calls that set something also only ask, by their arguments.
bool only_asks(const TraceEvent& event) {
  const auto& a = event.arguments;
  switch (event.syscall) {
    case SYS_rt_sigprocmask:
    case SYS_rt_sigaction:
      return a[1] == 0;
    case SYS_prlimit64:
      return a[2] == 0;
    case SYS_prctl:
      return a[0] != PR_SET_NAME;
    case SYS_personality:
      return a[0] == 0xffffffff;
    case SYS_sigaltstack:
      return a[0] == 0;
    case SYS_fcntl:
      return a[1] == F_GETFD || a[1] == F_GETFL || a[1] == F_GETLK;
    default:
      return false;
  }
}

bool overlap(ByteRange a, ByteRange b) {
  return a.begin < b.end() && b.begin < a.end();
}

/// Calls that do something to a mapping, or to what is in it. The kernel chooses the address of
/// most new ones: then their size has to tell.
bool uses_memory(const TraceEvent& event, ByteRange memory) {
  const auto& a = event.arguments;
  const std::uint64_t size = (a[1] + 4095) & ~std::uint64_t{4095};
  switch (event.syscall) {
    case SYS_mmap:
      return a[0] == 0 ? size == memory.size : overlap({a[0], size}, memory);
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_madvise:
    case SYS_mincore:
    case SYS_msync:
    case SYS_mlock:
      return overlap({a[0], size}, memory);
    default:
      return a[1] >= memory.begin && a[1] < memory.end();  // read() and its kin: the buffer
  }
}

}  // namespace

namespace kinds {

bool names_variable(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory) {
  const std::string& name = events.argument;
  std::string text = text_at(memory, event.arguments[0]);
  return text == name || text.starts_with(name + "=") || text.empty();  // clearenv has no argument
}

bool names_file(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory) {
  const std::string& path = events.argument;
  if (event.syscall == SYS_bind) {  // struct sockaddr_un: two bytes, then the path
    return last_part(text_at(memory, event.arguments[1] + 2)) == last_part(path);
  }
  if (last_part(path_of(event, memory)) == last_part(path)) return true;
  bool two =
      event.syscall == SYS_rename || event.syscall == SYS_link || event.syscall == SYS_symlink;
  return two && last_part(text_at(memory, event.arguments[1])) == last_part(path);
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

bool uses_descriptor(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  const auto wanted = static_cast<std::uint64_t>(events.number.value_or(-1));
  if (event.syscall == SYS_fcntl && event.arguments[1] == F_DUPFD) return true;
  switch (event.syscall) {
    case SYS_dup2:
    case SYS_dup3:
      return event.arguments[0] == wanted || event.arguments[1] == wanted;
    case SYS_open:
    case SYS_openat:
    case SYS_socket:
      return false;  // the number is not known before it returns
    default:
      return event.arguments[0] == wanted;
  }
}

bool creates_with_mode(const TraceEvent& event, const StateEvents&, const MemoryImage&) {
  if (event.syscall == SYS_open) return event.arguments[1] & O_CREAT;
  if (event.syscall == SYS_openat) return event.arguments[2] & O_CREAT;
  return true;
}

bool uses_mapping(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  return !events.memory || uses_memory(event, *events.memory);
}

bool uses_signal(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  return event.syscall != SYS_rt_sigaction || !events.number ||
         event.arguments[0] == static_cast<std::uint64_t>(*events.number);
}

}  // namespace kinds

bool concerns(const TraceEvent& event, CarrierKind kind, bool writing, const StateEvents& events,
              const MemoryImage& memory) {
  if (writing && only_asks(event)) return false;
  for (const ExternalKind& row : external_kinds()) {
    if (row.kind != kind) continue;
    if (writing && row.only_asks != nullptr && row.only_asks(event)) return false;
    return row.concerns == nullptr || row.concerns(event, events, memory);
  }
  return true;
}

}  // namespace gordian
