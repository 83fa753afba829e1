// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What all parts of the interpreter ask and tell.
#include "agent/place.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/snapshot/machine.h"

namespace gordian_agent {
namespace {

// 1 in the process that runs the current branch. The kernel clears the page in every fork, so a
// child that a test makes is a stranger without our asking for its number each time.
char* owner_mark;
struct sigaction users_sigchld;

}  // namespace

Place place = {0, 0, false, 0, -1, 1, 0};

wire::WorkerState* me() {
  return &header->worker[place.worker];
}

void enter_phase(int32_t slot) {
  wire::WorkerState* state = me();
  state->slot = (uint32_t)slot;
  state->since_ns = now_ns();
  __atomic_store_n(&state->pid, (uint32_t)place.pid, __ATOMIC_RELEASE);
}

void become_owner() {
  const size_t kPage = 4096;
  if (!owner_mark) {
    owner_mark = (char*)lasting_memory(kPage);  // a snapshot's copy of it would be wiped
    if (!owner_mark) give_up(wire::kNoMemoryLeft);
    if (madvise(owner_mark, kPage, MADV_WIPEONFORK) != 0) give_up(wire::kForkFailed);
  }
  *owner_mark = 1;
  place.pid = getpid();
}

bool owner() {
  return !owner_mark || *owner_mark;
}

bool in_branch() {
  return place.in_branch;
}

void trace_for(int32_t test) {
  if (header->hooks.trace_test) ((void (*)(int32_t))(uintptr_t)header->hooks.trace_test)(test);
}

void take_sigchld() {
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &plain, &users_sigchld);
}

void give_back_sigchld() {
  sigaction(SIGCHLD, &users_sigchld, nullptr);
}

int32_t after(int32_t at) {
  return at + 2 + plan[at + 1];
}

bool claim(int32_t at) {
  uint32_t unclaimed = 0;
  return __atomic_compare_exchange_n(&slots[at].pid, &unclaimed, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

}  // namespace gordian_agent
