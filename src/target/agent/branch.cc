// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Branches: forking them, running several in one process that goes back in time, and their end.
// With kSnapshots the process forked for a branch is a *runner*: when the branch is over it goes
// back to its checkpoint and runs the next sibling, as long as everything can be undone. Its parent
// finds in the slots how far it came.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/agent/place.h"
#include "target/agent/snapshot/checkpoint.h"
#include "target/agent/snapshot/machine.h"
#include "target/agent/snapshot/probe.h"
#include "wire/check.h"
#include "wire/processes.h"

namespace gordian_agent {
namespace {

pid_t own_parent;
bool top_level;                 // this runner's branches are shared among workers
int32_t leader;                 // the branch for which this process was forked
int32_t own_branch;             // the branch that this process runs now
pid_t forked;                   // the last branch process that this one made; 0 when that failed
uint8_t* hard_to_undo;          // by test, shared by all processes: alone it could not be undone
wire::Obstacle known_obstacle;  // of the branch being forked: needs no checkpoint
int plain_forks;  // so many more forks without a checkpoint: the last ones were of no use
int futile_checkpoints;

wire::SnapshotBackend backend;  // kNoBackend: no snapshots

int32_t* own_reached;  // the branch that this runner is at; where going back in time leaves it

/// The branch that the runner forked for `first` is at, or was at when it ended: `first` itself or
/// one beside it. Whatever else stands there was written by a test.
int32_t reached_by(int32_t first) {
  const int64_t reached = (int64_t)slots[first].text - 1;
  int32_t at = first;
  while (at < reached && plan[after(at)] == wire::kOpen) at = after(at);
  return at == reached ? at : first;
}

void note_reached(int32_t at) {
  slots[leader].text = (uint32_t)at + 1;
  if (own_reached) *own_reached = at;
}

/// The next branch for this runner; -1 when there is none.
int32_t next_branch(int32_t at) {
  for (at = after(at); plan[at] == wire::kOpen; at = after(at)) {
    if (!top_level || claim(at)) return at;
  }
  return -1;
}

void begin_branch(int32_t at) {
  own_branch = at;
  place.pc = at + 2;
  place.current = -1;
  note_reached(at);
  slots[at].flags = 0;
  slots[at].wait_status = slots[at].leaked_threads = slots[at].leaked_children = 0;
  slots[at].worker = place.worker;
  slots[at].pid = (uint32_t)place.pid;
  slots[at].duration_ns = now_ns();  // its start, until it is over
  seal(at, wire::kBranchOpen);
  if (top_level) me()->branch = (uint32_t)at + 1;
  place.output_seen = capture_size();
  note_damage();
  enter_phase(at);
}

/// The only test of a branch; -1 when it has several.
int32_t only_test_of(int32_t at) {
  return plan[at + 2] >= 0 && plan[at + 3] == wire::kClose ? plan[at + 2] : -1;
}

/// What would cost this process its checkpoint. What it forks in turn does not count.
wire::Obstacle expected_obstacle(int32_t at) {
  for (int32_t i = at + 2; plan[i] >= 0; ++i) {
    if (hard_to_undo[plan[i]]) return (wire::Obstacle)hard_to_undo[plan[i]];
  }
  return wire::kNoObstacle;
}

void remember_hard(int32_t at) {
  int32_t test = only_test_of(at);
  if (test >= 0 && hard_to_undo) hard_to_undo[test] = (uint8_t)slots[at].more_flags;
}

/// Leaves a branch to the process that forked this one.
[[noreturn]] void hand_back(int32_t at) {
  if (top_level) __atomic_store_n(&slots[at].pid, 0, __ATOMIC_RELEASE);
  _exit(0);
}

/// Runs branches that are hard to undo in forks of this runner, which stays as it is. Returns the
/// next branch that it can run itself; in the forks, theirs.
int32_t past_hard_branches(int32_t at) {
  for (wire::Obstacle why; at >= 0 && (why = expected_obstacle(at)) != wire::kNoObstacle;) {
    if (why == wire::kSignalledOthers) hand_back(at);
    if (top_level) me()->branch = (uint32_t)at + 1;
    note_reached(at);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    known_obstacle = why;
    slots[at].more_flags = why;
    if (fork_branch(at)) return -1;
    reap_branch(at);
    known_obstacle = wire::kNoObstacle;
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    if (file_system_touched()) _exit(0);  // the worker has to lay a new one
    at = next_branch(at);
  }
  if (at < 0) _exit(0);
  return at;
}

/// Returns in the runner once for each branch that it gets to; -1 in a fork that has begun its own.
int32_t with_checkpoint(int32_t first) {
  volatile uint32_t* keeper = (volatile uint32_t*)&slots[first].output_begin;
  switch (take_checkpoint(keeper)) {
    case kRolledBack:
      return past_hard_branches(next_branch(*own_reached));
    case kRefused:
      slots[first].more_flags = wire::kRefusedHere;
      return first;
    default:
      return past_hard_branches(first);
  }
}

/// A checkpoint costs some four forks, so it has to save more than that. What another worker has
/// taken by then does not count, but is not known yet.
bool enough_siblings(int32_t first) {
  const int kEnough = 4;
  int siblings = 0;
  for (int32_t at = after(first); plan[at] == wire::kOpen && siblings < kEnough; at = after(at))
    ++siblings;
  return siblings == kEnough;
}

bool worth_a_checkpoint(int32_t first) {
  bool known = known_obstacle != wire::kNoObstacle;
  slots[first].more_flags = known ? known_obstacle : wire::kNotTaken;
  seal(first, wire::kBranchOpen);
  return backend != wire::kNoBackend && !known && plain_forks == 0 && enough_siblings(first) &&
         expected_obstacle(first) != wire::kSignalledOthers;
}

void become_branch(int32_t at, pid_t parent) {
  give_back_sigchld();
  forget_checkpoint();
  become_owner();
  top_level = !place.in_branch;
  place.in_branch = true;
  leader = at;
  own_parent = parent;
  if (getppid() != parent) _exit(125);
  setpgid(0, 0);  // a test that signals its group reaches nobody else
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  own_files();
  leave_file_system_rights();
  place.threads = count_threads();
  if (header->flags & wire::kStopOnCrash) stop_on_crash(place.worker);
  bool worthwhile = worth_a_checkpoint(at);
  plain_forks = futile_checkpoints = 0;  // of our own children nothing is known yet
  known_obstacle = wire::kNoObstacle;
  int32_t begun = worthwhile ? with_checkpoint(at) : at;
  if (begun >= 0) begin_branch(begun);
}

/// The engine may be about to end this process for the test that has just come to its end.
void let_the_engine_decide() {
  leave_phase();
  uint32_t ended = __atomic_load_n(&header->ended[place.worker], __ATOMIC_SEQ_CST);
  if (place.current < 0 || ended != (uint32_t)place.current + 1) return;
  sleep(1);
  _exit(0);
}

/// The branch is over: goes back, or ends the process if something stands against it. A runner
/// without its parent must end: the same test would kill the next one, up to the engine.
[[noreturn]] void return_to_checkpoint() {
  wire::Slot* slot = &slots[own_branch];
  if (!is_open(own_branch)) _exit(125);  // what we would tell stands where others have written
  slot->more_flags = wire::kUnknownCall;
  slot->output_end = 1;  // from here on a filter that the test has left can end us, not the test
  seal(own_branch, wire::kBranchOpen);
  const pid_t parent = getppid();  // or the filter's refusal
  const bool orphan = parent > 0 && parent != own_parent;
  slot->more_flags = orphan ? wire::kSignalledOthers : obstacle_to_rollback();
  if (slot->more_flags != wire::kNoObstacle) {
    seal(own_branch, wire::kBranchOpen);
    remember_hard(own_branch);
    _exit(0);
  }
  slot->duration_ns = now_ns() - slot->duration_ns;
  seal(own_branch, wire::kBranchOk);
  let_the_engine_decide();
  roll_back(own_branch);
}

/// The runner is gone: so is the use of its snapshot. Checkpoints that never serve a second branch
/// cost more than a plain fork: pause them, for longer each time.
void note_runner(int32_t first, int32_t last) {
  uint32_t keeper = (uint32_t)slots[first].output_begin;
  if (plain_forks > 0) --plain_forks;
  if (keeper == 0) return;
  if (is_own_child((pid_t)keeper)) {  // else a test wrote there, and it ends with our children
    kill((pid_t)keeper, SIGKILL);
    waitpid((pid_t)keeper, nullptr, 0);
  }
  slots[first].output_begin = 0;
  bool futile = last == first && slots[last].more_flags != wire::kNoObstacle;
  futile_checkpoints = futile ? futile_checkpoints + 1 : 0;
  if (futile_checkpoints >= 3)
    plain_forks = 1 << (futile_checkpoints < 9 ? futile_checkpoints - 3 : 6);
}

}  // namespace

void prepare_snapshots() {
  SnapshotProbe probe = probe_snapshots(header->avoid_backends);
  void* memory =
      mmap(nullptr, report->tests + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  own_reached = (int32_t*)lasting_memory(sizeof *own_reached);
  if (memory == MAP_FAILED || !own_reached) probe.support = wire::kNoMemory;
  hard_to_undo = (uint8_t*)memory;
  report->snapshots = probe.support;
  report->snapshot_backend = probe.backend;
  if (probe.support == wire::kSupported) backend = (wire::SnapshotBackend)probe.backend;
}

wire::SnapshotBackend snapshot_backend() {
  return backend;
}

bool fork_branch(int32_t at) {
  pid_t parent = getpid();
  slots[at].flags = 0;
  slots[at].wait_status = slots[at].leaked_threads = slots[at].leaked_children = 0;
  slots[at].worker = place.worker;
  slots[at].duration_ns = now_ns();
  seal(at, wire::kBranchOpen);
  take_sigchld();
  pid_t pid = fork();
  if (pid == 0) {
    become_branch(at, parent);
    return true;
  }
  forked = pid < 0 ? 0 : pid;
  if (pid < 0) {
    give_back_sigchld();
    report->fault = wire::kForkFailed;
    slots[at].wait_status = 0xffff;
    seal(at, wire::kBranchDied);
    return false;
  }
  return false;
}

/// A test that never came to its end: what it printed and how long it took. Only if that is known:
/// it may have written where we read.
void close_test(int32_t branch) {
  wire::WorkerState state = *me();
  if (state.slot <= (uint32_t)branch || state.slot >= (uint32_t)after(branch)) return;
  wire::Slot* last = &slots[state.slot];
  if (last->status != wire::kStarting && last->status != wire::kRunning) return;
  if (!wire::is_intact(*last, state.slot, header->nonce)) return;
  last->output_end = capture_size();
  capture_cut(last);
  last->duration_ns = now_ns() - state.since_ns;
  seal((int32_t)state.slot, last->status);
}

void close_branch(int32_t at, int status) {
  close_test(at);
  slots[at].leaked_children = (uint16_t)end_children();
  slots[at].wait_status = (uint16_t)status;
  slots[at].duration_ns = now_ns() - slots[at].duration_ns;
  if (status != 0) {
    bool known = known_obstacle != wire::kNoObstacle;
    slots[at].more_flags = known ? known_obstacle : wire::kProcessEnded;
    remember_hard(at);
  }
  seal(at, status == 0 ? wire::kBranchOk : wire::kBranchDied);
}

int32_t reap_branch(int32_t first) {
  if (forked == 0) return first;
  // First only look: if the branch has killed us, we die here, and its status is still there for
  // the root to collect.
  wire::await_end(forked);
  int status = 0;
  while (waitpid(forked, &status, 0) < 0 && errno == EINTR) {
  }
  int32_t last = reached_by(first);
  note_runner(first, last);
  if (is_open(last)) {
    const bool on_its_way_back =
        slots[last].output_end != 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    if (on_its_way_back) remember_hard(last);
    close_branch(last, on_its_way_back ? 0 : status);
  } else {
    end_children();
  }
  give_back_sigchld();
  return last;
}

void end_branch() {
  fflush(stdout);
  trace_for(-1);
  if (header->hold.every & wire::kHoldAtEnd) {
    leave_phase();
    hold_at(place.pc);
  }
  if (coverage_dump) coverage_dump();
  if (has_checkpoint()) return_to_checkpoint();
  _exit(0);
}

void end_plan() {
  if (place.in_branch) end_branch();
  static bool held;
  if (held || !(header->hold.every & wire::kHoldAtInlineEnd)) return;
  held = true;
  leave_phase();
  hold_at(place.pc);
}

}  // namespace gordian_agent
