// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What all parts of the interpreter ask and tell.
#include "target/agent/place.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/agent/snapshot/machine.h"
#include "wire/check.h"

namespace gordian_agent {
namespace {

// 1 in the process that runs the current branch. The kernel clears the page in every fork, so a
// child that a test makes is a stranger without our asking for its number each time.
char* owner_mark;
struct sigaction users_sigchld;

wire::Report remembered;  // as it was before the first test
bool damaged_before;

/// The slot of our test is the last that we can tell what happened with.
[[noreturn]] void end_overwritten() {
  slots[place.current] = wire::Slot();
  slots[place.current].worker = place.worker;
  seal(place.current, wire::kOverwritten);
  _exit(125);
}

bool holds_are_wanted() {
  const wire::HoldOrders* hold = &header->hold;
  bool wanted = hold->every != 0;
  for (uint32_t i = 0; i < wire::kMostHolds; ++i) {
    wanted = wanted || hold->before[i] != 0 || hold->inside[i] != 0;
  }
  return wanted;
}

/// From `begin` up to `end`, which are members of the report.
bool as_remembered(const void* begin, const void* end) {
  const size_t offset = (size_t)((const char*)begin - (const char*)report);
  const size_t size = (size_t)((const char*)end - (const char*)begin);
  return memcmp(begin, (const char*)&remembered + offset, size) == 0;
}

/// What no process of ours writes while tests run.
bool report_as_left() {
  return as_remembered(&report->modules, &report->setup_text) &&
         as_remembered(&report->snapshots, &report->verified) &&
         as_remembered(&report->snapshot_backend, &report->difference) &&
         as_remembered(&report->worker[header->workers], &report->hold) &&
         (holds_are_wanted() || as_remembered(&report->hold, report + 1));
}

/// Slots of this process around that of its test: told before, or not yet. Not all of them, which
/// would take longer than many a test.
bool slots_as_left() {
  const int32_t kMost = 64;
  const int32_t current = place.current;
  for (int32_t i = current - 1; i >= 0 && i >= current - kMost && plan[i] >= 0; --i) {
    if (!wire::is_intact(slots[i], (uint32_t)i, header->nonce)) return false;
  }
  for (int32_t i = current + 1; i <= current + kMost && plan[i] >= 0; ++i) {
    if (!wire::is_untouched(slots[i], (uint32_t)i, header->nonce)) return false;
  }
  return true;
}

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
  const bool intact = wire::is_intact(*slot, (uint32_t)place.current, header->nonce);
  if (!intact || slot->status == wire::kNotRun) end_overwritten();
  return slot;
}

void remember_report() {
  memcpy(&remembered, report, sizeof remembered);
}

void note_damage() {
  damaged_before = !report_as_left();
}

void look_for_damage() {
  if (!slots_as_left() || (!damaged_before && !report_as_left())) end_overwritten();
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

bool is_open(int32_t at) {
  return slots[at].status == wire::kBranchOpen &&
         wire::is_intact(slots[at], (uint32_t)at, header->nonce);
}

bool claim(int32_t at) {
  uint32_t unclaimed = 0;
  return __atomic_compare_exchange_n(&slots[at].pid, &unclaimed, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

}  // namespace gordian_agent
