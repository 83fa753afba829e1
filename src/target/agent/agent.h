// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The agent's law. This code lives in somebody else's process, so:
//   - libc only: no libstdc++, no exceptions, no RTTI, no thread-safe statics. Built as C++11.
//   - no malloc, no stdio formatting and no locks in anything a hook can reach; memory comes from
//     mmap before the first test. A test may have broken the heap, the locale or stdio.
//   - includes wire/ and the agent's own headers, nothing else of ours.
//   - exports nothing; every name is hidden. A test of ours reads the dynamic section.
//   - hooks act only in the process that owns the branch (`owner()`): a death test's child, or a
//     child that a test forked, runs through them untouched.
//   - when something does not look as it must, say so by a Fault and end the process. Never fall
//     through into an uncontrolled run.
// Thinking happens in the engine: the agent follows the plan and writes down what it saw.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "wire/protocol.h"

namespace gordian_agent {

namespace wire = gordian_wire;

struct Text {
  const char* data;
  size_t size;
};
inline Text text_of(const char* string) {
  return Text{string, strlen(string)};
}
inline bool same_text(Text a, Text b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

// --- channel.cc: shared memory and socket ------------------------------------------------------

// The engine's orders, which nobody in this process can write.
extern const wire::Header* header;
extern const int32_t* plan;
// What we tell. Tests can write here: see the section on trust in wire/protocol.h.
extern wire::Report* report;
extern wire::Slot* slots;

// Called when a branch ends, and when a traced build begins with another test; nullptr: not there.
extern void (*coverage_dump)();
extern void (*trace_test)(int32_t test);

/// Maps the engine's memory if GORDIAN_WIRE asks for it. False: this process is not ours to run.
bool attach();

/// Removes our traces from the environment, so that programs started by tests run without us.
void clean_environment();

void send_byte(char byte);
/// Blocks for the engine's next byte; wire::kQuit when it is gone.
char receive_byte();
bool is_channel(int fd);
void close_channel();

/// Ends the process with `fault` named to the engine.
[[noreturn]] void give_up(wire::Fault fault);

/// Reserves `size` bytes of the arena, zero when it is full.
uint32_t arena_take(size_t size);
char* arena_at(uint32_t offset);
uint32_t arena_failure(Text file, int line, Text message);

/// Fresh zeroed memory that is not the target's heap. Ends the process when there is none.
void* agent_memory(size_t size);
template <class T>
T* agent_array(size_t count) {
  return (T*)agent_memory(count * sizeof(T) + 1);  // also of none
}

uint64_t now_ns();

// --- listing.cc: moment 4 ------------------------------------------------------------------------

struct ListedTest {
  Text text[wire::kTestTexts];  // by wire::TestText; tests named in kDeclaredText end in '\n' each
  int line;
  bool will_run, disabled;
};
/// The next test in the framework's default order.
void list_test(const ListedTest& test);
/// All are listed. Does not return when the engine wants only the list, or none would run.
void finish_listing();
/// GoogleTest's rule: DISABLED_ before the test's name or its suite's, perhaps behind an
/// instance's.
bool disabled_by_name(Text suite, Text name);

// --- capture.cc: where a test's output and files go --------------------------------------------

/// Points stdout and stderr of this process at the worker's capture file.
void capture_as(uint32_t worker);
/// Root only: measure and cut that worker's file in its stead.
void capture_as_reader(uint32_t worker);
uint64_t capture_size();
/// Cuts what slot printed (up to output_end) to head and tail when it is too long.
void capture_cut(wire::Slot* slot);

/// Gives this worker its own copy-on-write view of the private directories.
void own_file_system(uint32_t worker);
/// Branches must not have the rights that the worker needs for mounting.
void leave_file_system_rights();
/// True if something was written to that view.
bool file_system_touched();

// --- hygiene.cc: is this process fit to be forked, and making the fork a clean copy -----------

int count_threads();
void each_readable_mapping(void (*fn)(uint64_t begin, uint64_t end));
bool has_live_child();
/// Notes open regular files so that own_files() can give a child its own offsets. Returns the
/// number of descriptors that cannot be separated.
uint32_t note_files();
void own_files();
uint32_t count_shared_maps();
bool has_locked_memory();
/// Seccomp filters; one that a test has added may forbid what a fork of ours begins with.
int count_filters();
/// Signals that wait, timers that run, or locks on memory: a fork has none of them.
bool has_what_forks_lack();
void collapse_heap();
/// Kills and reaps every child of this process that is not at work for the plan; returns how many
/// were alive.
int end_children();
/// True if the kernel says so: only then may a number from the report be signalled.
bool is_own_child(pid_t pid);

// --- plan.cc, place.cc, branch.cc, test_events.cc: the interpreter -------------------------------

/// True in the process that runs the current branch.
bool owner();
/// True in every process but the one that will be torn down as the framework does.
bool in_branch();
/// How this program's processes can be snapshotted; kNoBackend: not at all.
wire::SnapshotBackend snapshot_backend();

/// Moments 5 to 7. Returns true in each process that has to run tests (ask next_test()), false in
/// the root when it is time to quit.
bool serve();

/// The test to run next in this process, -1 for none. Executes the forks that stand before it, so
/// it may return in several processes.
int next_test();
/// Claims the test that next_test() named: its slot takes what follows.
void take_test();

/// The test that was taken last.
int current_test();

void test_starts();
void report_failure(Text file, int line, Text message, bool is_skip);
/// The test's own code is done: what is printed or spent from here on is not its own.
void body_ends();
/// `known_failed`: what the framework says, when it could be asked; -1 otherwise.
void test_ends(int known_failed);
/// A new suite segment begins: forget the last one's set-up failure.
void suite_starts();
/// After suite tear-down: its failure counts for the last test.
void suite_ends();
/// Whether set-up or tear-down of the suite segment reported a failure or a skip.
bool suite_troubled();
/// The test that ended last in this process passed.
bool last_passed();
/// This result cannot be trusted: the framework could not be reset before the test ran again.
void mark_rerun_unsure();

[[noreturn]] void end_branch();
/// No test is left: ends a branch. Returns in a process that runs its plan itself, and may be
/// called there again.
void end_plan();

// --- hold.cc ----------------------------------------------------------------------------------

/// Stop here if the engine wants to see the process before it takes the test at `token`, or before
/// the test's own code begins.
void hold_before(int32_t token);
void hold_inside(int32_t token);
void hold_at(int32_t token);

/// Installs handlers that hold a crashing branch still until the engine has read its stack.
void stop_on_crash(uint32_t worker);

}  // namespace gordian_agent
