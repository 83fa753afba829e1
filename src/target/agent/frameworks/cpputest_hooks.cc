// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any sequence of tests of an unmodified CppUTest 4.0 binary, without patching code.
//   - Every event of a run goes through one TestResult; we replace entries of its vtable.
//   - TestRegistry::runAllTests() walks a list of tests from pointer to pointer. At the end of each
//     test we make its pointer lead to the one that shall run next. So the framework itself does
//     set-up, tear-down, plugins with their leak detection, ignored tests and separate processes.
//   - Tests of the framework itself run registries inside of tests: events of another TestResult
//     than the first are not ours.
#include <string.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/frameworks.h"
#include "target/agent/frameworks/safe_read.h"
#include "target/agent/snapshot/syscall_gate.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

// Members of the framework's objects, checked by looks_right().
struct Shell {  // UtestShell
  void* const* vtable;
  const char *group, *name, *file;
  size_t line;
  Shell* next;
  bool separate_process, has_failed;
};
struct Registry {  // TestRegistry
  void* const* vtable;
  Shell* tests;
  const void *name_filters, *group_filters, *first_plugin;
  bool separate_process;
  int repetition;
  bool run_ignored;
};
struct SimpleString {
  const char* text;
  size_t size;
};
struct Failure {  // TestFailure
  void* const* vtable;
  SimpleString test, test_only, file;
  size_t line;
  SimpleString test_file;
  size_t test_line;
  SimpleString message;
};

enum : uint32_t { kResultFunctions = 16, kRegistryFunctions = 24, kShellFunctions = 41 };
enum : int { kGetNext = 3, kWillRun = 6 };  // of UtestShell
enum : int { kShuffle = 6 };                // of TestRegistry

Registry* registry;
void* result;    // the TestResult of the run that is ours
Shell** shells;  // by number
Shell** real_next;
int test_count;
bool over;

void (*real_started)(void*);
void (*real_ended)(void*);
void (*real_test_started)(void*, Shell*);
void (*real_test_ended)(void*, Shell*);
void (*real_filtered_out)(void*);
void (*real_ignored)(void*);
void (*real_failure)(void*, const Failure*);

// --- listing -----------------------------------------------------------------------------------

bool looks_right(const Shell* at) {
  Shell shell;
  Text text;
  if (!peek(at, &shell, sizeof shell)) return false;
  typedef Shell* (*GetNext)(const Shell*);
  return peek_text(shell.group, &text) && peek_text(shell.name, &text) &&
         peek_text(shell.file, &text) && shell.line < 10000000 && is_code(shell.vtable[kGetNext]) &&
         ((GetNext)shell.vtable[kGetNext])(at) == shell.next;
}

bool note_tests() {
  Registry copy;
  if (!registry || !peek(registry, &copy, sizeof copy)) return false;
  for (const Shell* s = copy.tests; s; s = s->next, ++test_count) {
    if (!looks_right(s) || test_count > 5000000) return false;
  }
  shells = agent_array<Shell*>((size_t)test_count);
  real_next = agent_array<Shell*>((size_t)test_count);
  int k = 0;
  for (Shell* s = copy.tests; s; s = s->next, ++k) {
    shells[k] = s;
    real_next[k] = s->next;
  }
  return true;
}

bool passes_filters(const Shell* shell) {
  typedef bool (*ShouldRun)(const Shell*, const void* groups, const void* names);
  return hook<ShouldRun>(wire::kShouldRun)(shell, registry->group_filters, registry->name_filters);
}

/// IGNORE_TEST's do not, until they are told to.
bool runs_by_itself(const Shell* shell) {
  typedef bool (*WillRun)(const Shell*);
  return ((WillRun)shell->vtable[kWillRun])(shell);
}

void list_tests() {
  for (int i = 0; i < test_count; ++i) {
    const Shell* s = shells[i];
    ListedTest test = ListedTest();
    test.text[wire::kSuiteText] = text_of(s->group);
    test.text[wire::kNameText] = text_of(s->name);
    test.text[wire::kFileText] = text_of(s->file);
    test.line = (int)s->line;
    bool passes = passes_filters(s), ignored = !runs_by_itself(s);
    test.will_run = passes && (!ignored || registry->run_ignored);
    test.disabled = passes && ignored;
    list_test(test);
  }
}

// --- choosing what runs next -------------------------------------------------------------------

/// `link`: what leads the framework to its next test. REQUIRES: OurTurn.
void choose_next(Shell** link) {
  int t = next_test();
  if (t < 0) end_plan();
  *link = t < 0 ? nullptr : shells[t];
  if (t < 0) return;
  suite_starts();
  take_test();
}

void give_back_links() {
  for (int i = 0; i < test_count; ++i) shells[i]->next = real_next[i];
  registry->tests = test_count > 0 ? shells[0] : nullptr;
}

// --- events ------------------------------------------------------------------------------------

bool ours(const void* self) {
  return self == result && !over && owner();
}

typedef Registry* (*CurrentRegistry)();
Registry* current_registry() {
  return hook<CurrentRegistry>(wire::kCurrentRegistry)();
}

void on_started(void* self) {
  real_started(self);
  if (!owner()) return;
  if (over && current_registry() == registry) registry->tests = nullptr;  // -r: run once more
  if (result) return;
  OurTurn turn;
  result = self;
  registry = current_registry();
  if (!note_tests()) give_up(wire::kLayoutUnknown);
  list_tests();
  finish_listing();
  if (serve()) {
    choose_next(&registry->tests);
  } else {
    registry->tests = nullptr;
  }
}

void on_test_started(void* self, Shell* shell) {
  OurTurn turn;
  real_test_started(self, shell);
  if (ours(self)) test_starts();
}

void on_test_ended(void* self, Shell* shell) {
  OurTurn turn;
  if (ours(self)) body_ends();
  real_test_ended(self, shell);
  if (!ours(self)) return;
  test_ends(-1);
  choose_next(&shell->next);
}

/// The plan wants it, but the program's own arguments leave it out.
void on_filtered_out(void* self) {
  real_filtered_out(self);
  if (!ours(self)) return;
  OurTurn turn;
  Shell* shell = shells[current_test()];
  suite_ends();
  choose_next(&shell->next);
}

void on_ignored(void* self) {
  real_ignored(self);
  if (!ours(self)) return;
  OurTurn turn;
  const Shell* s = shells[current_test()];
  report_failure(text_of(s->file), (int)s->line, text_of("an IGNORE_TEST"), true);
}

/// A leak's report names the address of each piece of memory. It is another one in each process, so
/// it is left out: "<0x55...>" becomes "<0x>".
Text without_addresses(Text message, char* room, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < message.size && used < size; ++i) {
    room[used++] = message.data[i];
    if (used < 3 || memcmp(room + used - 3, "<0x", 3) != 0) continue;
    while (i + 1 < message.size && message.data[i + 1] != '>') ++i;
  }
  return Text{room, used};
}

bool is_leak_report(Text message) {
  const char kBegin[] = "Memory leak(s) found";
  return message.size >= sizeof kBegin && memcmp(message.data, kBegin, sizeof kBegin - 1) == 0;
}

void on_failure(void* self, const Failure* failure) {
  OurTurn turn;
  real_failure(self, failure);
  if (!ours(self)) return;
  Text file, message;
  if (!peek_text(failure->file.text, &file)) file = Text{"", 0};
  if (!peek_text(failure->message.text, &message)) message = Text{"", 0};
  char room[8192];
  if (is_leak_report(message)) message = without_addresses(message, room, sizeof room);
  report_failure(file, (int)failure->line, message, false);
}

void on_ended(void* self) {
  if (ours(self)) {
    give_back_links();
    over = true;
  }
  real_ended(self);
}

/// -s shuffles: the order is ours to choose, and the default one must stay known.
void leave_in_order(void*, size_t) {}

}  // namespace

bool install_cpputest() {
  const wire::Hooks& hooks = header->hooks;
  void** events = hook<void**>(wire::kResultVtable);
  void** functions = hook<void**>(wire::kCppRegistryVtable);
  if (hooks.number[wire::kResultSlots] != kResultFunctions ||
      hooks.number[wire::kCppRegistrySlots] != kRegistryFunctions ||
      hooks.number[wire::kShellSlots] != kShellFunctions) {
    return false;
  }
  if (!make_writable(events, kResultFunctions)) return false;
  if (!make_writable(functions, kRegistryFunctions)) return false;
  // Behind two destructors: testsStarted, testsEnded, currentGroupStarted and -Ended,
  // currentTestStarted and -Ended, countTest, countRun, countCheck, countFilteredOut,
  // countIgnored, addFailure, print, printVeryVerbose.
  replace_slot(events, 2, &real_started, on_started);
  replace_slot(events, 3, &real_ended, on_ended);
  replace_slot(events, 6, &real_test_started, on_test_started);
  replace_slot(events, 7, &real_test_ended, on_test_ended);
  replace_slot(events, 11, &real_filtered_out, on_filtered_out);
  replace_slot(events, 12, &real_ignored, on_ignored);
  replace_slot(events, 13, &real_failure, on_failure);
  functions[kShuffle] = (void*)leave_in_order;
  return true;
}

}  // namespace gordian_agent
