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
#include "wire/check.h"

namespace gordian_agent {
namespace {

// 1 in the process that runs the current branch. The kernel clears the page in every fork, so a
// child that a test makes is a stranger without our asking for its number each time.
char* owner_mark;
struct sigaction users_sigchld;

}  // namespace

Place place = {0, 0, false, 0, -1, 1, 1, 0, 0};

wire::WorkerState* me() {
  return &report->worker[place.worker];
}

void enter_phase(int32_t slot, uint64_t since_ns) {
  wire::WorkerState now = wire::WorkerState();
  now.pid = (uint32_t)place.pid;
  now.slot = (uint32_t)slot;
  now.since_ns = since_ns;
  wire::WorkerState* state = me();
  state->slot = now.slot;
  state->since_ns = now.since_ns;
  state->check = wire::check_of(now, place.worker, header->nonce);
  __atomic_store_n(&state->pid, now.pid, __ATOMIC_RELEASE);
}

void enter_phase(int32_t slot) {
  enter_phase(slot, now_ns());
}

void leave_phase() {
  __atomic_store_n(&me()->pid, 0, __ATOMIC_SEQ_CST);
}

void seal(int32_t token, uint8_t status) {
  wire::Slot told = slots[token];
  told.status = status;
  slots[token].check = wire::check_of(told, (uint32_t)token, header->nonce);
  __atomic_store_n(&slots[token].status, status, __ATOMIC_RELEASE);
}

wire::Slot* own_slot() {
  wire::Slot* slot = &slots[place.current];
  if (wire::is_intact(*slot, (uint32_t)place.current, header->nonce) &&
      !wire::is_untouched(*slot)) {
    return slot;
  }
  *slot = wire::Slot();
  slot->worker = place.worker;
  seal(place.current, wire::kOverwritten);
  _exit(125);
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
  if (trace_test) trace_test(test);
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

bool is_branch(int64_t at) {
  return at >= 0 && at < (int64_t)header->tokens && plan[at] == wire::kOpen;
}

bool claim(int32_t at) {
  uint32_t unclaimed = 0;
  return __atomic_compare_exchange_n(&slots[at].pid, &unclaimed, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

}  // namespace gordian_agent
