// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// ptrace(2) on one stopped thread, for runtime/native/tracer.cc. A thread can be killed at any
// moment, so each of these may find it gone: they answer false, nullopt or nothing then, and the
// next wait tells what became of it.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

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

}  // namespace gordian
