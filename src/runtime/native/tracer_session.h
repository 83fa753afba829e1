// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a Tracer knows of its process. Each thread runs, or it stands in exactly one stop that we
// have seen (`stopped`); it goes on when nothing of it waits to be told. The files:
//   tracer_session.cc  attaching, stopping all, letting go, waiting for stops
//   tracer_stops.cc    what a stop means: an event for the caller, or the program's own business
//   tracer.cc          the public face, and how threads go on
// Threads are waited for one by one, by number: another child of ours must not be reaped here.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "runtime/native/tracer.h"
#include "runtime/native/tracer_ptrace.h"

namespace gordian {

struct TracedThread {
  pid_t tid = 0;
  bool stopped = false;
  bool group_stop = false;     ///< by job control: it has to stay so until SIGCONT
  bool in_vfork = false;       ///< waits for its child and cannot be stopped
  bool at_breakpoint = false;  ///< stands before an instruction that is overwritten by ours
  int signal = 0;              ///< handed on when it goes on
  unsigned armed = 0;          ///< which watches its debug registers hold
  SyscallStop call;            ///< the one it is in
  /// The last memory event: where it happened and whether in the caller of the innermost frame.
  std::optional<WatchedAccess> access;
};

class Tracer::Session {
 public:
  explicit Session(pid_t pid);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Status attach();
  Status detach();
  /// Afterwards every thread stands still, but those in vfork.
  Status stop_all();
  /// Looks at every running thread once. True when one stopped or ended. With `stopped_too`, sees
  /// also that a thread which stood still was killed.
  bool poll(bool stopped_too = false);
  void resume_all();

  Status watch(std::span<const Watch> watches, KernelAccess kernel);
  Status set_breakpoints(std::span<const std::uint64_t> entries);
  void set_syscalls(std::span<const long> numbers);
  Result<std::vector<FrameAddress>> addresses(pid_t tid, int max_frames);
  Result<ProcessStacks*> stacks();

  pid_t pid() const { return pid_; }
  bool ended() const { return ended_.has_value(); }
  /// REQUIRES: ended().
  const TraceEvent& end_event() const { return *ended_; }
  std::uint64_t children() const { return children_; }
  /// An event that happened and was not told yet.
  std::optional<TraceEvent> take_event();
  /// What went wrong while threads were handled, once.
  Status take_error();

 private:
  // tracer_session.cc
  Status seize_new_threads(bool& found);
  bool check(TracedThread& thread);
  bool check_leader(TracedThread& leader);
  void on_end(pid_t tid, const siginfo_t& info);
  bool all_stopped() const;
  void settle(TracedThread& thread);
  void release(TracedThread& thread);
  bool is_own_child() const;

  // tracer_stops.cc
  void on_stop(TracedThread& thread, int status);
  void on_event(TracedThread& thread, int event, int signal);
  void on_clone(pid_t tid);
  void on_vfork_done(TracedThread& thread);
  void on_exec(TracedThread& thread);
  void let_go(pid_t child, bool has_copy);
  void on_trap(TracedThread& thread);
  void on_syscall(TracedThread& thread);
  void on_hits(TracedThread& thread, std::uint64_t hits);
  void on_breakpoint(TracedThread& thread, Registers registers);
  void on_kernel_reads(TracedThread& thread);
  void on_kernel_writes(TracedThread& thread);
  bool written_by_another(const TracedThread& thread);
  std::optional<std::uint64_t> value_of(const Watch& watch) const;
  void tell_of_call(const TracedThread& thread, TraceKind kind, std::size_t watch,
                    std::uint64_t value);
  TraceEvent memory_event(const TracedThread& thread, std::size_t watch, std::uint64_t value);

  // tracer.cc
  bool has_untold_event(pid_t tid) const;
  void step_over(TracedThread& thread);
  bool await_step(TracedThread& thread);
  void resume(TracedThread& thread);
  void arm_thread(TracedThread& thread);
  TracedThread* any_stopped();

  pid_t pid_;
  std::map<pid_t, TracedThread> threads_;
  std::deque<TraceEvent> events_;
  std::optional<TraceEvent> ended_;
  std::optional<Error> error_;

  std::vector<Watch> watches_;
  std::vector<std::uint64_t> values_;  ///< of the watched bytes, when last looked at
  KernelAccess kernel_ = KernelAccess::caught;
  unsigned generation_ = 0;  ///< of watches_
  Breakpoints breakpoints_;
  int vforks_ = 0;
  std::uint64_t children_ = 0;  ///< processes that it has started
  std::set<long> syscalls_;

  std::optional<ProcessStacks> stacks_;
  AccessDecoder decoder_;
};

}  // namespace gordian
