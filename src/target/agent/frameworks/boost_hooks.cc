// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any sequence of tests of an unmodified Boost.Test binary, without patching code.
//   - Every event goes to observers; two of them are always there, the log and the collector of
//     results. We replace entries of their vtables.
//   - The framework walks over a suite's children, a std::multimap by rank, with iterators. We let
//     the map begin at a node of our own whose right-hand child is the node itself: the same
//     iterator comes by again and again, each time with the child that we have put there, until we
//     cut the link and it arrives at the map's end. So Boost.Test itself does fixtures of cases and
//     suites, preconditions, time limits, exceptions.
//   - A suite whose tests do not stand together in the order is opened once per segment.
//   - The first thing that the root suite runs is itself, disabled for that moment: the framework
//     says that it skips it, which is the moment between global fixtures and the first test.
#include <stdio.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/boost_layout.h"
#include "target/agent/frameworks/frameworks.h"
#include "target/agent/snapshot/syscall_gate.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

/// test_observer's virtual functions.
enum Slot {
  kTestAborted = 2,
  kUnitStart = 3,
  kUnitFinish = 4,
  kUnitSkipped = 5,
  kAssertion = 9,
  kException = 10,
  kSlots = 14,
};
enum { kFailedAssertion = 0 };  // assertion_result: AR_FAILED

/// boost::execution_exception
struct BoostException {
  int32_t code, padding;
  BoostText what, file;
  uint64_t line;
};

typedef void (*PlainEvent)(void* self);
typedef void (*UnitEvent)(void* self, BoostUnit* unit);
typedef void (*FinishEvent)(void* self, BoostUnit* unit, unsigned long elapsed);
typedef void (*SkipEvent)(void* self, BoostUnit* unit, const BoostText* reason);
typedef void (*AssertionEvent)(void* self, int result);
typedef void (*ExceptionEvent)(void* self, const BoostException* exception);

PlainEvent real_aborted;
UnitEvent real_start, real_log_start;
FinishEvent real_finish;
SkipEvent real_skipped, real_log_skipped;
AssertionEvent real_assertion;
ExceptionEvent real_exception;

enum Stage { kBeforeRoot, kSettingUp, kServing, kOver };
Stage stage;
BoostTree tree;
void* unit_test_log;
int open_suite;          // the innermost
int target = -1;         // the test that was taken, and is not done
bool inside;             // ... and has begun
int32_t own_status;      // its run_status without us
int troubled_from = -1;  // the outermost open suite whose own set-up or tear-down failed
bool stopped;            // by an error after which the framework runs nothing more

// --- the children that the framework sees ------------------------------------------------------

void show_no_more(int suite) {
  BoostNode* node = &tree.suites[suite].node;
  node->right = nullptr;
  node->parent = end_of(suite_part(tree.suites[suite].unit));
}

void show(int suite, BoostUnit* child) {
  BoostNode* node = &tree.suites[suite].node;
  node->id = child->id;
  node->rank = child->rank;
  node->right = node;
}

/// Before the framework begins to walk. Only the way in is changed: the map destroys what is its.
void begin_with(int suite, BoostUnit* child) {
  show(suite, child);
  show_no_more(suite);
  suite_part(tree.suites[suite].unit)->first = &tree.suites[suite].node;
}

void give_back_children(int suite) {
  suite_part(tree.suites[suite].unit)->first = tree.suites[suite].first;
}

// --- which test is next ------------------------------------------------------------------------

/// Disabled tests run when they are planned, and are enabled for that time only: the framework
/// skips tests that depend on disabled ones.
void take(int test) {
  target = test;
  inside = false;
  take_test();
  own_status = tree.cases[test].unit->run_status;
  tree.cases[test].unit->run_status = kBoostEnabled;
  for (int s = tree.cases[test].suite; s >= 0; s = tree.suites[s].parent) {
    tree.suites[s].unit->run_status = kBoostEnabled;
  }
}

void leave_target() {
  if (target < 0) return;
  tree.cases[target].unit->run_status = own_status;
  target = -1;
  inside = false;
}

/// A child of `suite` is done: lets the framework see the next one, or the suite's end.
void go_on(int suite) {
  open_suite = suite;
  int test = stopped ? -1 : next_test();
  if (suite == 0 && test < 0) end_plan();
  BoostUnit* child = test < 0 ? nullptr : step_towards(tree, suite, test);
  if (!child) return show_no_more(suite);
  take(test);
  show(suite, child);
}

// --- events ------------------------------------------------------------------------------------

/// Moment 4.
void root_starts(BoostUnit* root) {
  give_back_boost_options();
  if (!read_tree(root, hook<GetUnit>(wire::kGetUnit), &tree)) give_up(wire::kLayoutUnknown);
  list_tree(tree, hook<GetUnit>(wire::kGetUnit), header->flags & wire::kRunDisabled);
  finish_listing();
  if (unit_test_log) listen_to_formatters(unit_test_log);
  root->run_status = kBoostDisabled;
  begin_with(0, root);
  stage = kSettingUp;
}

/// Moment 5.
void set_up_is_done() {
  tree.suites[0].unit->run_status = kBoostEnabled;
  if (unit_test_log) listen_to_formatters(unit_test_log);  // a fixture may have brought its own
  take_error_entry();
  stage = kServing;
  if (serve()) {
    go_on(0);
  } else {
    stage = kOver;
    show_no_more(0);
  }
}

void suite_begins(BoostUnit* unit) {
  int suite = target < 0 ? -1 : suite_around(tree, target, unit);
  if (suite < 0) give_up(wire::kLayoutUnknown);  // not one that we have shown
  show_no_more(tree.suites[suite].parent);
  if (troubled_from < 0) suite_starts();
  open_suite = suite;
  begin_with(suite, step_towards(tree, suite, target));
}

void suite_is_over(BoostUnit* unit) {
  int suite = open_suite;
  if (unit != tree.suites[suite].unit) give_up(wire::kLayoutUnknown);
  suite_ends();
  leave_target();  // its fixture failed: no test was run
  give_back_children(suite);
  if (suite_troubled() && troubled_from < 0) troubled_from = suite;
  if (troubled_from == suite) {
    troubled_from = -1;
    suite_starts();
  }
  go_on(tree.suites[suite].parent);
}

/// Global fixtures failed when nothing was served before: the engine is told so, and no test runs.
void root_is_over() {
  if (stage == kSettingUp) {
    tree.suites[0].unit->run_status = kBoostEnabled;
    stage = kServing;
    serve();
  }
  if (stage == kServing && in_branch()) end_branch();
  give_back_children(0);
  stage = kOver;
}

bool ours() {
  return stage != kOver && owner();
}
/// Some framework::run() inside of a test.
bool is_nested(const BoostUnit* unit) {
  return inside && tree.cases[target].unit != unit;
}

void on_start(void* self, BoostUnit* unit) {
  if (!ours() || is_nested(unit)) return real_start(self, unit);
  OurTurn turn;
  real_start(self, unit);
  if (stage == kBeforeRoot) return root_starts(unit);
  if (stage != kServing) give_up(wire::kLayoutUnknown);  // not the order that we have made
  if (unit->type == kBoostSuite) return suite_begins(unit);
  if (target < 0 || unit != tree.cases[target].unit) give_up(wire::kLayoutUnknown);
  show_no_more(open_suite);
  if (suite_troubled() && troubled_from < 0) troubled_from = open_suite;
  take_error_entry();
  inside = true;
  fflush(stdout);  // what fixtures of suites have printed is not the test's
  test_starts();
}

int failed(void* collector, const BoostUnit* unit) {
  typedef const void* (*ResultsOf)(const void*, uint64_t);
  typedef bool (*Passed)(const void*);
  return !hook<Passed>(wire::kPassed)(hook<ResultsOf>(wire::kResultsOf)(collector, unit->id));
}

void case_is_over(void* collector, BoostUnit* unit) {
  test_ends(failed(collector, unit));
  leave_target();
  if (stopped && in_branch()) end_branch();
  go_on(open_suite);
}

void on_finish(void* self, BoostUnit* unit, unsigned long elapsed) {
  if (!ours() || is_nested(unit) || stage == kBeforeRoot) return real_finish(self, unit, elapsed);
  OurTurn turn;
  if (unit->type == kBoostCase) body_ends();
  real_finish(self, unit, elapsed);
  if (unit == tree.suites[0].unit) return root_is_over();
  if (unit->type == kBoostSuite) return suite_is_over(unit);
  case_is_over(self, unit);
}

/// Also for a suite that a precondition keeps from running: asked again for each of its tests.
void on_skipped(void* self, BoostUnit* unit, const BoostText* reason) {
  if (!ours() || is_nested(unit) || stage == kBeforeRoot) return real_skipped(self, unit, reason);
  OurTurn turn;
  if (stage == kSettingUp && unit == tree.suites[0].unit) return set_up_is_done();
  real_skipped(self, unit, reason);
  if (target < 0) give_up(wire::kLayoutUnknown);
  test_starts();
  report_failure(text_of(unit->file), (int)unit->line, text_of(*reason), true);
  body_ends();
  test_ends(0);
  leave_target();
  go_on(open_suite);
}

void on_assertion(void* self, int result) {
  real_assertion(self, result);
  if (result != kFailedAssertion || !ours() || stage == kBeforeRoot) return;
  OurTurn turn;
  BoostEntry entry = take_error_entry();
  Text unknown = {"a check failed; the level of the log hides which one", 52};
  report_failure(entry.file, entry.line, entry.message.size ? entry.message : unknown, false);
}

void on_exception(void* self, const BoostException* exception) {
  real_exception(self, exception);
  if (!ours() || stage == kBeforeRoot) return;
  OurTurn turn;
  BoostEntry checkpoint = take_checkpoint();
  bool located = exception->line > 0;  // else its file is called "unknown location"
  report_failure(located ? text_of(exception->file) : checkpoint.file,
                 located ? (int)exception->line : checkpoint.line, text_of(exception->what), false);
}

void on_aborted(void* self) {
  real_aborted(self);
  stopped = true;
}

void on_log_start(void* self, BoostUnit* unit) {
  unit_test_log = self;
  real_log_start(self, unit);
}

/// The skip of the root is between the framework and us.
void on_log_skipped(void* self, BoostUnit* unit, const BoostText* reason) {
  if (stage == kSettingUp && ours() && unit == tree.suites[0].unit) return;
  real_log_skipped(self, unit, reason);
}

}  // namespace

bool install_boost() {
  void** results = hook<void**>(wire::kResultsVtable);
  void** log = hook<void**>(wire::kLogVtable);
  if (header->hooks.number[wire::kObserverSlots] != kSlots) return false;
  if (!make_writable(results, kSlots) || !make_writable(log, kSlots)) return false;
  set_boost_options();
  replace_slot(results, kTestAborted, &real_aborted, on_aborted);
  replace_slot(results, kUnitStart, &real_start, on_start);
  replace_slot(results, kUnitFinish, &real_finish, on_finish);
  replace_slot(results, kUnitSkipped, &real_skipped, on_skipped);
  replace_slot(results, kAssertion, &real_assertion, on_assertion);
  replace_slot(results, kException, &real_exception, on_exception);
  replace_slot(log, kUnitStart, &real_log_start, on_log_start);
  replace_slot(log, kUnitSkipped, &real_log_skipped, on_log_skipped);
  return true;
}

}  // namespace gordian_agent
