// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Catches what a live process does to its memory, which functions it enters and which system calls
// it makes, with exact call stacks. The process is one that we may trace: a descendant of ours.
//   1. attach() stops all its threads; 2. watch_memory() and the like say what is looked for;
//   3. next() lets it run until that happens; the thread that did it stands still, so that stack()
//   can be read, until next() is called again; 4. detach() leaves the process as it was, running.
// Linux lets only the thread that attached go on to use a tracee: all calls, and the destructor,
// must come from that one thread. When it ends, the kernel lets go of the process.
//
// The program's own signals, traps, stops and children are none the wiser, but for three things:
// a few blocking calls (epoll_wait, sigtimedwait) fail with EINTR when a thread is stopped in them;
// a program that blocks or ignores SIGTRAP finds that undone by the first hit; and processes it
// starts are not watched. A process that dies at any moment is an event, never an error.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/outcome.h"
#include "symbols/backtrace.h"

namespace gordian {

/// Some bytes to watch: 1, 2, 4 or 8 of them, aligned to their number.
struct Watch {
  std::uint64_t address = 0;
  std::uint8_t size = 8;
  bool reads = false;  ///< reads too; writes always
};

constexpr std::size_t kMaxWatches = 4;  ///< the processor has no more

enum class TraceKind : std::uint8_t {
  write,
  read,
  read_write,  ///< one instruction did both: ++x, an atomic exchange
  function,    ///< stands before the function's first instruction
  syscall,     ///< stands before a system call
  exited,      ///< the process ended, or became another program (exec)
  timed_out,
  stopped,  ///< should_stop said so
};

struct TraceEvent {
  TraceKind kind = TraceKind::timed_out;
  pid_t tid = 0;
  /// The instruction that did it. For a memory event its own address, not the next one's.
  std::uint64_t instruction = 0;
  /// function, syscall: its arguments, as far as they travel in integer registers.
  std::array<std::uint64_t, 6> arguments{};
  long syscall = -1;      ///< the system call; for a memory event, the one that did it or -1
  std::size_t watch = 0;  ///< memory events: index into the watches
  std::uint64_t old_value = 0, new_value = 0;  ///< of the watched bytes, little endian
  /// The instruction was found and read. When not, a changed value counts as written and another as
  /// read (or written, where only writes are watched).
  bool decoded = true;
  int exit_code = 0;      ///< exited
  int signal = 0;         ///< exited: the signal it died of
  bool replaced = false;  ///< exited: by exec
};

/// How the accesses that the kernel makes for the program (read() into a buffer) are found.
enum class KernelAccess : std::uint8_t {
  ignored,  ///< not at all; nothing is slower
  /// Each system call is stopped at. Writes: the bytes are other ones afterwards. Reads: the call
  /// is one of those that read a buffer or a path, and the bytes are in it.
  caught,
};

class Tracer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Every thread stands still afterwards. An error when the process is gone, may not be traced
  /// (the hint says what forbids it), or a thread did not stop.
  static Result<Tracer> attach(pid_t pid);
  Tracer(Tracer&&) noexcept;
  Tracer& operator=(Tracer&&) noexcept;
  /// Detaches.
  ~Tracer();

  /// Each of these replaces what it was told before; empty = none. New threads are watched too.
  Status watch_memory(std::span<const Watch> watches, KernelAccess kernel = KernelAccess::caught);
  Status stop_at_functions(std::span<const std::uint64_t> entries);
  Status stop_at_syscalls(std::span<const long> numbers);

  /// Lets the process run until the next event. When several happen at once, each is told by a call
  /// of its own. `should_stop` is asked about every millisecond, and more often while nothing
  /// happens; what happened before it said yes is told first. After `timed_out` and `stopped` the
  /// process runs on; the next call goes on waiting.
  Result<TraceEvent> next(Clock::time_point deadline, const std::function<bool()>& should_stop);

  /// Processes that it has started since attach(): what they do is not seen.
  std::uint64_t children_started() const;

  /// Calls that led to the event just told, innermost first, inlined functions included. An error
  /// when the thread is gone or does not stand still.
  Result<std::vector<StackFrame>> stack(pid_t tid, int max_frames = 64);
  /// The same in two steps: this one is quick, and describe() may come much later.
  Result<std::vector<FrameAddress>> addresses(pid_t tid, int max_frames = 64);
  std::vector<StackFrame> describe(std::span<const FrameAddress> addresses);

  /// Takes away breakpoints and watchpoints and lets every thread go on as if nothing had been. An
  /// error when a thread could not be stopped for that. No other call may follow.
  Status detach();

  /// What a tracer of this thread holds and has ended stays a zombie for its parent until the
  /// tracer has looked. Whoever waits for such a parent has to call this meanwhile, or waits for
  /// ever.
  static void pass_on_ends();

 private:
  class Session;
  static thread_local std::vector<Session*> sessions_;  ///< of this thread
  explicit Tracer(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
};

}  // namespace gordian
