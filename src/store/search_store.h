// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The state of searches: what `detect` has covered, so that the next one continues instead of
// repeating. One state for each binary path and settings. Each call is one transaction: a killed
// process loses what it had not handed over, and the state stays one that was true. Several
// processes may add to one state at once; what they covered adds up. One thread at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"
#include "model/search_record.h"
#include "store/open_file.h"

namespace gordian {

using SearchStateId = StrongId<struct SearchStateTag, std::int64_t>;

struct StoredSearch {
  SearchStateId id;
  SearchRecord record;
};

/// What is new since the last update. Rows of tests replace those before, but for pairs: once
/// covered they stay covered. Findings are all that the search has: they replace those that this
/// store has read or written before, and what another process has found stays.
struct SearchUpdate {
  std::uint64_t seed = 0;
  std::int64_t order_cost_ns = 0;
  std::vector<std::pair<TestId, TestRecord>> tests;
  std::map<PhaseKey, PhaseRecord> phases;
  std::vector<Dependence> dependences;
  std::vector<NondeterministicTest> nondeterministic;
};

class SearchStore : public StoreOf<SearchStore> {
 public:
  using StoreOf::StoreOf;

  /// nullopt when there was none. A state that cannot be read is an error that says so.
  Result<std::optional<StoredSearch>> load(const SearchSettings& settings);

  /// A new state in the place of the one before. Its `updated_unix_ms` is set to now.
  Result<SearchStateId> begin(const SearchSettings& settings, const SearchRecord& record);

  /// Pairs of tests by name, first and second, that searches of this very build have run: the
  /// second's result was another one than alone.
  Result<std::vector<std::pair<std::string, std::string>>> changed_pairs(
      const BinaryIdentity& binary);

  /// Names of tests that searches of this very build have seen change their result by themselves;
  /// each once.
  Result<std::vector<std::string>> nondeterministic(const BinaryIdentity& binary);

  /// False: another search has begun anew meanwhile, and nothing was stored.
  Result<bool> update(SearchStateId state, const SearchUpdate& update);

 private:
  /// Those of this very build, by their numbers alone.
  Result<std::vector<StoredSearch>> states_of(const BinaryIdentity& binary);
  Status load_head(StoredSearch& stored);
  Status load_tests(StoredSearch& stored);
  Status load_phases(StoredSearch& stored);
  Status load_findings(StoredSearch& stored);
  Status save_test(SearchStateId state, TestId id, const TestRecord& test);
  Status save_phases(SearchStateId state, const std::map<PhaseKey, PhaseRecord>& phases);
  Status save_finding(SearchStateId state, const char* kind, TestId test, const std::string& facts);
  Status drop_own_findings(SearchStateId state);
  Status save_findings(SearchStateId state, const std::vector<Dependence>& dependences,
                       const std::vector<NondeterministicTest>& nondeterministic,
                       const std::vector<LeftOutTest>& left_out);

  /// Dependences and non-deterministic tests of a state, by position: those that update() replaces.
  struct OwnFindings {
    SearchStateId state;
    std::vector<std::int64_t> positions;
  };
  OwnFindings own_;
};

}  // namespace gordian
