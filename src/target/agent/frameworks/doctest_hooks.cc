// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any sequence of tests of an unmodified doctest binary, without patching code.
//   - A listener, registered as any program may register one, hears of all events.
//   - Context::run() walks over an array of pointers to tests. Before each step we write there
//   which
//     test comes next. So doctest itself does subcases, fixtures, exceptions, decorators and the
//     counting of assertions. Fillers, registered before the array is made, make it long enough.
//   - Which tests pass the filters is the framework's to say: it first walks over all of them with
//     bodies that do nothing, and with no listener but ours.
//   - To end the walk we make its own check for --abort-after true.
#include <stdlib.h>
#include <unistd.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/doctest_layout.h"
#include "target/agent/frameworks/frameworks.h"
#include "target/agent/snapshot/syscall_gate.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

enum Phase {
  kBefore,   // Context::run() was not called yet
  kAsking,   // it walks over tests that do nothing
  kServing,  // one more of them, at whose end the snapshot is
  kRunning,  // tests run
  kAgain,    // all steps of the walk are taken: another one begins inside of it
  kEnding,   // the walk is about to end
  kAfter,    // it has ended: nothing is ours any more
} phase;

DoctestLayout layout;
DoctestRegistry registry;
PointerVector real_reporters, all_reporters;
PointerVector* reporters;
DoctestCounts* counts;
int32_t *abort_after, real_abort_after, real_asserts_failed;
DoctestTest* registered;  // in the default order
int test_count, passing;
int* unskipped;   // numbers of the tests with a skip decorator
char** sequence;  // what the framework walks over
size_t capacity, position, to_ask;
bool body_begun, crashing, walked_again;
uint32_t failed_before;  // tests, in walks before the last one
DoctestBody running_body;

// Two listeners: ahead of all others and behind them.
void *front[1], *back[1];
char* reporter_room[66];
const void* state;

// --- the walk over all tests -------------------------------------------------------------------

void nothing() {}

/// All tests once, and once more those that are skipped, this time without their decorator.
void begin_asking() {
  unskipped = agent_array<int>((size_t)test_count);
  size_t size = 0, skipped = 0;
  for (int i = 0; i < test_count; ++i) {
    sequence[size++] = registered[i].test;
    *body_of(layout, registered[i].test) = nothing;
    if (registered[i].skip) unskipped[skipped++] = i;
  }
  for (size_t i = 0; i < skipped; ++i) sequence[size++] = registered[unskipped[i]].test;
  to_ask = size;
  phase = kAsking;
}

/// The listeners and reporters between ours.
void take_reporters() {
  real_reporters = *reporters;
  size_t size = 0;
  reporter_room[size++] = (char*)front;
  for (char** r = real_reporters.begin; r < real_reporters.end; ++r) {
    if (*r != (char*)front) reporter_room[size++] = *r;
  }
  reporter_room[size++] = (char*)back;
  all_reporters = {reporter_room, reporter_room + size, reporter_room + size};
  *reporters = {reporter_room, reporter_room + 1, reporter_room + size};
}

__attribute__((noinline)) char** look_for_walk() {
  char bottom[8] = {0};
  __builtin_unwind_init();  // puts all registers of our callers into this frame, above `bottom`
  return find_walk(bottom, layout, capacity, sequence);
}

bool understand() {
  DoctestOrder order = kByFile;
  reporters = find_reporters(state, front);
  abort_after = find_abort_after(state, &order);
  if (!reporters || !abort_after || (size_t)(reporters->end - reporters->begin) > 63) return false;
  if (registry.tests == 0) return false;
  sequence = look_for_walk();
  if (!sequence) return false;
  registered = note_tests(layout, sequence, capacity, registry.tests, order);
  test_count = registered ? (int)registry.tests : 0;
  return registered != nullptr;
}

// --- choosing what runs next -------------------------------------------------------------------

/// The framework's loop ends behind the test whose end this is. Where it was called inside of
/// itself it would free things twice: the process ends here, with the status that it would have.
void end_loop() {
  if (walked_again) exit(counts->tests_failed + failed_before > 0);
  real_abort_after = *abort_after;
  real_asserts_failed = counts->asserts_failed;
  *abort_after = counts->asserts_failed = 1;
  phase = kEnding;
}

/// The walk has a last step: calls the framework once more, which collects the tests anew. Never
/// gets back to the walk before: see end_loop().
[[noreturn]] void walk_again() {
  struct Context {
    const void* state;
  } context = {state};
  typedef int (*Run)(Context*);
  failed_before += counts->tests_failed;
  walked_again = true;
  phase = kAgain;
  *reporters = PointerVector();
  hook<Run>(wire::kContextRun)(&context);
  give_up(wire::kLayoutUnknown);
}

/// Makes the first step of a walk inside of another one.
void begin_again() {
  sequence = look_for_walk();
  if (!sequence) give_up(wire::kLayoutUnknown);
  *reporters = all_reporters;
  position = 0;
  sequence[0] = registered[current_test()].test;
  phase = kRunning;
}

/// False: there is no step left.
bool show_next(const DoctestTest& next) {
  bool room = position + 1 < capacity;
  if (room) sequence[++position] = next.test;
  counts->passing_filters = next.rank > 0 ? next.rank - 1 : 0;
  counts->asserts_failed = 0;  // --abort-after is for each test alone
  return room;
}

/// REQUIRES: OurTurn.
void choose_next() {
  int t = next_test();
  if (t < 0) end_plan();
  if (t < 0) return end_loop();
  bool room = show_next(registered[t]);
  suite_starts();
  take_test();
  running_body = registered[t].body;
  body_begun = false;
  if (!room) walk_again();
}

/// What the framework calls in place of each test's function. Exceptions pass through it.
void run_body() {
  if (!body_begun && owner()) {
    body_begun = true;
    test_starts();
  }
  shut_gate();
  running_body();
  open_gate();
}

void begin_running() {
  counts->tests = (uint32_t)test_count;
  counts->tests_failed = 0;
  for (int i = 0; i < test_count; ++i) {
    *body_of(layout, registered[i].test) = run_body;
    *skip_of(layout, registered[i].test) = false;
  }
  *reporters = all_reporters;
  phase = kRunning;
  if (serve()) {
    choose_next();
  } else {
    end_loop();
  }
}

/// All is asked. The snapshot must be at the end of a test that ran: the loop can end only there.
void finish_asking() {
  list_tests(layout, registered, test_count);
  finish_listing();
  const DoctestTest* any = nullptr;
  for (int i = 0; i < test_count && !any; ++i) {
    if (registered[i].would_run) any = &registered[i];
  }
  if (!any) {  // disabled tests are wanted, and there are none
    send_byte(wire::kReady);
    _exit(0);
  }
  --position;
  show_next(*any);
  phase = kServing;
}

/// One of the tests that do nothing is over, or was passed over.
void asked(const void* test, bool ran) {
  if (sequence[position] != test) give_up(wire::kLayoutUnknown);
  bool again = position >= (size_t)test_count;
  if (ran) {
    DoctestTest* r = &registered[again ? unskipped[position - (size_t)test_count] : (int)position];
    r->would_run |= again ? kUnskipped : kAsItIs;
    r->rank = counts->passing_filters;
  }
  ++position;
  if (position == (size_t)test_count) {
    for (int i = 0; i < test_count; ++i) *skip_of(layout, registered[i].test) = false;
  }
  if (position == to_ask) finish_asking();
}

/// The program calls Context::run() once more: nothing is to run any more.
void leave_out_all() {
  for (int i = 0; i < test_count; ++i) *body_of(layout, registered[i].test) = nothing;
}

// --- events ------------------------------------------------------------------------------------

typedef const void* Subject;

void ignore(void*, Subject) {}

void on_run_start(void*, Subject) {
  if (!owner()) return;
  OurTurn turn;
  if (phase == kAgain) return begin_again();
  if (phase == kAfter) return leave_out_all();
  if (phase != kBefore) give_up(wire::kLayoutUnknown);
  if (!understand()) {
    // Without any test there is nothing to recognise; the engine tells the two apart.
    report->fault = wire::kLayoutUnknown;
    finish_listing();
    give_up(wire::kLayoutUnknown);
  }
  take_reporters();
  begin_asking();
}

const void* asked_test;

void on_case_start(void*, Subject test) {
  if (!owner()) return;
  OurTurn turn;
  if (sequence[position] != test) give_up(wire::kLayoutUnknown);
  if (phase == kAsking) {
    asked_test = test;
    ++passing;
  }
}

/// The framework's own preparations are not the test's: run_body() shuts the gate again.
void behind_case_start(void*, Subject) {
  open_gate();
}

void on_case_skipped(void*, Subject test) {
  if (!owner()) return;
  OurTurn turn;
  if (phase == kAsking) asked(test, false);
}

void behind_case_skipped(void*, Subject) {
  if (!owner() || phase != kRunning) return;
  OurTurn turn;
  suite_ends();  // the plan wants it, but the program's own arguments leave it out
  choose_next();
}

void on_case_end(void*, Subject stats) {
  if (crashing) return;
  if (!owner()) {
    // A child that a test forked and let go on: there is nothing more for it.
    if (phase == kRunning) end_loop();
    return;
  }
  OurTurn turn;
  if (phase == kAsking) {
    if (!counts) counts = find_counts(stats, capacity, (uint32_t)passing);
    if (!counts) give_up(wire::kLayoutUnknown);
    asked(asked_test, true);
  } else if (phase == kServing) {
    begin_running();
  } else if (phase == kRunning) {
    body_ends();
  }
}

void behind_case_end(void*, Subject stats) {
  if (crashing || phase != kRunning || !owner()) return;
  OurTurn turn;
  int flags = failure_flags_of(stats);
  bool failed = counts_as_failed(flags);
  const DoctestTest& r = registered[current_test()];
  // A failed assertion stands first; this is for what only the end can tell.
  if (failed) report_failure(r.file, line_of(layout, r.test), broken_decorator(flags), false);
  test_ends(failed);
  choose_next();
}

/// Assertions may be made in several threads at once.
void report(Text file, int line, Text message) {
  static char busy;
  while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
  }
  report_failure(file, line, message, false);
  __atomic_clear(&busy, __ATOMIC_RELEASE);
}

void on_exception(void*, Subject exception) {
  if (phase != kRunning || !owner()) return;
  OurTurn turn;
  if (is_crash(exception)) {  // told from a signal handler, which then lets the signal through
    crashing = true;
    return;
  }
  DoctestFailure failure;
  const DoctestTest& r = registered[current_test()];
  read_exception(exception, &failure);
  report(r.file, line_of(layout, r.test), failure.message);
}

void on_assert(void*, Subject data) {
  if (phase != kRunning || !owner()) return;
  OurTurn turn;
  DoctestFailure failure;
  if (read_assert(data, hook<AssertString>(wire::kAssertString), &failure))
    report(failure.file, failure.line, failure.message);
}

void on_message(void*, Subject data) {
  if (phase != kRunning || !owner()) return;
  OurTurn turn;
  DoctestFailure failure;
  if (read_message(data, &failure)) report(failure.file, failure.line, failure.message);
}

/// Everything as it was: the framework owns it and frees it.
void on_run_end(void*, Subject) {
  if (crashing || phase == kBefore || phase == kAfter) return;
  if (phase != kEnding) give_up(wire::kLayoutUnknown);  // it did not walk over what we showed it
  for (int i = 0; i < test_count; ++i) {
    *body_of(layout, registered[i].test) = registered[i].body;
    *skip_of(layout, registered[i].test) = registered[i].skip;
  }
  *reporters = real_reporters;
  *abort_after = real_abort_after;
  counts->asserts_failed = real_asserts_failed;
  phase = kAfter;
}

// --- installing --------------------------------------------------------------------------------

typedef void (*Event)(void* self, Subject subject);

// doctest::IReporter's virtual functions: query, run start and end, case start, re-enter, end and
// exception, subcase start and end, assert, message, skipped, and two destructors.
const Event kFront[] = {ignore,      on_run_start,    on_run_end, on_case_start, ignore,
                        on_case_end, on_exception,    ignore,     ignore,        on_assert,
                        on_message,  on_case_skipped, ignore,     ignore};
const Event kBack[] = {
    ignore, ignore, ignore, behind_case_start,   ignore, behind_case_end, ignore, ignore,
    ignore, ignore, ignore, behind_case_skipped, ignore, ignore};
const uint32_t kSlots = 14;

/// Enough for every test, asked twice, and for all tokens of a plan. Who has room for very many is
/// a server of many plans, few of them long: these walk again.
size_t filler_count() {
  const size_t kServer = 1 << 18;
  size_t steps = header->cap_tokens < kServer ? header->cap_tokens : 2 * registry.tests + 256;
  return header->flags & wire::kListOnly ? registry.tests + 2 : registry.tests + 2 + steps;
}

/// Called by Context::run() before it collects the tests.
void add_fillers() {
  typedef const void* (*RegisteredTests)();
  typedef int (*RegisterTest)(const void* test);
  if (!read_registry(hook<RegisteredTests>(wire::kRegisteredTests)(), &layout, &registry)) {
    registry.tests = 0;
    return;
  }
  size_t fillers = filler_count();
  char filler[kFillerSize] __attribute__((aligned(16)));
  for (size_t i = 0; i < fillers; ++i) {
    make_filler(layout, registry.first, (int)i, filler);
    *body_of(layout, filler) = nothing;
    hook<RegisterTest>(wire::kRegisterTest)(filler);
  }
  capacity = registry.tests + fillers;
}

void* make_listener(const void* options) {
  state = options;
  if (phase == kBefore && owner()) add_fillers();
  return front;
}

typedef void (*RegisterReporter)(const char* name, int priority, void* (*make)(const void*),
                                 bool is_reporter);

}  // namespace

bool install_doctest() {
  if (header->hooks.number[wire::kReporterSlots] != kSlots) return false;
  front[0] = (void*)kFront;
  back[0] = (void*)kBack;
  hook<RegisterReporter>(wire::kRegisterReporter)("gordian", 0, make_listener, false);
  return true;
}

}  // namespace gordian_agent
