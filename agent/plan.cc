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

#include "agent/place.h"
#include "agent/snapshot/checkpoint.h"
#include "wire/processes.h"

namespace gordian_agent {
namespace {

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
    me()->pid = 0;
    if (file_system_touched()) own_file_system(index);
  }
  _exit(0);
}

/// True in a branch.
bool start_worker(uint32_t index) {
  pid_t root = getpid();
  memset(&header->worker[index], 0, sizeof header->worker[index]);
  pid_t pid = fork();
  if (pid == 0) {
    work(index, root);
    return true;
  }
  if (pid < 0) give_up(wire::kForkFailed);
  header->worker[index].worker_pid = (uint32_t)pid;
  return false;
}

int worker_of(pid_t pid) {
  for (uint32_t i = 0; i < header->workers; ++i) {
    if (header->worker[i].worker_pid == (uint32_t)pid) return (int)i;
  }
  return -1;
}

/// Closes the branch of a worker that a test has killed: its parent. The branch goes on as a child
/// of ours, the next subreaper.
void adopt_branch(uint32_t index, int status) {
  uint32_t branch = header->worker[index].branch;
  header->worker[index].branch = 0;
  place.worker = index;
  capture_as_reader(index);
  int32_t at = (int32_t)branch - 1;
  if (branch && slots[at].status == wire::kBranchOpen) close_branch(at, status);
}

int worker_whose_branch_is(pid_t pid) {
  for (uint32_t i = 0; i < header->workers; ++i) {
    uint32_t branch = header->worker[i].branch;
    if (branch && slots[branch - 1].pid == (uint32_t)pid) return (int)i;
  }
  return -1;
}

/// A dead worker had a branch in flight: waits for it in the worker's stead. False if there was
/// none (any more).
bool wait_for_branch_of(uint32_t index) {
  uint32_t branch = header->worker[index].branch;
  if (!branch) return false;
  pid_t pid = (pid_t)slots[branch - 1].pid;
  int status = 0;
  if (pid > 1) wire::await_end(pid);
  if (pid <= 1 || waitpid(pid, &status, 0) != pid) status = SIGKILL;
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
    header->worker[index].worker_pid = 0;
    bool died = status != 0;
    if (died && !wait_for_branch_of((uint32_t)index)) ++idle_deaths;
    if (died && idle_deaths < 3) {
      if (start_worker((uint32_t)index)) return true;
    } else {
      --running;  // done, or unable to start: header->fault says why
    }
  }
  end_children();
  give_back_sigchld();
  return false;
}

/// Passes over the branches here: asked again after suite tear-down, we must not fork them then.
void refuse_branches(uint8_t why) {
  for (; plan[place.pc] == wire::kOpen; place.pc = after(place.pc)) {
    slots[place.pc].flags |= why;
    slots[place.pc].status = wire::kBranchUnsafe;
  }
}

int filters_at_first;

/// Why a fork of this process would not be a faithful copy; 0 when it would.
uint8_t unfit_for_fork() {
  if (count_threads() > (int)header->threads) return wire::kUnsafeThreads;
  if (has_live_child()) return wire::kUnsafeChildren;
  if (note_files() > header->odd_fds || file_system_touched()) return wire::kUnsafeFiles;
  if (has_what_forks_lack() || count_filters() != filters_at_first) return wire::kUnsafeFiles;
  return 0;
}

}  // namespace

bool serve() {
  become_owner();
  header->threads = (uint32_t)count_threads();
  header->odd_fds = note_files();
  header->shared_maps = count_shared_maps();
  header->locked_memory = has_locked_memory();
  filters_at_first = count_filters();
  if (header->flags & wire::kCollapseHeap) collapse_heap();
  if (header->flags & wire::kSnapshots) prepare_snapshots();
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
        place.threads = (int)header->threads;
        place.output_seen = capture_size();
        if (header->flags & wire::kStopOnCrash) stop_on_crash(place.worker);
        place.pc = 0;
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
