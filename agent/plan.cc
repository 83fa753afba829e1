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
// With kSnapshots the process forked for a branch is a *runner*: when the branch is over it goes
// back to its checkpoint and runs the next sibling, as long as everything can be undone. Its parent
// finds in the slots how far it came.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/snapshot/checkpoint.h"
#include "agent/snapshot/machine.h"
#include "agent/snapshot/probe.h"

namespace gordian_agent {
namespace {

// 1 in the process that runs the current branch. The kernel clears the page in every fork, so a
// child that a test makes is a stranger without our asking for its number each time.
char* owner_mark;
pid_t own_pid;
pid_t own_parent;
bool is_branch;
bool top_level;                 // this runner's branches are shared among workers
int32_t leader;                 // the branch for which this process was forked
int32_t own_branch;             // the branch that this process runs now
pid_t forked;                   // the last branch process that this one made; 0 when that failed
uint8_t* hard_to_undo;          // by test, shared by all processes: alone it could not be undone
wire::Obstacle known_obstacle;  // of the branch being forked: needs no checkpoint
int plain_forks;  // so many more forks without a checkpoint: the last ones were of no use
int futile_checkpoints;
uint32_t worker_index;
int32_t pc;
int32_t current = -1;  // token of the test this process runs or ran last
bool failed, skipped, inside_body;
int threads_before = 1;
uint32_t segment_text;  // failure of the current suite's set-up
bool segment_failed;
bool segment_troubled;  // anything reported by its set-up or tear-down, skips included
uint64_t started_ns;
uint64_t output_seen;  // size of the capture file when last asked
struct sigaction users_sigchld;

wire::WorkerState* me() {
  return &header->worker[worker_index];
}

void enter_phase(int32_t slot) {
  wire::WorkerState* state = me();
  state->slot = (uint32_t)slot;
  state->since_ns = now_ns();
  __atomic_store_n(&state->pid, (uint32_t)own_pid, __ATOMIC_RELEASE);
}

/// While a child of ours runs, SIGCHLD must neither be ignored nor handled by the program: either
/// would eat the child's status.
void take_sigchld() {
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &plain, &users_sigchld);
}

void give_back_sigchld() {
  sigaction(SIGCHLD, &users_sigchld, nullptr);
}

/// This process is the one that acts on events.
void become_owner() {
  const size_t kPage = 4096;
  if (!owner_mark) {
    owner_mark = (char*)lasting_memory(kPage);  // a snapshot's copy of it would be wiped
    if (!owner_mark) give_up(wire::kNoMemoryLeft);
    if (madvise(owner_mark, kPage, MADV_WIPEONFORK) != 0) give_up(wire::kForkFailed);
  }
  *owner_mark = 1;
  own_pid = getpid();
}

int32_t after(int32_t at) {
  return at + 2 + plan[at + 1];
}

bool claim(int32_t at) {
  uint32_t unclaimed = 0;
  return __atomic_compare_exchange_n(&slots[at].pid, &unclaimed, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

/// The branch that the runner forked for `first` is at, or was at when it ended.
int32_t reached_by(int32_t first) {
  return slots[first].text ? (int32_t)slots[first].text - 1 : first;
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
  pc = at + 2;
  current = -1;
  slots[leader].text = (uint32_t)at + 1;
  slots[at].worker = worker_index;
  slots[at].pid = (uint32_t)own_pid;
  slots[at].status = wire::kBranchOpen;
  if (top_level) me()->branch = (uint32_t)at + 1;
  slots[at].duration_ns = now_ns();  // its start, until it is over
  output_seen = capture_size();
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

bool fork_branch(int32_t at);
int32_t reap_branch(int32_t first);

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
    slots[leader].text = (uint32_t)at + 1;
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
      return past_hard_branches(next_branch(reached_by(leader)));
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
  return header->snapshots == wire::kSupported && !known && plain_forks == 0 &&
         enough_siblings(first) && expected_obstacle(first) != wire::kSignalledOthers;
}

void become_branch(int32_t at, pid_t parent) {
  give_back_sigchld();
  forget_checkpoint();
  become_owner();
  top_level = !is_branch;
  is_branch = true;
  leader = at;
  own_parent = parent;
  if (getppid() != parent) _exit(125);
  setpgid(0, 0);  // a test that signals its group reaches nobody else
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  own_files();
  leave_file_system_rights();
  threads_before = count_threads();
  if (header->flags & wire::kStopOnCrash) stop_on_crash(worker_index);
  bool worthwhile = worth_a_checkpoint(at);
  plain_forks = futile_checkpoints = 0;  // of our own children nothing is known yet
  known_obstacle = wire::kNoObstacle;
  int32_t begun = worthwhile ? with_checkpoint(at) : at;
  if (begun >= 0) begin_branch(begun);
}

/// The engine may be about to end this process for the test that has just come to its end.
void let_the_engine_decide() {
  __atomic_store_n(&me()->pid, 0, __ATOMIC_SEQ_CST);
  if (current < 0) return;
  if (!(__atomic_load_n(&slots[current].flags, __ATOMIC_SEQ_CST) & wire::kEndedByEngine)) return;
  sleep(1);
  _exit(0);
}

/// The branch is over: goes back, or ends the process if something stands against it. A runner
/// without its parent must end: the same test would kill the next one, up to the engine.
[[noreturn]] void return_to_checkpoint() {
  wire::Slot* slot = &slots[own_branch];
  slot->more_flags = getppid() != own_parent ? wire::kSignalledOthers : obstacle_to_rollback();
  if (slot->more_flags != wire::kNoObstacle) {
    remember_hard(own_branch);
    _exit(0);
  }
  slot->duration_ns = now_ns() - slot->duration_ns;
  __atomic_store_n(&slot->status, (uint8_t)wire::kBranchOk, __ATOMIC_RELEASE);
  let_the_engine_decide();
  roll_back(own_branch);
}

/// Forks at a kOpen token. True in the child.
bool fork_branch(int32_t at) {
  pid_t parent = getpid();
  slots[at].worker = worker_index;
  slots[at].status = wire::kBranchOpen;
  slots[at].duration_ns = now_ns();
  take_sigchld();
  pid_t pid = fork();
  if (pid == 0) {
    become_branch(at, parent);
    return true;
  }
  forked = pid < 0 ? 0 : pid;
  if (pid < 0) {
    give_back_sigchld();
    header->fault = wire::kForkFailed;
    slots[at].status = wire::kBranchDied;
    slots[at].wait_status = 0xffff;
    return false;
  }
  return false;
}

/// The branch is over: note how, and what its last test printed if it never came to an end.
void close_branch(int32_t at, int status) {
  wire::WorkerState* state = me();
  wire::Slot* last = &slots[state->slot];
  if (last->status == wire::kStarting || last->status == wire::kRunning) {
    last->output_end = capture_size();
    capture_cut(last);
    last->duration_ns = now_ns() - state->since_ns;
  }
  slots[at].leaked_children = (uint16_t)end_children();
  slots[at].wait_status = (uint16_t)status;
  slots[at].duration_ns = now_ns() - slots[at].duration_ns;
  if (status != 0) {
    bool known = known_obstacle != wire::kNoObstacle;
    slots[at].more_flags = known ? known_obstacle : wire::kProcessEnded;
    remember_hard(at);
  }
  __atomic_store_n(&slots[at].status, (uint8_t)(status == 0 ? wire::kBranchOk : wire::kBranchDied),
                   __ATOMIC_RELEASE);
}

/// The runner is gone: so is the use of its snapshot. Checkpoints that never serve a second branch
/// cost more than a plain fork: pause them, for longer each time.
void note_runner(int32_t first, int32_t last) {
  uint32_t keeper = (uint32_t)slots[first].output_begin;
  if (plain_forks > 0) --plain_forks;
  if (keeper == 0) return;
  kill((pid_t)keeper, SIGKILL);
  waitpid((pid_t)keeper, nullptr, 0);
  slots[first].output_begin = 0;
  bool futile = last == first && slots[last].more_flags != wire::kNoObstacle;
  futile_checkpoints = futile ? futile_checkpoints + 1 : 0;
  if (futile_checkpoints >= 3)
    plain_forks = 1 << (futile_checkpoints < 9 ? futile_checkpoints - 3 : 6);
}

/// Waits for the process forked at `first`; returns the last branch it took up.
int32_t reap_branch(int32_t first) {
  if (forked == 0) return first;
  // First only look: if the branch has killed us, we die here, and its status is still there for
  // the root to collect.
  siginfo_t info;
  while (waitid(P_PID, (id_t)forked, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  int status = 0;
  while (waitpid(forked, &status, 0) < 0 && errno == EINTR) {
  }
  int32_t last = reached_by(first);
  note_runner(first, last);
  if (slots[last].status == wire::kBranchOpen) {
    close_branch(last, status);
  } else {
    end_children();
  }
  give_back_sigchld();
  return last;
}

/// Returns only in branches.
void work(uint32_t index, pid_t root) {
  worker_index = index;
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
  worker_index = index;
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
  for (; plan[pc] == wire::kOpen; pc = after(pc)) {
    slots[pc].flags |= why;
    slots[pc].status = wire::kBranchUnsafe;
  }
}

/// Why a fork of this process would not be a faithful copy; 0 when it would.
uint8_t unfit_for_fork() {
  if (count_threads() > (int)header->threads) return wire::kUnsafeThreads;
  if (has_live_child()) return wire::kUnsafeChildren;
  if (note_files() > header->odd_fds || file_system_touched()) return wire::kUnsafeFiles;
  if (has_timers_or_locks()) return wire::kUnsafeFiles;
  return 0;
}

/// Threads need a moment to leave the kernel's list after pthread_join has returned.
int settled_threads() {
  int count = count_threads();
  for (int tries = 0; count > threads_before && tries < 10; ++tries) {
    struct timespec ms = {0, 1000000};
    nanosleep(&ms, nullptr);
    count = count_threads();
  }
  return count;
}

void prepare_snapshots() {
  SnapshotProbe probe = probe_snapshots(header->avoid_backends);
  header->snapshots = probe.support;
  header->snapshot_backend = probe.backend;
  void* memory =
      mmap(nullptr, header->tests + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) header->snapshots = wire::kNoMemory;
  hard_to_undo = (uint8_t*)memory;
}

void trace_for(int32_t test) {
  if (header->hooks.trace_test) ((void (*)(int32_t))(uintptr_t)header->hooks.trace_test)(test);
}

}  // namespace

bool owner() {
  return !owner_mark || *owner_mark;
}
bool in_branch() {
  return is_branch;
}

bool serve() {
  become_owner();
  header->threads = (uint32_t)count_threads();
  header->odd_fds = note_files();
  header->shared_maps = count_shared_maps();
  header->locked_memory = has_locked_memory();
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
        threads_before = (int)header->threads;
        output_seen = capture_size();
        if (header->flags & wire::kStopOnCrash) stop_on_crash(worker_index);
        pc = 0;
        enter_phase(0);
        return true;
      default:
        return false;
    }
  }
}

int next_test() {
  if (plan[pc] == wire::kOpen) {
    fflush(stdout);
    if (uint8_t why = unfit_for_fork()) {
      refuse_branches(why);
      return -1;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  while (plan[pc] == wire::kOpen) {
    int32_t at = pc;
    if (fork_branch(at)) return next_test();
    int32_t last = reap_branch(at);
    note_fork();
    enter_phase(current >= 0 ? current : at);
    pc = after(last);
  }
  return plan[pc] >= 0 ? plan[pc] : -1;
}

void take_test() {
  me()->pid = 0;        // the time spent there is nobody's
  trace_for(plan[pc]);  // the trace of the test before is complete when we are held
  hold_before(pc);
  current = pc++;
  failed = skipped = inside_body = false;
  wire::Slot* slot = &slots[current];
  slot->worker = worker_index;
  slot->pid = (uint32_t)own_pid;
  slot->output_begin = output_seen;
  slot->status = wire::kStarting;
  enter_phase(current);
}

int current_test() {
  return plan[current];
}

void test_starts() {
  hold_inside(current);
  inside_body = true;
  wire::Slot* slot = &slots[current];
  slot->output_begin = capture_size();  // behind what the framework prints itself
  started_ns = now_ns();
  me()->since_ns = started_ns;
  __atomic_store_n(&slot->status, (uint8_t)wire::kRunning, __ATOMIC_RELEASE);
}

void report_failure(Text file, int line, Text message, bool is_skip) {
  if (!inside_body) segment_troubled = true;
  if (current < 0 && is_branch) return;  // tear-down of our prefix's suite: its own process tells
  if (current < 0) {                     // global set-up, before the snapshot
    if (header->setup_failed == 1) return;
    header->setup_failed = is_skip ? 2 : 1;
    header->setup_text = arena_failure(file, line, message);
    return;
  }
  wire::Slot* slot = &slots[current];
  bool first_of_kind = is_skip ? !skipped && !failed : !failed;
  (is_skip ? skipped : failed) = true;
  if (!inside_body) slot->flags |= wire::kOutsideBody;
  if (!first_of_kind) return;
  slot->text = arena_failure(file, line, message);
  if (slot->text == 0) slot->flags |= wire::kTextLost;
  if (slot->status == wire::kStarting && !is_skip) {
    segment_failed = true;
    segment_text = slot->text;
  }
}

void body_ends() {
  wire::Slot* slot = &slots[current];
  slot->duration_ns = now_ns() - started_ns;
  fflush(stdout);  // the framework's printer does it too, but only behind us
  slot->output_end = output_seen = capture_size();
}

void test_ends(int known_failed) {
  wire::Slot* slot = &slots[current];
  inside_body = false;
  if (known_failed >= 0 && !known_failed && !(slot->flags & wire::kOutsideBody)) failed = false;
  if (known_failed > 0) failed = true;
  if (segment_failed) {  // suite set-up failed: no test of this segment can be trusted
    failed = true;
    slot->text = segment_text;
    slot->flags |= wire::kOutsideBody;
  }
  capture_cut(slot);
  int threads = settled_threads();
  slot->leaked_threads = threads > threads_before ? (uint16_t)(threads - threads_before) : 0;
  threads_before = threads;
  me()->since_ns = now_ns();
  uint8_t verdict = failed ? wire::kFail : skipped ? wire::kSkip : wire::kPass;
  __atomic_store_n(&slot->status, verdict, __ATOMIC_RELEASE);
}

bool last_passed() {
  return current >= 0 && slots[current].status == wire::kPass;
}

bool suite_troubled() {
  return segment_troubled;
}

void suite_starts() {
  segment_failed = segment_troubled = false;
  segment_text = 0;
}

void suite_ends() {
  if (current < 0) return;
  uint8_t status = slots[current].status;
  if (failed) {
    if (status == wire::kPass || status == wire::kSkip) {
      slots[current].more_flags |= wire::kInTearDown;
    }
    slots[current].status = wire::kFail;
  } else if (status == wire::kStarting) {
    // The framework passed over it: disabled, or filtered out by the program's own arguments.
    slots[current].status = wire::kNotRun;
  }
}

void mark_rerun_unsure() {
  slots[current].flags |= wire::kRerunUnsure;
}

void end_branch() {
  fflush(stdout);
  trace_for(-1);
  if (header->hold.every & wire::kHoldAtEnd) {
    me()->pid = 0;
    hold_at(pc);
  }
  if (header->hooks.coverage_dump) ((void (*)())(uintptr_t)header->hooks.coverage_dump)();
  if (has_checkpoint()) return_to_checkpoint();
  _exit(0);
}

}  // namespace gordian_agent
