// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <sys/ptrace.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "runtime/native/tracer_ptrace.h"
#include "runtime/native/tracer_session.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

constexpr int kSyscallTrap = SIGTRAP | 0x80;

bool is_stop_signal(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/// The first stop of a process that was just made; false when it died before.
bool await_first_stop(pid_t pid) {
  for (;;) {
    // Only a look: of a traced process the kernel tells stops and its end, whatever is asked for.
    siginfo_t info{};
    const int waited = wait_for_thread(WSTOPPED | WEXITED | WNOWAIT, pid, info);
    if (waited != 0 && errno != EINTR) return false;
    if (waited != 0 || info.si_pid != pid) {
      std::this_thread::sleep_for(20us);
      continue;
    }
    // Killed at birth, our share of its end is taken, so that its parent hears of it.
    const bool ended = has_ended(info);
    wait_for_thread(ended ? WEXITED : WSTOPPED, pid, info);
    return !ended;
  }
}

}  // namespace

void Tracer::Session::on_stop(TracedThread& thread, int status) {
  thread.stopped = true;
  thread.group_stop = false;
  thread.signal = 0;
  thread.access.reset();
  const int event = status >> 8, signal = status & 0xff;
  if (event != 0) {
    on_event(thread, event, signal);
  } else if (signal == kSyscallTrap) {
    on_syscall(thread);
  } else if (signal == SIGTRAP) {
    on_trap(thread);
  } else {
    thread.signal = signal;
  }
}

void Tracer::Session::on_event(TracedThread& thread, int event, int signal) {
  switch (event) {
    case PTRACE_EVENT_STOP:
      thread.group_stop = is_stop_signal(signal);
      break;
    case PTRACE_EVENT_CLONE:
      on_clone(get_new_pid(thread.tid));
      break;
    case PTRACE_EVENT_FORK:
      let_go(get_new_pid(thread.tid), true);
      break;
    case PTRACE_EVENT_VFORK:
      // The child runs in this memory, untraced: there must be no breakpoint in it.
      breakpoints_.lift(thread.tid);
      ++vforks_;
      thread.in_vfork = true;
      let_go(get_new_pid(thread.tid), false);
      break;
    case PTRACE_EVENT_VFORK_DONE:
      on_vfork_done(thread);
      break;
    case PTRACE_EVENT_EXEC:
      on_exec(thread);
      break;
    default:
      break;
  }
}

void Tracer::Session::on_clone(pid_t tid) {
  if (tid == 0) return;
  const std::string entry = "/proc/" + std::to_string(pid_) + "/task/" + std::to_string(tid);
  std::error_code none;
  if (std::filesystem::exists(entry, none)) {
    threads_[tid].tid = tid;  // its first stop will come
  } else {
    let_go(tid, true);  // a process made in an unusual way, or a thread that is gone
  }
}

void Tracer::Session::on_vfork_done(TracedThread& thread) {
  if (!thread.in_vfork) return;
  thread.in_vfork = false;
  if (--vforks_ == 0) breakpoints_.put_back(thread.tid);
}

void Tracer::Session::on_exec(TracedThread& thread) {
  ended_ = {.kind = TraceKind::exited, .tid = thread.tid, .replaced = true};
  breakpoints_.forget();
  ::ptrace(PTRACE_DETACH, thread.tid, nullptr, nullptr);
  threads_.clear();
}

void Tracer::Session::let_go(pid_t child, bool has_copy) {
  if (child == 0) return;
  ++children_;
  if (!await_first_stop(child)) return;
  if (has_copy && breakpoints_.in_place()) breakpoints_.remove_from_copy(child);
  ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
}

void Tracer::Session::on_trap(TracedThread& thread) {
  const auto info = get_signal(thread.tid);
  if (!info) return;
  const auto registers = get_registers(thread.tid);
  if (!registers) return;
  if (info->si_code == SI_KERNEL && breakpoints_.contains(registers->rip - 1)) {
    on_breakpoint(thread, *registers);
    return;
  }
  const std::uint64_t hits = info->si_code == TRAP_HWBKPT ? take_hits(thread.tid) : 0;
  if (hits == 0 && info->si_code != TRAP_HWBKPT) thread.signal = SIGTRAP;  // the program's own
  on_hits(thread, hits);
}

void Tracer::Session::on_breakpoint(TracedThread& thread, Registers registers) {
  registers.rip -= 1;
  if (!set_registers(thread.tid, registers)) return;
  thread.at_breakpoint = true;
  events_.push_back({.kind = TraceKind::function,
                     .tid = thread.tid,
                     .instruction = registers.rip,
                     .arguments = {registers.rdi, registers.rsi, registers.rdx, registers.rcx,
                                   registers.r8, registers.r9}});
}

void Tracer::Session::on_hits(TracedThread& thread, std::uint64_t hits) {
  const auto registers = hits == 0 ? std::nullopt : get_registers(thread.tid);
  if (!registers) return;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    if ((hits >> i & 1) == 0) continue;
    const std::uint64_t value = value_of(watches_[i]).value_or(values_[i]);
    const WatchedAccess access = decoder_.find(*registers, watches_[i], value != values_[i]);
    thread.access = access;
    TraceEvent event = memory_event(thread, i, value);
    event.kind = access.kind;
    event.instruction = access.instruction;
    event.decoded = access.decoded;
    events_.push_back(event);
  }
}

void Tracer::Session::on_syscall(TracedThread& thread) {
  const auto stop = get_syscall(thread.tid);
  if (!stop) return;
  if (!stop->entry) {
    if (kernel_ == KernelAccess::caught) on_kernel_writes(thread);
    thread.call = {};
    return;
  }
  thread.call = *stop;
  if (kernel_ == KernelAccess::caught) on_kernel_reads(thread);
  if (!syscalls_.contains(stop->number)) return;
  events_.push_back({.kind = TraceKind::syscall,
                     .tid = thread.tid,
                     .instruction = stop->instruction,
                     .arguments = stop->arguments,
                     .syscall = stop->number});
}

std::optional<std::uint64_t> Tracer::Session::value_of(const Watch& watch) const {
  const auto bytes = read_memory(pid_, TargetAddr{watch.address}, watch.size);
  if (!bytes) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes->data(), watch.size);
  return value;
}

TraceEvent Tracer::Session::memory_event(const TracedThread& thread, std::size_t watch,
                                         std::uint64_t value) {
  return {.tid = thread.tid,
          .watch = watch,
          .old_value = std::exchange(values_[watch], value),
          .new_value = value};
}

void Tracer::Session::tell_of_call(const TracedThread& thread, TraceKind kind, std::size_t watch,
                                   std::uint64_t value) {
  TraceEvent event = memory_event(thread, watch, value);
  event.kind = kind;
  event.instruction = thread.call.instruction;
  event.syscall = thread.call.number;
  events_.push_back(event);
}

void Tracer::Session::on_kernel_reads(TracedThread& thread) {
  std::vector<CallBuffer> buffers;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    if (!watches_[i].reads) continue;
    if (buffers.empty()) buffers = buffers_read_by(pid_, thread.call);
    for (const CallBuffer& buffer : buffers) {
      if (!buffer.overlaps(watches_[i].address, watches_[i].size)) continue;
      tell_of_call(thread, TraceKind::read, i, value_of(watches_[i]).value_or(values_[i]));
      break;
    }
  }
}

void Tracer::Session::on_kernel_writes(TracedThread& thread) {
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const auto value = value_of(watches_[i]);
    if (!value || *value == values_[i]) continue;
    if (written_by_another(thread)) continue;
    tell_of_call(thread, TraceKind::write, i, *value);
  }
}

/// A running thread may just have changed it, and be about to tell.
bool Tracer::Session::written_by_another(const TracedThread& thread) {
  for (int round = 0; round < 5 && threads_.size() > 1; ++round) {
    for (auto& [tid, other] : threads_) {
      if (tid == thread.tid || other.stopped) continue;
      siginfo_t info{};
      const int waited = wait_for_thread(WSTOPPED | WNOWAIT, tid, info);
      if (waited != 0 || info.si_pid != tid || info.si_status != SIGTRAP) continue;
      return true;  // its own stop is looked at in turn
    }
    std::this_thread::sleep_for(50us);
  }
  return false;
}

}  // namespace gordian
