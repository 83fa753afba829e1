// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The agent for binaries into which nothing can be preloaded: compiled into the test executable,
// against its own GoogleTest headers and with its own flags, together with the framework-neutral
// sources of agent/. Without GORDIAN_WIRE in the environment it reads one variable and does
// nothing.
//   - Events come from two ordinary listeners, one near each end of GoogleTest's list: start events
//     reach the last listener last, end events the first one last.
//   - When global set-up is over we run the plan's suites through TestSuite::Run() ourselves, one
//     segment of tests at a time; GoogleTest does set-up, fixtures, exceptions, skips, death tests.
//     Its own loop then finds no suite that should run.
//   - TestSuite::Run() reads the size of its list anew each round, so the next test of a segment is
//     appended when the one before it has ended. All memory for this is taken before the snapshot.
// The moments are those of wire/protocol.h; what the events mean is target/agent/plan.cc's
// business.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vector>

#include "target/agent/agent.h"
#include "target/agent/snapshot/syscall_gate.h"

// Where the program was built for coverage: the branches end without exit(), which would write it.
extern "C" __attribute__((weak)) void __gcov_dump(void);
extern "C" __attribute__((weak)) void gordian_trace_test(int32_t test);
extern "C" __attribute__((weak)) int __llvm_profile_write_file(void);

// By this the engine sees, before it starts the program, that the adapter is in it.
extern "C" {
extern const uint32_t gordian_link_adapter[2];
__attribute__((used, section(".gordian")))
const uint32_t gordian_link_adapter[2] = {gordian_wire::kMagic, gordian_wire::kVersion};
}

namespace gordian_agent {

// What it needs of GoogleTest (1.8 to 1.18) beyond its public interface: five private members of a
// test suite, all of them unchanged since 1.8. An explicit instantiation may name private members,
// so this is plain C++11; a version that renames one fails to compile.

#ifdef INSTANTIATE_TEST_SUITE_P
typedef testing::TestSuite GtestSuite;
inline int count_suites(const testing::UnitTest& all) {
  return all.total_test_suite_count();
}
inline const GtestSuite* suite_at(const testing::UnitTest& all, int i) {
  return all.GetTestSuite(i);
}
#else  // before 1.10 a suite is called a test case
typedef testing::TestCase GtestSuite;
inline int count_suites(const testing::UnitTest& all) {
  return all.total_test_case_count();
}
inline const GtestSuite* suite_at(const testing::UnitTest& all, int i) {
  return all.GetTestCase(i);
}
#endif

/// Whether the framework will run no test at all, as it decides once global set-up is over.
inline bool global_setup_forbids_tests() {
#ifdef GTEST_SKIP
  if (testing::Test::IsSkipped()) return true;
#endif
  return testing::Test::HasFatalFailure();
}

/// Defines reveal(Key) as the pointer to the private member that Key::Member describes.
template <class Key, typename Key::Member member>
struct Reveal {
  friend typename Key::Member reveal(Key) { return member; }
};

struct SuiteTests {
  typedef std::vector<testing::TestInfo*> GtestSuite::*Member;
  friend Member reveal(SuiteTests);
};
struct SuiteIndices {
  typedef std::vector<int> GtestSuite::*Member;
  friend Member reveal(SuiteIndices);
};
struct SuiteShouldRun {
  typedef bool GtestSuite::*Member;
  friend Member reveal(SuiteShouldRun);
};
struct SuiteRun {
  typedef void (GtestSuite::*Member)();
  friend Member reveal(SuiteRun);
};
struct SuiteClearResult {
  typedef void (GtestSuite::*Member)();
  friend Member reveal(SuiteClearResult);
};

template struct Reveal<SuiteTests, &GtestSuite::test_info_list_>;
template struct Reveal<SuiteIndices, &GtestSuite::test_indices_>;
template struct Reveal<SuiteShouldRun, &GtestSuite::should_run_>;
template struct Reveal<SuiteRun, &GtestSuite::Run>;
template struct Reveal<SuiteClearResult, &GtestSuite::ClearResult>;

namespace {

using testing::TestInfo;
using testing::UnitTest;

/// The tests as registered, and the state of the walk over them. Never freed: exit() in a test must
/// find it intact.
struct Registry {
  std::vector<GtestSuite*> suites;
  std::vector<char> suite_enabled;  // should_run_ as the framework had set it
  std::vector<char> suite_opened;
  std::vector<TestInfo*> tests;
  std::vector<int> suite_of;       // by test
  std::vector<char> ran;           // by test
  std::vector<TestInfo*> segment;  // swapped with the open suite's own list
  std::vector<int> indices;
  int open;  // number of the open suite, -1 for none
};

bool active;
bool served;
Registry* registry;

GtestSuite* open_suite() {
  return registry->suites[(size_t)registry->open];
}

// --- listing: moment 4 -------------------------------------------------------------------------

Text text(const char* s) {
  Text t = {s ? s : "", s ? strlen(s) : 0};
  return t;
}

void list_one(GtestSuite* suite, TestInfo* test) {
  ListedTest listed = ListedTest();
  listed.text[wire::kSuiteText] = text(suite->name());
  listed.text[wire::kNameText] = text(test->name());
  listed.text[wire::kFileText] = text(test->file());
  listed.text[wire::kTypeText] = text(test->type_param());
  listed.text[wire::kValueText] = text(test->value_param());
  listed.line = test->line();
  listed.will_run = test->should_run();
  listed.disabled = disabled_by_name(listed.text[wire::kSuiteText], listed.text[wire::kNameText]);
  list_test(listed);
}

void list_tests(const UnitTest& unit_test) {
  for (int s = 0; s < count_suites(unit_test); ++s) {
    GtestSuite* suite = const_cast<GtestSuite*>(suite_at(unit_test, s));
    registry->suites.push_back(suite);
    registry->suite_enabled.push_back(suite->should_run());
    for (TestInfo* test : suite->*reveal(SuiteTests())) {
      registry->tests.push_back(test);
      registry->suite_of.push_back(s);
      list_one(suite, test);
    }
  }
}

void reserve_memory() {
  registry->suite_opened.resize(registry->suites.size());
  registry->ran.resize(registry->tests.size());
  registry->segment.reserve(header->cap_tokens);
  registry->indices.reserve(header->cap_tokens);
  registry->open = -1;
}

// --- running: moments 5 to 7 -------------------------------------------------------------------

void swap_lists() {
  (open_suite()->*reveal(SuiteTests())).swap(registry->segment);
  (open_suite()->*reveal(SuiteIndices())).swap(registry->indices);
}

/// Lets the running suite see one more test.
void append_test(int t) {
  GtestSuite* suite = open_suite();
  char* ran = &registry->ran[(size_t)t];
  // An earlier fatal failure would make the framework skip the body of a second run.
  if (*ran) (suite->*reveal(SuiteClearResult()))();
  *ran = 1;
  std::vector<int>& indices = suite->*reveal(SuiteIndices());
  indices.push_back((int)indices.size());
  (suite->*reveal(SuiteTests())).push_back(registry->tests[(size_t)t]);
  take_test();
}

void begin_segment(int t) {
  registry->open = registry->suite_of[(size_t)t];
  size_t number = (size_t)registry->open;
  GtestSuite* suite = open_suite();
  swap_lists();
  suite->*reveal(SuiteShouldRun()) = registry->suite_enabled[number] != 0;
  if (registry->suite_opened[number]) (suite->*reveal(SuiteClearResult()))();
  registry->suite_opened[number] = 1;
  suite_starts();
  append_test(t);
}

/// Also when a test calls exit(): the framework's destructors must find its own lists.
void close_segment() {
  if (!registry || registry->open < 0) return;
  swap_lists();
  registry->segment.clear();
  registry->indices.clear();
  open_suite()->*reveal(SuiteShouldRun()) = false;
  registry->open = -1;
}

void run_plan() {
  for (int t; (t = next_test()) >= 0;) {
    begin_segment(t);
    {
      TheirTurn theirs;
      (open_suite()->*reveal(SuiteRun()))();
    }
    suite_ends();
    close_segment();
  }
}

/// The framework's own loop passes over suites that should not run.
void let_suites_run(bool as_registered) {
  for (size_t i = 0; i < registry->suites.size(); ++i) {
    registry->suites[i]->*reveal(SuiteShouldRun()) = as_registered && registry->suite_enabled[i];
  }
}

// --- events ------------------------------------------------------------------------------------

/// The last listener: hears of a start after all others, of an end before them.
class Inner : public testing::EmptyTestEventListener {
  void OnTestStart(const TestInfo&) override {
    if (!owner()) return;
    OurTurn turn;
    test_starts();
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    const int kSkip = 3;  // has no name before 1.10
    if (!owner() || part.type() == testing::TestPartResult::kSuccess) return;
    OurTurn turn;
    report_failure(text(part.file_name()), part.line_number(), text(part.message()),
                   (int)part.type() == kSkip);
  }

  void OnTestEnd(const TestInfo&) override {
    if (!owner()) return;
    OurTurn turn;
    body_ends();
  }
};

/// The first listener but for the framework's printer: hears of an end after the user's own, which
/// may still have added a failure.
class Outer : public testing::EmptyTestEventListener {
  void OnTestProgramStart(const UnitTest& unit_test) override {
    if (registry || !owner()) return;
    registry = new Registry();
    list_tests(unit_test);
    reserve_memory();
    finish_listing();
    UnitTest::GetInstance()->listeners().Append(new Inner);
  }

  void OnEnvironmentsSetUpEnd(const UnitTest&) override {
    if (!owner()) return;
    let_suites_run(false);
    if (served) return;  // --gtest_repeat: the plan has been run
    served = true;
    atexit(close_segment);
    if (!serve()) return;
    OurTurn turn;
    if (!global_setup_forbids_tests()) run_plan();
    if (in_branch()) end_branch();  // branches never tear down what the snapshot owns
  }

  void OnTestEnd(const TestInfo& test) override {
    if (!owner()) return;
    OurTurn turn;
    test_ends(test.result()->Failed());
    int next = next_test();
    if (next >= 0 && registry->suite_of[(size_t)next] == registry->open) append_test(next);
  }

  void OnEnvironmentsTearDownStart(const UnitTest&) override {
    if (owner()) let_suites_run(true);  // for the summary that is printed last
  }
};

// --- starting: moments 2 and 3 -----------------------------------------------------------------

/// Not to be controlled by this engine; running everything instead would be worse than nothing.
[[noreturn]] void refuse() {
  const char kWhy[] =
      "gordian: the adapter in this program is of another version of Gordian; build it again\n";
  if (write(2, kWhy, sizeof kWhy - 1) < 0) _exit(126);
  _exit(125);
}

/// Before the program's own static objects, and before libstdc++'s in a static executable: libc
/// only. We know our framework and list no modules, so the engine has no addresses to find.
__attribute__((constructor(101))) void begin() {
  const volatile uint32_t* mark = gordian_link_adapter;  // keeps its section from being collected
  if (mark[0] != wire::kMagic || !getenv(GORDIAN_WIRE_ENV)) return;
  if (!attach()) refuse();
  unsetenv(GORDIAN_WIRE_ENV);
  send_byte(wire::kLoaded);
  if (receive_byte() != wire::kGo) _exit(0);
  if (__llvm_profile_write_file) {
    coverage_dump = (void (*)()) & __llvm_profile_write_file;
  }
  if (__gcov_dump) coverage_dump = &__gcov_dump;
  if (gordian_trace_test) trace_test = &gordian_trace_test;
  active = true;
}

struct Registration {
  Registration() {
    if (active) UnitTest::GetInstance()->listeners().Append(new Outer);
  }
} registration;

}  // namespace
}  // namespace gordian_agent
