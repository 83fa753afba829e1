// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What became of one run of one test, and when two such results count as the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/test.h"

namespace gordian {

enum class OutcomeKind : std::uint8_t {
  pass,
  fail,     ///< a check failed or an exception escaped
  skip,     ///< the test skipped itself
  crash,    ///< the process died of a signal during the test
  timeout,  ///< ended by us after the time limit
  exit,     ///< the test ended the process (exit, _exit, quick_exit)
  not_run,  ///< an earlier test of the order ended the process: unknown, never "failing"
  lost,     ///< our own machinery lost the result; `message` says how
};

std::string_view to_string(OutcomeKind kind);

/// "pass" -> OutcomeKind::pass; nullopt for a word that is none.
std::optional<OutcomeKind> parse_outcome_kind(std::string_view word);

/// True for fail, crash, timeout, exit and lost.
bool is_failure(OutcomeKind kind);

/// What identifies a failure across runs: the first failing check and the kind of message, with
/// values (numbers, addresses) left out.
struct Fingerprint {
  std::string file;
  int line = 0;
  std::string kind;  ///< first line of the message, digits and addresses masked

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::not_run;
  std::string file;  ///< fail, skip: where the first failing check (or the skip) stands. crash: the
                     ///< place in the program, only where somebody has looked for it
  int line = 0;
  std::string message;  ///< fail, skip: its text; lost: what happened; crash: "in f()", as above
  int signal = 0;       ///< crash
  int exit_code = 0;    ///< exit; fail of a test that is a process of its own
  /// fail: only suite tear-down failed, after the last test of its suite. That depends on which
  /// test happened to be last, so a search for dependences does not count it.
  bool in_tear_down = false;

  Fingerprint fingerprint() const;
};

Outcome passed();
/// We know what happened: neither not_run nor lost.
bool is_known(const Outcome& outcome);

/// Both pass, both skip, or both fail in the same way with the same fingerprint. not_run and lost
/// are the same as nothing, not even as themselves: they say that we do not know.
bool same_result(const Outcome& a, const Outcome& b);

/// Two crashes in the same place, as far as it is known of both. Not part of same_result(): to see
/// where a test crashes takes a run of its own, which only findings are worth.
bool same_crash_place(const Outcome& a, const Outcome& b);

/// One frame of a crashed or hanging test, innermost first.
struct StackFrame {
  std::string function;  ///< demangled; empty when unknown
  std::string file;      ///< empty when there is no debug information
  int line = 0;
  std::string module;  ///< base name of the executable or shared object
  std::uint64_t address = 0;
};

/// What a test left behind in its process.
struct Leaks {
  int threads = 0;   ///< threads still running when the test ended
  int children = 0;  ///< child processes still running when its process ended (we ended them)
  bool any() const { return threads > 0 || children > 0; }
};

/// Why a test run under snapshots cost a fork after all.
enum class FallBack : std::uint8_t {
  none,             ///< it was undone, or snapshots were not asked for
  not_worth_it,     ///< a single test, or the ones before could not be undone either
  refused,          ///< this process or machine cannot be snapshotted
  started_process,  ///< the test ...
  live_threads,
  old_mapping,
  unknown_call,
  lowered_limit,
  lost_directory,
  wrote_files,
  process_ended,
  closed_ours,
  signalled_others,
};

/// "started a process": what the test did, or why no snapshot was taken.
std::string_view to_string(FallBack reason);

/// One run of one test.
struct TestRun {
  TestRun() = default;
  explicit TestRun(TestId id) : test(id) {}

  TestId test;
  Outcome outcome;
  std::chrono::nanoseconds duration{0};
  std::string output;  ///< stdout and stderr, as interleaved by the test
  bool output_truncated = false;
  Leaks leaks;
  FallBack fall_back = FallBack::none;
  std::vector<StackFrame> stack;  ///< crash and timeout, where it could be had
};

}  // namespace gordian
