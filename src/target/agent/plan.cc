// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The plan interpreter: root, workers and branches (moments 5 to 7 of wire/protocol.h).
//   root     the process in its snapshot state; runs no test unless told kInline. Forks workers
//            and waits; replaces a worker that a test has killed.
//   worker   claims top-level branches, forks each, reaps it, ends what it left running.
//   branch   runs tests. Where the plan branches again it forks from its own state, provided that
//            a fork would be a faithful copy; otherwise it says so and the engine runs those
//            sequences flat.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/agent/place.h"
#include "target/agent/snapshot/checkpoint.h"
#include "wire/processes.h"

namespace gordian_agent {
namespace {

pid_t worker_pid[wire::kMaxWorkers];  // root: those that run; 0 = none

/// The top-level branch that a worker had in flight; -1 for none, or if what it says makes no
/// sense.
int32_t branch_of(uint32_t worker) {
  const int64_t wanted = (int64_t)report->worker[worker].branch - 1;
  int32_t at = 0;
  while (at < wanted && plan[at] == wire::kOpen) at = after(at);
  return at == wanted && plan[at] == wire::kOpen ? at : -1;
}

bool spare_none(pid_t) {
  return false;
}

/// Returns only in branches.
void work(uint32_t index, pid_t root) {
  place.worker = index;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != root) _exit(125);
  close_channel();
  capture_as(index);
  own_file_system(index);
  for (int32_t at = 0; plan[at] == wire::kOpen; at = after(at)) {
    if (!claim(at)) continue;
    me()->branch = (uint32_t)at + 1;
    if (fork_branch(at)) return;
    reap_branch(at);
    me()->branch = 0;
    leave_phase();
    if (file_system_touched()) own_file_system(index);
  }
  _exit(0);
}

/// True in a branch.
bool start_worker(uint32_t index) {
  pid_t root = getpid();
  memset(&report->worker[index], 0, sizeof report->worker[index]);
  pid_t pid = fork();
  if (pid == 0) {
    work(index, root);
    return true;
  }
  if (pid < 0) give_up(wire::kForkFailed);
  worker_pid[index] = pid;
  return false;
}

int worker_of(pid_t pid) {
  for (uint32_t i = 0; i < header->workers; ++i) {
    if (worker_pid[i] == pid) return (int)i;
  }
  return -1;
}

/// Closes the branch of a worker that a test has killed: its parent. The branch goes on as a child
/// of ours, the next subreaper.
void adopt_branch(uint32_t index, int status) {
  int32_t at = branch_of(index);
  report->worker[index].branch = 0;
  place.worker = index;
  capture_as_reader(index);
  if (at >= 0 && is_open(at)) close_branch(at, status);
}

int worker_whose_branch_is(pid_t pid) {
  for (uint32_t i = 0; i < header->workers; ++i) {
    int32_t branch = branch_of(i);
    if (branch >= 0 && slots[branch].pid == (uint32_t)pid) return (int)i;
  }
  return -1;
}

/// A dead worker had a branch in flight: waits for it in the worker's stead. False if there was
/// none (any more).
bool wait_for_branch_of(uint32_t index) {
  int32_t branch = branch_of(index);
  if (branch < 0) return false;
  pid_t pid = (pid_t)slots[branch].pid;
  bool ours = is_own_child(pid) && worker_of(pid) < 0;
  int status = 0;
  if (ours) wire::await_end(pid);
  if (!ours || waitpid(pid, &status, 0) != pid) status = SIGKILL;
  adopt_branch(index, status);
  return true;
}

/// Root: runs the plan with workers. True in branches.
bool run_plan() {
  take_sigchld();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  uint32_t running = header->workers;
  int idle_deaths = 0;
  for (uint32_t i = 0; i < header->workers; ++i) {
    if (start_worker(i)) return true;
  }
  while (running > 0) {
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    if (WIFSTOPPED(status)) {
      wire::let_go(pid, WSTOPSIG(status));
      continue;
    }
    int orphaned = worker_whose_branch_is(pid);
    if (orphaned >= 0) {  // it outlived its worker, whose death we learn of next
      adopt_branch((uint32_t)orphaned, status);
      idle_deaths = -1;
      continue;
    }
    int index = worker_of(pid);
    if (index < 0) continue;
    worker_pid[index] = 0;
    bool died = status != 0;
    if (died && !wait_for_branch_of((uint32_t)index)) ++idle_deaths;
    if (died && idle_deaths < 3) {
      if (start_worker((uint32_t)index)) return true;
    } else {
      --running;  // done, or unable to start: report->fault says why
    }
  }
  wire::end_children_except(spare_none);  // nobody is at work any more, whatever stands there
  give_back_sigchld();
  return false;
}

/// Passes over the branches here: asked again after suite tear-down, we must not fork them then.
void refuse_branches(uint8_t why) {
  for (; plan[place.pc] == wire::kOpen; place.pc = after(place.pc)) {
    slots[place.pc].flags |= why;
    seal(place.pc, wire::kBranchUnsafe);
  }
}

int filters_at_first;

/// Why a fork of this process would not be a faithful copy; 0 when it would.
uint8_t unfit_for_fork() {
  if (count_threads() > place.threads_at_start) return wire::kUnsafeThreads;
  if (has_live_child()) return wire::kUnsafeChildren;
  if (note_files() > place.odd_fds || file_system_touched()) return wire::kUnsafeFiles;
  if (has_what_forks_lack() || count_filters() != filters_at_first) return wire::kUnsafeFiles;
  return 0;
}

}  // namespace

bool is_at_work(pid_t pid) {
  return worker_of(pid) >= 0 || worker_whose_branch_is(pid) >= 0;
}

bool serve() {
  become_owner();
  place.threads_at_start = count_threads();
  place.odd_fds = note_files();
  report->threads = (uint32_t)place.threads_at_start;
  report->odd_fds = place.odd_fds;
  report->shared_maps = count_shared_maps();
  report->locked_memory = has_locked_memory();
  filters_at_first = count_filters();
  if (header->flags & wire::kCollapseHeap) collapse_heap();
  if (header->flags & wire::kSnapshots) prepare_snapshots();
  remember_report();
  for (char byte = wire::kReady;; byte = wire::kDone) {
    fflush(stdout);
    send_byte(byte);
    switch (receive_byte()) {
      case wire::kRun:
        if (run_plan()) return true;
        break;
      case wire::kInline:
        close_channel();
        capture_as(0);
        place.threads = place.threads_at_start;
        place.output_seen = capture_size();
        if (header->flags & wire::kStopOnCrash) stop_on_crash(place.worker);
        place.pc = 0;
        note_damage();
        enter_phase(0);
        return true;
      default:
        return false;
    }
  }
}

int next_test() {
  if (plan[place.pc] == wire::kOpen) {
    fflush(stdout);
    if (uint8_t why = unfit_for_fork()) {
      refuse_branches(why);
      return -1;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  while (plan[place.pc] == wire::kOpen) {
    int32_t at = place.pc;
    if (fork_branch(at)) return next_test();
    int32_t last = reap_branch(at);
    note_fork();
    enter_phase(place.current >= 0 ? place.current : at);
    place.pc = after(last);
  }
  return plan[place.pc] >= 0 ? plan[place.pc] : -1;
}

}  // namespace gordian_agent
