// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the framework tells of the test that runs, into its slot.
#include <stdio.h>
#include <time.h>

#include "agent/place.h"

namespace gordian_agent {
namespace {

bool failed, skipped, inside_body;
uint32_t segment_text;  // failure of the current suite's set-up
bool segment_failed;
bool segment_troubled;  // anything reported by its set-up or tear-down, skips included
uint64_t started_ns;

/// Threads need a moment to leave the kernel's list after pthread_join has returned.
int settled_threads() {
  int count = count_threads();
  for (int tries = 0; count > place.threads && tries < 10; ++tries) {
    struct timespec ms = {0, 1000000};
    nanosleep(&ms, nullptr);
    count = count_threads();
  }
  return count;
}

}  // namespace

void take_test() {
  me()->pid = 0;              // the time spent there is nobody's
  trace_for(plan[place.pc]);  // the trace of the test before is complete when we are held
  hold_before(place.pc);
  place.current = place.pc++;
  failed = skipped = inside_body = false;
  wire::Slot* slot = &slots[place.current];
  slot->worker = place.worker;
  slot->pid = (uint32_t)place.pid;
  slot->output_begin = place.output_seen;
  slot->status = wire::kStarting;
  enter_phase(place.current);
}

int current_test() {
  return plan[place.current];
}

void test_starts() {
  hold_inside(place.current);
  inside_body = true;
  wire::Slot* slot = &slots[place.current];
  slot->output_begin = capture_size();  // behind what the framework prints itself
  started_ns = now_ns();
  me()->since_ns = started_ns;
  __atomic_store_n(&slot->status, (uint8_t)wire::kRunning, __ATOMIC_RELEASE);
}

void report_failure(Text file, int line, Text message, bool is_skip) {
  if (!inside_body) segment_troubled = true;
  if (place.current < 0 && place.in_branch)
    return;                 // tear-down of our prefix's suite: its own process tells
  if (place.current < 0) {  // global set-up, before the snapshot
    if (header->setup_failed == 1) return;
    header->setup_failed = is_skip ? 2 : 1;
    header->setup_text = arena_failure(file, line, message);
    return;
  }
  wire::Slot* slot = &slots[place.current];
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
  wire::Slot* slot = &slots[place.current];
  slot->duration_ns = now_ns() - started_ns;
  fflush(stdout);  // the framework's printer does it too, but only behind us
  slot->output_end = place.output_seen = capture_size();
}

void test_ends(int known_failed) {
  wire::Slot* slot = &slots[place.current];
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
  slot->leaked_threads = threads > place.threads ? (uint16_t)(threads - place.threads) : 0;
  place.threads = threads;
  me()->since_ns = now_ns();
  uint8_t verdict = failed ? wire::kFail : skipped ? wire::kSkip : wire::kPass;
  __atomic_store_n(&slot->status, verdict, __ATOMIC_RELEASE);
}

bool last_passed() {
  return place.current >= 0 && slots[place.current].status == wire::kPass;
}

bool suite_troubled() {
  return segment_troubled;
}

void suite_starts() {
  segment_failed = segment_troubled = false;
  segment_text = 0;
}

void suite_ends() {
  if (place.current < 0) return;
  uint8_t status = slots[place.current].status;
  if (failed) {
    if (status == wire::kPass || status == wire::kSkip) {
      slots[place.current].more_flags |= wire::kInTearDown;
    }
    slots[place.current].status = wire::kFail;
  } else if (status == wire::kStarting) {
    // The framework passed over it: disabled, or filtered out by the program's own arguments.
    slots[place.current].status = wire::kNotRun;
  }
}

void mark_rerun_unsure() {
  slots[place.current].flags |= wire::kRerunUnsure;
}

}  // namespace gordian_agent
