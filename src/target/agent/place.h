// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where this process stands in the plan: shared by the files that interpret it, nobody else's.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

struct Place {
  uint32_t worker;       // index of the worker, in the process itself and in its branches
  pid_t pid;             // of this process
  bool in_branch;        // it is neither the root nor a worker
  int32_t pc;            // the next token
  int32_t current;       // token of the test this process runs or ran last; -1: none yet
  int threads;           // when last counted
  int threads_at_start;  // before the first test, as are
  uint32_t odd_fds;      // descriptors that forks would share
  uint64_t output_seen;  // size of the capture file when last asked
};
extern Place place;

// --- place.cc ---------------------------------------------------------------------------------

wire::WorkerState* me();
/// From now on the time is that of `slot`, counted from `since_ns`.
void enter_phase(int32_t slot, uint64_t since_ns);
void enter_phase(int32_t slot);
/// The time is nobody's.
void leave_phase();
/// Tells what the slot holds now: the check first, then the status.
void seal(int32_t token, uint8_t status);
/// The slot of the test that this process runs. Ends the process if somebody else wrote there.
wire::Slot* own_slot();
/// Remembers what stays as it is while tests run.
void remember_report();
/// This process begins with its tests: what is damaged by now is not their doing.
void note_damage();
/// The test is over. Ends the process if memory that only agents write is not as it was left.
void look_for_damage();
/// This process is the one that acts on events.
void become_owner();
/// Tells a traced build for which test the process runs; -1: for none any more.
void trace_for(int32_t test);

/// While a child of ours runs, SIGCHLD must neither be ignored nor handled by the program: either
/// would eat the child's status.
void take_sigchld();
void give_back_sigchld();

/// Behind the branch that is opened at `at`.
int32_t after(int32_t at);
/// The branch was forked and not reaped, by what the agent itself wrote.
bool is_open(int32_t at);
/// True for one of all who ask for the branch.
bool claim(int32_t at);

// --- plan.cc ----------------------------------------------------------------------------------

/// A worker of this process, or a branch that outlived its worker and is still at work.
bool is_at_work(pid_t pid);

// --- branch.cc --------------------------------------------------------------------------------

/// Finds out whether this process can go back in time.
void prepare_snapshots();
/// Forks at a kOpen token. True in the child.
bool fork_branch(int32_t at);
/// Waits for the process forked at `first`; returns the last branch it took up.
int32_t reap_branch(int32_t first);
/// The branch is over: notes how, and what its last test printed if it never came to an end.
void close_branch(int32_t at, int status);

}  // namespace gordian_agent
