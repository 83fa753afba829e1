// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a Tracer is made of: ptrace(2) on one stopped thread, and the breakpoints of one process. A
// thread can be killed at any moment, so whatever touches one may find it gone: it answers false,
// nullopt or nothing then, and the next wait tells what became of it.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "runtime/native/tracer.h"

namespace gordian {

using Registers = user_regs_struct;

struct SyscallStop {
  bool entry = false;
  long number = -1;  ///< at entry
  std::uint64_t instruction = 0;
  std::array<std::uint64_t, 6> arguments{};
};

std::optional<Registers> get_registers(pid_t tid);
bool set_registers(pid_t tid, const Registers& registers);
std::optional<siginfo_t> get_signal(pid_t tid);
std::optional<SyscallStop> get_syscall(pid_t tid);
/// The thread or process that a clone or fork made.
pid_t get_new_pid(pid_t tid);
bool poke_byte(pid_t tid, std::uint64_t address, std::uint8_t byte);
/// As waitid() for this thread, which does not wait; `info` says 0 when there is nothing to tell.
inline int wait_for_thread(int what, pid_t tid, siginfo_t& info) {
  return ::waitid(P_PID, static_cast<id_t>(tid), &info, what | WNOHANG | __WALL);
}
inline bool has_ended(const siginfo_t& info) {
  return info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
}
/// True when the kernel has yet to tell us of a trap that the thread ran into.
bool has_pending_trap(pid_t tid);

/// What goes into debug register 7 for these watches.
std::uint64_t debug_control(std::span<const Watch> watches);
/// Sets the debug registers. A thread that is gone is no error.
Status arm(pid_t tid, std::span<const Watch> watches);
/// Bit i: watch i was hit since the last call.
std::uint64_t take_hits(pid_t tid);

/// Why seizing a thread of `pid` failed, and what to do about it.
Error trace_refused(pid_t pid, int error);

/// The `int3` instructions that a Tracer has put into a process, and the bytes that were there.
/// Each function is told through which stopped thread the memory can be written.
class Breakpoints {
 public:
  bool empty() const { return original_.empty(); }
  bool contains(std::uint64_t address) const { return original_.contains(address); }
  /// False while they are lifted.
  bool in_place() const { return in_place_; }

  /// Takes the old ones away and puts these. On an error, none are left.
  Status replace(pid_t pid, pid_t through, std::span<const std::uint64_t> addresses);
  /// All of them, for a while: another process shares the memory.
  void lift(pid_t through);
  void put_back(pid_t through);
  /// One of them, so that its instruction can be run.
  void lift_one(pid_t through, std::uint64_t address) {
    poke_byte(through, address, original_.at(address));
  }
  void put_back_one(pid_t through, std::uint64_t address);
  /// Takes them out of a copy of the memory, a forked process; our own stay.
  void remove_from_copy(pid_t copy) const;
  /// The memory is gone.
  void forget() { original_.clear(); }

  /// `bytes` from `at`, with the program's own code in place of ours.
  void hide(std::uint64_t at, std::string& bytes) const;

 private:
  std::map<std::uint64_t, std::uint8_t> original_;
  bool in_place_ = true;
};

struct CallBuffer {
  std::uint64_t begin = 0, size = 0;
  bool overlaps(std::uint64_t address, std::uint64_t bytes) const {
    return begin < address + bytes && address < begin + size;
  }
};

/// Which bytes of the program a system call reads, as far as its arguments tell: buffers with a
/// length, gathered buffers and paths. What a call writes needs no table: it is other afterwards.
/// REQUIRES: `call` is an entry. Reads the process' memory for paths and lists of buffers.
std::vector<CallBuffer> buffers_read_by(pid_t pid, const SyscallStop& call);

// Which instruction touched a watched place, and whether it read or wrote. The processor tells only
// that it happened, after the instruction: the program counter is behind it, inside of it (a
// repeated string instruction), or elsewhere (a call through the watched pointer).

struct WatchedAccess {
  TraceKind kind = TraceKind::write;
  std::uint64_t instruction = 0;
  bool in_caller = false;  ///< the thread stands in a function that the instruction called
  bool decoded = false;
};

/// Of one process. Remembers where instructions begin.
class AccessDecoder {
 public:
  /// Up to `size` bytes of code as the program has it, without our breakpoints.
  using ReadCode = std::function<std::string(std::uint64_t at, std::size_t size)>;
  /// ProcessStacks::instruction_start_before.
  using StartBefore = std::function<std::optional<std::uint64_t>(std::uint64_t)>;

  AccessDecoder(ReadCode read, StartBefore start_before)
      : read_(std::move(read)), start_before_(std::move(start_before)) {}

  /// What hit `watch`, from the registers of the stopped thread. `changed`: the watched bytes did.
  WatchedAccess find(const Registers& registers, const Watch& watch, bool changed);

 private:
  std::uint64_t find_start(std::uint64_t end, const Registers& registers, const Watch& watch);

  ReadCode read_;
  StartBefore start_before_;
  std::unordered_map<std::uint64_t, std::uint64_t> starts_;  ///< by where the instruction ends
};

}  // namespace gordian
