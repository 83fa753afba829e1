// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The stack of a live thread of another process, read from outside: for a test that crashed and is
// held in the agent's signal handler, or that hangs. The thread is stopped for some milliseconds
// and goes on as if nothing had happened. No network: debug information comes from the files of
// this machine only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/outcome.h"

namespace gordian {

/// The frames of thread `tid` of process `pid`, innermost first, at most `max_frames`; inlined
/// functions count as frames. With `drop_signal_prefix`, a stack that stands in the agent's signal
/// handler starts with the frame the signal interrupted. An error when the thread is gone or may
/// not be traced, or when not one frame could be read.
Result<std::vector<StackFrame>> read_stack(pid_t pid, pid_t tid, int max_frames = 64,
                                           bool drop_signal_prefix = true);

/// One call of a stack, not yet turned into names.
struct FrameAddress {
  std::uint64_t pc = 0;
  std::uint64_t at = 0;      ///< what its name and line are looked up by: inside of the instruction
  bool interrupted = false;  ///< where the thread stands, or where a signal came
};

/// Stacks of one process whose threads the calling thread holds stopped by ptrace. Its modules are
/// read once: that is the slow part. Reading addresses is quick, names can be had later, even when
/// the process has gone. For one thread, the one that traces.
class ProcessStacks {
 public:
  static Result<ProcessStacks> open(pid_t pid);
  ProcessStacks(ProcessStacks&&) noexcept;
  ProcessStacks& operator=(ProcessStacks&&) noexcept;
  ~ProcessStacks();

  /// Innermost first. REQUIRES: `tid` is stopped under the calling thread's ptrace.
  Result<std::vector<FrameAddress>> addresses(pid_t tid, int max_frames = 64);
  /// With inlined functions as frames of their own, so there may be more than addresses. No lines
  /// for libraries of the system.
  std::vector<StackFrame> describe(std::span<const FrameAddress> addresses);
  /// An address at or shortly before `address`, in the same function, where an instruction starts:
  /// from the unwind tables, or else the symbol. nullopt when neither knows the place.
  std::optional<std::uint64_t> instruction_start_before(std::uint64_t address);

 private:
  struct Modules;
  explicit ProcessStacks(std::unique_ptr<Modules> modules);
  std::unique_ptr<Modules> modules_;
};

/// "registry + 40 in mylib.so": what lies at an address of a live process, as far as symbols and
/// mappings tell; never empty.
std::string symbol_at(pid_t pid, std::uint64_t address);

}  // namespace gordian
