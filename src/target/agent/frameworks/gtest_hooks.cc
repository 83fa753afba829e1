// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any sequence of tests of an unmodified GoogleTest binary, without patching code.
//   - Every event goes through one object, TestEventRepeater; we replace entries of its vtable.
//   - RunAllTests() and TestSuite::Run() iterate over vectors whose size they read anew each round.
//     We point these vectors at arrays of our own and append "the next one" from the events. So
//     GoogleTest itself does suite set-up and tear-down, fixtures, exceptions, skips, death tests.
//   - A suite whose tests do not stand together in the order is opened once per segment: set-up and
//     tear-down run around each, as if each segment were a run of its own.
#include <stdlib.h>
#include <string.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/frameworks.h"
#include "target/agent/frameworks/gtest_layout.h"
#include "target/agent/snapshot/syscall_gate.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

typedef void (*Event)(void* self, const void* subject);

GtestLayout layout;
bool active, listed;
int suite_count, test_count;
char** suite_of;  // by test number
char** info_of;
int* suite_number_of;
uint8_t* ran;     // by test number: 1 = ran here, 2 = and did not pass
uint8_t* opened;  // by suite number: 1 = ran here, 2 = and reported something itself
char** segment;   // test_info_list_ of the open suite
char** sequence;  // test_suites_ as we let the framework see it
int* identity;    // both index vectors
size_t identity_filled, segment_size, sequence_size, capacity;
RawVector real_suites, real_suite_indices, real_tests, real_test_indices;
char* open_suite;
int open_number;
RawVector plain_listeners;  // while they are these, nobody but the framework hears of events

Event real_program_start, real_setup_end, real_suite_start, real_case_start, real_test_start,
    real_part, real_test_end, real_suite_end, real_teardown_start;

// --- enumerating -------------------------------------------------------------------------------

void count_tests() {
  suite_count = (int)((layout.suites->end - layout.suites->begin) / 8);
  for (int i = 0; i < suite_count; ++i) {
    RawVector* tests = tests_of(layout, ((char**)layout.suites->begin)[i]);
    test_count += (int)((tests->end - tests->begin) / 8);
  }
}

/// Index vectors must be as long as what they index, and the identity.
RawVector identity_vector(size_t size) {
  for (; identity_filled < size; ++identity_filled)
    identity[identity_filled] = (int)identity_filled;
  RawVector v = {(char*)identity, (char*)(identity + size), (char*)(identity + capacity)};
  return v;
}

void make_tables() {
  suite_of = agent_array<char*>((size_t)test_count);
  info_of = agent_array<char*>((size_t)test_count);
  suite_number_of = agent_array<int>((size_t)test_count);
  ran = agent_array<uint8_t>((size_t)test_count);
  opened = agent_array<uint8_t>((size_t)suite_count);
  capacity = header->cap_tokens + (size_t)suite_count + 1;
  segment = agent_array<char*>(capacity);
  sequence = agent_array<char*>(capacity);
  identity = agent_array<int>(capacity);
  // Pages that exist at a snapshot are cheaper to watch than a table of none.
  *segment = *sequence = nullptr;
  identity_vector(1);
}

void fill_tables() {
  int k = 0;
  for (int i = 0; i < suite_count; ++i) {
    char* suite = ((char**)layout.suites->begin)[i];
    RawVector* tests = tests_of(layout, suite);
    for (char** t = (char**)tests->begin; t < (char**)tests->end; ++t, ++k) {
      suite_of[k] = suite;
      info_of[k] = *t;
      suite_number_of[k] = i;
    }
  }
}

void list_tests() {
  for (int k = 0; k < test_count; ++k) {
    GtestTest t = read_test(layout, info_of[k]);
    ListedTest test = ListedTest();
    test.text[wire::kSuiteText] = t.suite;
    test.text[wire::kNameText] = t.name;
    test.text[wire::kFileText] = t.file;
    test.text[wire::kTypeText] = t.type_param;
    test.text[wire::kValueText] = t.value_param;
    test.line = t.line;
    test.will_run = t.should_run;
    test.disabled = disabled_by_name(t.suite, t.name);
    list_test(test);
  }
}

// --- choosing what runs next -------------------------------------------------------------------

typedef void (*ClearResult)(void* suite);

bool can_clear() {
  return header->hooks.entry[wire::kClearResult] != 0;
}
void clear(char* suite) {
  hook<ClearResult>(wire::kClearResult)(suite);
}

/// Lets the running suite see one more test.
void append_test(int t) {
  // An earlier fatal failure would make the framework skip the body of a second run.
  if (ran[t] && can_clear()) clear(open_suite);
  segment[segment_size++] = info_of[t];
  RawVector tests = {(char*)segment, (char*)(segment + segment_size), (char*)(segment + capacity)};
  *tests_of(layout, open_suite) = tests;
  *test_indices_of(layout, open_suite) = identity_vector(segment_size);
  take_test();
}

void close_suite() {
  if (!open_suite) return;
  *tests_of(layout, open_suite) = real_tests;
  *test_indices_of(layout, open_suite) = real_test_indices;
  open_suite = nullptr;
}

void open_suite_of(int t) {
  open_suite = suite_of[t];
  segment_size = 0;
  real_tests = *tests_of(layout, open_suite);
  real_test_indices = *test_indices_of(layout, open_suite);
  open_number = suite_number_of[t];
  if (opened[open_number] && can_clear()) clear(open_suite);
  opened[open_number] |= 1;
  suite_starts();
  append_test(t);
}

/// Between suites: lets RunAllTests() see the suite of the next test, or the end.
void next_suite() {
  int t = next_test();
  if (t < 0) end_plan();  // branches never tear down what the snapshot owns
  size_t shown = sequence_size;
  if (t >= 0) {
    open_suite_of(t);
    sequence[sequence_size++] = open_suite;
    // Tests that look at UnitTest's list of suites find all of them; the loop never gets there.
    memcpy(sequence + sequence_size, real_suites.begin, (size_t)suite_count * sizeof(char*));
    shown = sequence_size + (size_t)suite_count;
  }
  RawVector suites = {(char*)sequence, (char*)(sequence + shown), (char*)(sequence + capacity)};
  *layout.suites = suites;
  *layout.suite_indices = identity_vector(shown);
}

/// The framework's destructors must find its own vectors, also when a test calls exit().
void give_back_vectors() {
  close_suite();
  *layout.suites = real_suites;
  *layout.suite_indices = real_suite_indices;
}

// --- events ------------------------------------------------------------------------------------

/// Moment 4: registration is complete, nothing has run.
void on_program_start(void* self, const void* unit_test) {
  if (active && owner() && !listed) {
    listed = true;
    bool any = find_layout(unit_test, header->hooks.entry[wire::kSuiteVtable], &layout);
    if (any) {
      count_tests();
      make_tables();
      fill_tables();
      list_tests();
    }
    // An empty registry has no first suite to recognise; the engine tells the two apart.
    if (!any) report->fault = wire::kLayoutUnknown;
    finish_listing();
  }
  real_program_start(self, unit_test);
}

/// Moment 5: global set-up is done.
void on_setup_end(void* self, const void* unit_test) {
  real_setup_end(self, unit_test);
  if (!active || !owner()) return;
  OurTurn turn;
  if (only_framework_listens(self)) plain_listeners = *listeners_of(self);
  real_suites = *layout.suites;
  real_suite_indices = *layout.suite_indices;
  atexit(give_back_vectors);
  if (serve()) {
    next_suite();
  } else {
    layout.suites->end = layout.suites->begin;
  }
}

/// Lets the listeners hear of something. REQUIRES: OurTurn.
void tell(Event real, void* self, const void* subject) {
  TheirTurn theirs(plain_listeners.begin &&
                   memcmp(listeners_of(self), &plain_listeners, sizeof plain_listeners) == 0);
  real(self, subject);
}

void on_suite_start(void* self, const void* suite) {
  OurTurn turn;
  tell(real_suite_start, self, suite);
}

void on_case_start(void* self, const void* suite) {
  OurTurn turn;
  tell(real_case_start, self, suite);
}

void on_test_start(void* self, const void* info) {
  OurTurn turn;
  tell(real_test_start, self, info);
  if (active && owner()) test_starts();
}

void on_part(void* self, const void* part) {
  OurTurn turn;
  tell(real_part, self, part);
  if (!active || !listed || !owner()) return;
  GtestPart p = read_part(layout, part);
  if (p.type != 0) report_failure(p.file, p.line, p.message, p.type == 3);
}

typedef bool (*ResultFailed)(const void* result);

void on_test_end(void* self, const void* info) {
  if (!active || !owner()) {
    real_test_end(self, info);
    return;
  }
  OurTurn turn;
  int t = current_test();
  body_ends();
  tell(real_test_end, self, info);  // a listener may still add a failure to this test
  const void* result = (const char*)info + layout.result_at;
  ResultFailed ask = hook<ResultFailed>(wire::kResultFailed);
  test_ends(ask ? ask(result) : -1);
  bool results_linger = (ran[t] | opened[suite_number_of[t]]) & 2;
  if (results_linger && !can_clear()) mark_rerun_unsure();
  ran[t] |= last_passed() ? 1 : 3;
  int next = next_test();
  if (next >= 0 && suite_of[next] == open_suite) append_test(next);
}

void on_suite_end(void* self, const void* suite) {
  OurTurn turn;
  tell(real_suite_end, self, suite);
  if (!active || !owner()) return;
  suite_ends();
  // What it reported itself stays with the suite, and newer versions then skip its tests.
  if (suite_troubled()) opened[open_number] |= 2;
  close_suite();
  next_suite();
}

void on_teardown_start(void* self, const void* unit_test) {
  if (active && owner()) {
    OurTurn turn;
    if (in_branch()) end_branch();  // global set-up failed: the framework ran no test
    *layout.suites = real_suites;
    *layout.suite_indices = real_suite_indices;
  }
  real_teardown_start(self, unit_test);
}

// --- installing --------------------------------------------------------------------------------

/// The order of TestEventListener's virtual functions, by what each version added: the destructor
/// pair, then OnTestProgramStart, ...; OnTestCaseStart/End beside the Suite ones from 1.10 (unless
/// built without), OnTestDisabled from 1.12.
bool install(Event* table, uint32_t entries) {
  // Clang's AddressSanitizer counts the zeroed red zone behind the table into its size.
  while (entries > 0 && !table[entries - 1]) --entries;
  if (entries < 15 || entries > 18) return false;
  int legacy = entries >= 17, disabled = entries == 18 || entries == 16;
  int start = 7 + legacy, part = start + 1 + disabled, end = part + 1, suite_end = end + 1;
  int teardown = suite_end + 1 + legacy;
  if (!make_writable(table, entries)) return false;
  replace_slot(table, 2, &real_program_start, on_program_start);
  replace_slot(table, 5, &real_setup_end, on_setup_end);
  replace_slot(table, 6, &real_suite_start, on_suite_start);
  if (legacy) replace_slot(table, 7, &real_case_start, on_case_start);
  replace_slot(table, start, &real_test_start, on_test_start);
  replace_slot(table, part, &real_part, on_part);
  replace_slot(table, end, &real_test_end, on_test_end);
  replace_slot(table, suite_end, &real_suite_end, on_suite_end);
  replace_slot(table, teardown, &real_teardown_start, on_teardown_start);
  return true;
}

}  // namespace

bool install_gtest() {
  Event* table = hook<Event*>(wire::kRepeaterVtable);
  active = install(table, header->hooks.number[wire::kRepeaterSlots]);
  return active;
}

}  // namespace gordian_agent
