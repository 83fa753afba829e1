// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where doctest (2.3.5 to 2.5) keeps what its run goes by. Its header hides all of it, and members
// came and went, so every place is found by its shape and checked; what does not fit is refused.
#pragma once

#include "target/agent/agent.h"
#include "target/agent/frameworks/safe_read.h"

namespace gordian_agent {

/// doctest::TestRunStats, inside of its state of a run.
struct DoctestCounts {
  uint32_t tests, passing_filters, suites, tests_failed;
  int32_t asserts, asserts_failed;
};

struct DoctestLayout {
  size_t head;         // sizeof TestCaseData::m_file: a doctest::String, or a pointer before 2.4
  size_t body_at;      // TestCase::m_test
  size_t template_at;  // TestCase::m_template_id
};

/// The std::set of all registered tests, of libstdc++ or libc++: how many there are, and the one
/// that comes first in it. False when there is none, or when it does not look like tests.
struct DoctestRegistry {
  size_t tests;
  char* first;
};
bool read_registry(const void* set, DoctestLayout* layout, DoctestRegistry* registry);

/// The array of pointers to all `tests` that Context::run() is about to walk over. It is on the
/// heap; its address is in a register that was saved, or in that function's frame. Null when it is
/// not found, or when there are two.
/// REQUIRES: called by way of Context::run(). `frame`: an address further in than all of that.
/// `last_walk`: the array of a walk that goes on further out, which is not meant.
char** find_walk(const void* frame, const DoctestLayout& layout, size_t tests, char** last_walk);

/// Makes `filler` a test of its own, by bytes copied from `test` and a line that no test has.
enum : size_t { kFillerSize = 160 };
enum : int { kFillerLine = 1 << 30 };
void make_filler(const DoctestLayout& layout, const char* test, int number, char* filler);

/// The vector of reporters in the state of a run, by the one of ours that must be in it.
PointerVector* find_reporters(const void* state, const void* ours);
/// The option --abort-after; `order`: what --order-by says.
enum DoctestOrder { kByFile, kBySuite, kByName, kAtRandom, kUnsorted };
int32_t* find_abort_after(const void* state, DoctestOrder* order);
/// `stats`: what test_case_end was called with; `passing`: how many tests have run, at least as
/// many have passed the filters. Null when the counts are not where they must be.
DoctestCounts* find_counts(const void* stats, size_t tests, uint32_t passing);

typedef void (*DoctestBody)();

inline DoctestBody* body_of(const DoctestLayout& layout, char* test) {
  return (DoctestBody*)(test + layout.body_at);
}
inline bool* skip_of(const DoctestLayout& layout, char* test) {
  return (bool*)(test + layout.head + 32);
}
inline int line_of(const DoctestLayout& layout, const char* test) {
  return *(const int*)(test + layout.head);
}
inline int template_of(const DoctestLayout& layout, const char* test) {
  return *(const int*)(test + layout.template_at);
}
/// REQUIRES: a test that find_walk() has seen.
Text file_of(const DoctestLayout& layout, const char* test);
Text name_of(const DoctestLayout& layout, const char* test);
Text suite_of(const DoctestLayout& layout, const char* test);

/// A doctest::String.
Text doctest_string(const void* at);

struct DoctestFailure {
  Text file, message;
  int line;
  char room[4096];  // of the message, unless the framework has it
};
typedef const char* (*AssertString)(int kind);
/// What a doctest::AssertData tells. False: nothing has failed, or it is only a warning.
bool read_assert(const void* data, AssertString name, DoctestFailure* failure);
/// The same of a doctest::MessageData: FAIL and its kin.
bool read_message(const void* data, DoctestFailure* failure);
/// Of a doctest::TestCaseException; fills the message.
void read_exception(const void* exception, DoctestFailure* failure);
inline bool is_crash(const void* exception) {
  return ((const char*)exception)[24] != 0;
}

/// failure_flags of doctest::CurrentTestCaseStats.
inline int failure_flags_of(const void* stats) {
  return *(const int*)((const char*)stats + 16);
}
/// As the framework counts: a failure that a decorator allows is none.
bool counts_as_failed(int failure_flags);
/// Why a test failed in which no assertion did.
Text broken_decorator(int failure_flags);

// The tests of a doctest program in an order that is the same in every process, and their names.

enum : uint8_t { kAsItIs = 1, kUnskipped = 2 };  // would_run: it passes the filters ...

struct DoctestTest {
  char* test;  // doctest::detail::TestCase
  DoctestBody body;
  Text suite, name, file;
  bool skip;
  uint8_t would_run;
  uint32_t rank;  // how many tests had passed the filters then: --first and --last go by it
};

/// Those that the walk over `sequence` would meet, without fillers, in the order of --order-by (at
/// random is taken as by file). Null when there are not `count` of them.
DoctestTest* note_tests(const DoctestLayout& layout, char** sequence, size_t capacity, size_t count,
                        DoctestOrder order);

/// Moment 4. Two tests may have one name: the second is listed as "name#2".
void list_tests(const DoctestLayout& layout, const DoctestTest* tests, int count);

}  // namespace gordian_agent
