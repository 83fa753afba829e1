// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search for dependent tests leaves behind for the next one: which pairs of tests were run,
// how far each algorithm came, what was found. A TestId in a record counts the tests of the record,
// all those of the binary at that time; the next build may have others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/dependence.h"
#include "model/search_phase.h"
#include "model/target.h"

namespace gordian {

/// What gives the results of a search their meaning. Searches with other settings know nothing of
/// each other; budget, algorithm, seed and jobs are not among them.
struct SearchSettings {
  Target target;
  std::string filter;  ///< as typed
  Isolation isolation = Isolation::fork;
  bool private_fs = false;
  std::vector<std::string> private_dirs;
  std::int64_t test_timeout_ms = 0;
};

/// Which program was searched.
struct SearchedBuild {
  std::string sha256, build_id;
  std::string libraries;  ///< digest of the shared libraries it would be started with

  friend bool operator==(const SearchedBuild&, const SearchedBuild&) = default;
};

struct TestRecord {
  std::string name;
  std::string code_hash;  ///< of its functions; empty where symbols do not tell
  std::optional<Outcome> expected, alone;
  std::vector<bool> covered;  ///< run directly after it; one bit for each test of the record
  /// Tests after which its result was another one than alone, and that result.
  std::vector<std::pair<TestId, Outcome>> changed_by;
};

/// How far an algorithm came: `mark` means something to the source of its orders.
struct PhaseRecord {
  std::string mark;
  bool finished = false;

  friend bool operator==(const PhaseRecord&, const PhaseRecord&) = default;
};

struct SearchRecord {
  SearchedBuild build;
  std::uint64_t seed = 0;
  std::int64_t order_cost_ns = 0;    ///< measured: one fork
  std::int64_t updated_unix_ms = 0;  ///< when it was stored last
  std::vector<TestRecord> tests;
  std::map<PhaseKey, PhaseRecord> phases;
  std::vector<Dependence> dependences;
  std::vector<NondeterministicTest> nondeterministic;
  std::vector<LeftOutTest> left_out;
};

}  // namespace gordian
