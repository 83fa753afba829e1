// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where this process stands in the plan: shared by the files that interpret it, nobody else's.
#pragma once

#include "agent/agent.h"

namespace gordian_agent {

struct Place {
  uint32_t worker;       // index of the worker, in the process itself and in its branches
  pid_t pid;             // of this process
  bool in_branch;        // it is neither the root nor a worker
  int32_t pc;            // the next token
  int32_t current;       // token of the test this process runs or ran last; -1: none yet
  int threads;           // when last counted
  uint64_t output_seen;  // size of the capture file when last asked
};
extern Place place;

// --- place.cc ---------------------------------------------------------------------------------

wire::WorkerState* me();
/// From now on the time is that of `slot`.
void enter_phase(int32_t slot);
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
/// True for one of all who ask for the branch.
bool claim(int32_t at);

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
