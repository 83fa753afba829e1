// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of one run of one binary: what was asked, what was done, what came out. The store
// keeps them, and every report is a pure function of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.h"
#include "model/isolation.h"
#include "model/outcome.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

/// How the binary was driven.
enum class Control : std::uint8_t {
  hooks,  ///< our agent inside the process: any order, exact results
  flags,  ///< the framework's own command line: default order and its own shuffle only
};

std::string_view to_string(Control control);

/// Which binary this was: enough to recognise it again.
struct BinaryIdentity {
  std::string path;
  std::string build_id;  ///< hex; empty when the linker wrote none
  std::string sha256;    ///< of the whole file, hex
  std::uint64_t size = 0;
};

/// Known before the first test runs.
struct RunHeader {
  BinaryIdentity binary;
  Target target;
  std::string order_spec;             ///< as typed: "default", "reverse", "random:42", "FILE"
  std::optional<std::uint64_t> seed;  ///< random orders
  Isolation requested = Isolation::automatic;
  Isolation used = Isolation::fork;  ///< after falling back; `notices` says why
  std::string snapshot_backend;      ///< with snapshots: "userfaultfd", "pagemap"; not stored
  Control control = Control::hooks;
  bool private_fs = false;
  int jobs = 1;
  int repeat = 1;
  std::int64_t test_timeout_ms = 0;  ///< 0: none
  std::string command;               ///< the command line that started it, shell-quoted
  std::int64_t started_unix_ms = 0;
};

/// One order of the run, with one TestRun for each of its positions, in order.
struct OrderRun {
  Order order;
  std::vector<TestRun> runs;
};

/// Something the user should know that is no outcome: a fall-back, a leak, a lost worker.
struct Notice {
  enum class Level : std::uint8_t { info, warning } level = Level::info;
  std::string text;  ///< one sentence
};

enum class RunEnd : std::uint8_t { finished, interrupted, failed_fast, timed_out, unfinished };

std::string_view to_string(RunEnd end);

/// A whole run. `orders` has one entry for each repeat; with isolation fork or process the order is
/// what was listed, each test still alone in its process.
struct RunFacts {
  std::optional<RunId> id;  ///< set once stored
  std::string db;           ///< where, if that is not the usual place
  RunHeader header;
  Suite suite;
  std::vector<OrderRun> orders;
  std::vector<Notice> notices;
  RunEnd end = RunEnd::unfinished;
  std::chrono::nanoseconds wall{0};
};

/// How many of each outcome.
struct OutcomeCounts {
  int pass = 0, fail = 0, skip = 0, crash = 0, timeout = 0, exit = 0, not_run = 0, lost = 0;
  int& of(OutcomeKind kind);
  int total() const { return pass + fail + skip + crash + timeout + exit + not_run + lost; }
  int failures() const { return fail + crash + timeout + exit + lost; }
};

OutcomeCounts count_outcomes(const RunFacts& facts);

}  // namespace gordian
