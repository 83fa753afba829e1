// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any sequence of tests of an unmodified Catch2 binary (2.13 and 3), without patching code.
//   - TestRegistry::getAllTestsSorted() is virtual, and asked when the run's context exists and
//     listeners have been told that the run starts. We replace it in the vtable: it lists, serves,
//     and tells the framework that there is no test.
//   - A test runs by the framework's own RunContext::runTest(), which does sections, generators,
//     fixtures, exceptions and signals, and returns what it counted.
//   - The reporter's assertionEnded() is replaced in the vtable of its class: it hears where a
//     check failed. Version 2 also starts a group of tests; only then can the reporter print.
#include <string.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/catch2_layout.h"
#include "target/agent/frameworks/frameworks.h"
#include "target/agent/snapshot/syscall_gate.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

struct Returned {
  uint64_t word[128];  // a Totals, with room for what later versions may add
};
typedef const Catch2Tests* (*AllTests)(const void* registry);
typedef const Catch2Tests* (*AllTestsSorted)(const void* registry, const void* config);
typedef Catch2Tests (*FilterTests)(const Catch2Tests* tests, const void* spec, const void* config);
typedef const void* (*ConfigTestSpec)(const void* config);
typedef int (*ConfigNumber)(const void* config);
typedef Returned (*RunTest)(void* context, const void* test);
typedef bool (*AssertionEnded)(void* reporter, const void* stats);  // version 3 returns nothing
typedef void (*GroupStarting)(void* reporter, const void* group);
typedef void* (*ContextFunction)();

const size_t kTextRoom = 16 * 1024;
const int kContextWords = 8;

int major, test_count;
bool listed, harmless_reporter;
char* run_context;
char** test_of;  // by test number
int* properties_of;
char* text_room;
Catch2Tests no_tests;
AllTestsSorted real_sorted;
AssertionEnded real_assertion;
GroupStarting real_group;

// --- listing -----------------------------------------------------------------------------------

void make_tables(const Catch2Tests& tests) {
  test_count = catch2_count(tests, major);
  test_of = agent_array<char*>((size_t)test_count);
  properties_of = agent_array<int>((size_t)test_count);
  text_room = (char*)agent_memory(kTextRoom);
  for (int t = 0; t < test_count; ++t)
    test_of[t] = tests.begin + (size_t)t * catch2_test_size(major);
}

/// Each is read once: looking at a place that may not be there takes a system call. False when one
/// does not look like a test.
bool read_all(const Catch2Tests& tests, Catch2Test* to) {
  for (int i = 0; i < catch2_count(tests, major); ++i) {
    if (!read_catch2_test(major, tests.begin + (size_t)i * catch2_test_size(major), &to[i]))
      return false;
  }
  return true;
}

/// Begins behind where the last one was found: both lists are in the same order.
bool holds(const Catch2Test* tests, int count, const Catch2Test& wanted, int* last) {
  for (int i = 1; i <= count; ++i) {
    int at = (*last + i) % count;
    if (tests[at].identity != wanted.identity) continue;
    *last = at;
    return true;
  }
  return false;
}

/// Two tests may have the same name if their classes or tags differ; then the tags belong to it.
bool is_named_before(const Catch2Test* tests, int t) {
  const Text name = tests[t].name;
  for (int i = 0; i < t; ++i) {
    if (same_text(tests[i].name, name)) return true;
  }
  return false;
}

void list_one(const Catch2Test* tests, int t, bool will_run) {
  const Catch2Test& test = tests[t];
  ListedTest listed_test = ListedTest();
  Text tags = {text_room, write_catch2_tags(major, test_of[t], text_room, kTextRoom / 2)};
  Text name = test.name;
  if (major == 3 && is_named_before(tests, t) && name.size + tags.size + 1 < kTextRoom / 2) {
    char* full = text_room + kTextRoom / 2;
    memcpy(full, name.data, name.size);
    full[name.size] = ' ';
    memcpy(full + name.size + 1, tags.data, tags.size);
    name = Text{full, name.size + 1 + tags.size};
  }
  listed_test.text[wire::kNameText] = name;
  listed_test.text[wire::kFileText] = test.file;
  listed_test.text[wire::kTypeText] = test.class_name;
  listed_test.text[wire::kTagsText] = tags;
  listed_test.line = test.line;
  listed_test.will_run = will_run;
  listed_test.disabled = test.properties & kHidden;
  list_test(listed_test);
}

/// False when one of them does not look like a test.
bool list_all(const Catch2Tests& tests, const Catch2Tests& chosen) {
  const int chosen_count = catch2_count(chosen, major);
  Catch2Test* all = agent_array<Catch2Test>((size_t)test_count);
  Catch2Test* picked = agent_array<Catch2Test>((size_t)chosen_count);
  if (!read_all(tests, all) || !read_all(chosen, picked)) return false;
  int last = -1;
  for (int t = 0; t < test_count; ++t) {
    properties_of[t] = all[t].properties;
    list_one(all, t, holds(picked, chosen_count, all[t], &last));
  }
  return true;
}

/// The framework's default order, unless the program's arguments ask for one that is no matter of
/// chance: 0 declaration, 1 by name, 2 random.
const Catch2Tests& default_order(const void* registry, const void* config,
                                 const Catch2Tests& sorted) {
  const bool by_name = hook<ConfigNumber>(wire::kConfigRunOrder)(config) == 1;
  return by_name ? sorted : *hook<AllTests>(wire::kAllTests)(registry);
}

/// Moment 4.
void list_tests(const void* registry, const void* config, const Catch2Tests& sorted) {
  const Catch2Tests& tests = default_order(registry, config, sorted);
  make_tables(tests);
  // Never given back: the framework's destructor for it is not ours to call.
  static Catch2Tests chosen;
  chosen = hook<FilterTests>(wire::kFilterTests)(
      &sorted, hook<ConfigTestSpec>(wire::kConfigTestSpec)(config), config);
  if (!list_all(tests, chosen)) give_up(wire::kLayoutUnknown);
  finish_listing();
}

// --- running -----------------------------------------------------------------------------------

/// Failures without a failed check: [!shouldfail], or -w NoAssertions.
void explain_count(int t) {
  Catch2Test test;
  if (!read_catch2_test(major, test_of[t], &test)) return;
  const char* why = test.properties & kShouldFail ? "the test was expected to fail, and did not"
                                                  : "counted as failed without a failed check";
  report_failure(test.file, test.line, text_of(why), false);
}

bool saw_failure;

void run_one(int t) {
  saw_failure = false;
  Returned totals;
  test_starts();
  {
    TheirTurn theirs;
    totals = hook<RunTest>(wire::kRunTest)(run_context, test_of[t]);
  }
  body_ends();
  bool failed = totals.word[major == 2 ? 2 : 1] != 0;  // assertions.failed
  if (failed && !saw_failure) explain_count(t);
  test_ends(failed);
}

/// Moments 5 to 7.
void serve_and_run() {
  OurTurn turn;
  if (!serve()) return;
  for (int t; (t = next_test()) >= 0;) {
    take_test();
    run_one(t);
  }
  end_plan();
}

// --- hooks -------------------------------------------------------------------------------------

void report(const void* stats) {
  Catch2Assertion a;
  if (!read_catch2_assertion(major, (const char*)stats, &a)) give_up(wire::kLayoutUnknown);
  const bool skip = a.type == kCatch2Skip;
  if (!skip && !(a.type & kCatch2Failure)) return;
  if (!skip && properties_of[current_test()] & (kShouldFail | kMayFail)) return;
  saw_failure = saw_failure || !skip;
  report_failure(a.file, a.line, Text{text_room, write_catch2_message(a, text_room, kTextRoom)},
                 skip);
}

/// Behind the reporter: it has expanded the expression, and the text is kept with the assertion.
bool on_assertion(void* reporter, const void* stats) {
  if (!listed || !owner()) return real_assertion(reporter, stats);
  OurTurn turn;
  bool answer;
  {
    TheirTurn theirs(harmless_reporter);
    answer = real_assertion(reporter, stats);
  }
  report(stats);
  return answer;
}

void on_group(void* reporter, const void* group) {
  real_group(reporter, group);
  if (owner()) serve_and_run();
}

/// With --abort the framework would stop at the number of failures of the whole run.
int never_abort(const void*) {
  return -1;
}

template <class Function>
bool replace(uint64_t* table, int slot, Function* real, Function ours) {
  if (slot < 0 || !make_writable(table + slot, 1)) return false;
  replace_slot(table, slot, real, ours);
  return true;
}

/// REQUIRES: a place in the vtable of the framework's own reporter for several.
int fan_out_slot(wire::Catch2Entry function) {
  return find_slot(hook<const uint64_t*>(wire::kFanOutVtable),
                   header->hooks.number[wire::kFanOutSlots], header->hooks.entry[function]);
}

bool hook_reporter() {
  char* reporter = find_catch2_reporter(run_context);
  int assertion = fan_out_slot(wire::kFanOutAssertion);
  if (!reporter || assertion < 0) return false;
  harmless_reporter = is_catch2_class(reporter);
  uint64_t* table = *(uint64_t**)reporter;
  if (!replace(table, assertion, &real_assertion, on_assertion)) return false;
  return major == 3 || replace(table, fan_out_slot(wire::kFanOutGroup), &real_group, on_group);
}

bool hook_config(const void* config) {
  const uint32_t kMostSlots = 64;
  uint64_t* table = *(uint64_t* const*)config;
  ConfigNumber real;
  int slot = find_slot(table, kMostSlots, header->hooks.entry[wire::kConfigAbortAfter]);
  return replace(table, slot, &real, never_abort);
}

/// Null until the framework has made it: it also asks for tests before, to list or to tag them.
char* find_run_context() {
  void* context = nullptr;
  if (header->hooks.entry[wire::kContextFunction]) {
    context = hook<ContextFunction>(wire::kContextFunction)();
  } else {
    context = *hook<void**>(wire::kContextVariable);
  }
  if (!context) return nullptr;
  return find_by_vptr(context, kContextWords, header->hooks.entry[wire::kRunContextVtable]);
}

const Catch2Tests* on_sorted(const void* registry, const void* config) {
  const Catch2Tests* sorted = real_sorted(registry, config);
  if (listed || !owner()) return sorted;
  run_context = find_run_context();
  if (!run_context) return sorted;
  listed = true;
  if (!hook_reporter() || !hook_config(config)) give_up(wire::kLayoutUnknown);
  list_tests(registry, config, *sorted);
  if (major == 3) serve_and_run();
  return &no_tests;
}

}  // namespace

bool install_catch2() {
  major = (int)header->hooks.number[wire::kCatch2Major];
  uint64_t* table = hook<uint64_t*>(wire::kRegistryVtable);
  int slot = find_slot(table, header->hooks.number[wire::kRegistrySlots],
                       header->hooks.entry[wire::kAllTestsSorted]);
  return replace(table, slot, &real_sorted, on_sorted);
}

}  // namespace gordian_agent
