// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the framework tells of the test that runs, into its slot.
#include <stdio.h>
#include <time.h>

#include "target/agent/place.h"

namespace gordian_agent {
namespace {

bool failed, skipped, inside_body;
uint32_t segment_text;  // failure of the current suite's set-up
bool segment_failed;
bool segment_troubled;  // anything reported by its set-up or tear-down, skips included
uint64_t started_ns;

/// A thread that a test has left behind may report a failure while the test ends: a slot half
/// written by both would not fit its check. Never waits for long: whoever holds it may be gone.
struct Turn {
  Turn() {
    const int kMostTries = 1000000;
    for (int i = 0; i < kMostTries && __atomic_test_and_set(&taken, __ATOMIC_ACQUIRE); ++i) {
    }
  }
  ~Turn() { __atomic_clear(&taken, __ATOMIC_RELEASE); }
  static char taken;
};
char Turn::taken;

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
  leave_phase();
  trace_for(plan[place.pc]);  // the trace of the test before is complete when we are held
  hold_before(place.pc);
  place.current = place.pc++;
  failed = skipped = inside_body = false;
  wire::Slot* slot = &slots[place.current];
  *slot = wire::Slot();
  slot->worker = place.worker;
  slot->pid = (uint32_t)place.pid;
  slot->output_begin = place.output_seen;
  seal(place.current, wire::kStarting);
  enter_phase(place.current);
}

int current_test() {
  return plan[place.current];
}

void test_starts() {
  hold_inside(place.current);
  inside_body = true;
  Turn turn;
  wire::Slot* slot = own_slot();
  slot->output_begin = capture_size();  // behind what the framework prints itself
  started_ns = now_ns();
  enter_phase(place.current, started_ns);
  seal(place.current, wire::kRunning);
}

void report_failure(Text file, int line, Text message, bool is_skip) {
  if (!inside_body) segment_troubled = true;
  if (place.current < 0 && place.in_branch)
    return;                 // tear-down of our prefix's suite: its own process tells
  if (place.current < 0) {  // global set-up, before the snapshot
    if (report->setup_failed == 1) return;
    report->setup_failed = is_skip ? 2 : 1;
    report->setup_text = arena_failure(file, line, message);
    return;
  }
  Turn turn;
  wire::Slot* slot = own_slot();
  bool first_of_kind = is_skip ? !skipped && !failed : !failed;
  (is_skip ? skipped : failed) = true;
  if (!inside_body) slot->flags |= wire::kOutsideBody;
  if (first_of_kind) {
    slot->text = arena_failure(file, line, message);
    if (slot->text == 0) slot->flags |= wire::kTextLost;
  }
  seal(place.current, slot->status);
  if (!first_of_kind) return;
  if (slot->status == wire::kStarting && !is_skip) {
    segment_failed = true;
    segment_text = slot->text;
  }
}

void body_ends() {
  const uint64_t ended_ns = now_ns();
  fflush(stdout);  // the framework's printer does it too, but only behind us
  Turn turn;
  wire::Slot* slot = own_slot();
  slot->duration_ns = ended_ns - started_ns;
  slot->output_end = place.output_seen = capture_size();
  seal(place.current, slot->status);
}

void test_ends(int known_failed) {
  const int threads = settled_threads();
  Turn turn;
  wire::Slot* slot = own_slot();
  look_for_damage();
  inside_body = false;
  if (known_failed >= 0 && !known_failed && !(slot->flags & wire::kOutsideBody)) failed = false;
  if (known_failed > 0) failed = true;
  if (segment_failed) {  // suite set-up failed: no test of this segment can be trusted
    failed = true;
    slot->text = segment_text;
    slot->flags |= wire::kOutsideBody;
  }
  capture_cut(slot);
  slot->leaked_threads = threads > place.threads ? (uint16_t)(threads - place.threads) : 0;
  place.threads = threads;
  enter_phase(place.current);
  seal(place.current, failed ? wire::kFail : skipped ? wire::kSkip : wire::kPass);
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
  Turn turn;
  wire::Slot* slot = own_slot();
  const uint8_t status = slot->status;
  if (failed) {
    if (status == wire::kPass || status == wire::kSkip) slot->more_flags |= wire::kInTearDown;
    seal(place.current, wire::kFail);
  } else if (status == wire::kStarting) {
    seal(place.current, wire::kPassedOver);
  }
}

void mark_rerun_unsure() {
  Turn turn;
  wire::Slot* slot = own_slot();
  slot->flags |= wire::kRerunUnsure;
  seal(place.current, slot->status);
}

}  // namespace gordian_agent
