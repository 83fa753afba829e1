// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The memory of Gordian: every run with its orders and outcomes, in one SQLite file. A run is
// begun, fed with results as they come, and finished; each call is one transaction, so that a
// killed process loses at most the batch it was about to hand over and its run stays `unfinished`.
// Several processes may use the same file at once. One RunStore belongs to one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "store/open_file.h"

namespace gordian {

/// A result and its place in the order: a test may stand in an order twice.
struct PositionedRun {
  std::size_t position = 0;
  TestRun run;
};

/// One line of the list of runs.
struct RunSummary {
  RunId id;
  std::int64_t started_unix_ms = 0;
  std::string binary_path;
  std::string origin;  ///< as in Target
  std::string order_spec;
  Isolation isolation = Isolation::fork;  ///< the one used
  int repeat = 1;                         ///< as asked for
  OutcomeCounts counts;                   ///< over the orders begun, as count_outcomes() would say
  RunEnd end = RunEnd::unfinished;
  std::chrono::nanoseconds wall{0};
};

/// What the tests of a binary took, by their names.
struct RecordedTimes {
  RunId run;
  std::map<std::string, std::chrono::nanoseconds> by_test;
};

class RunStore : public StoreOf<RunStore> {
 public:
  using StoreOf::StoreOf;

  /// Stores what is known beforehand, and `order` as the order of repeat 0.
  Result<RunId> begin_run(const RunHeader& header, const Suite& suite, const Order& order);

  /// Announces the order of one more repeat, before its first result: repeats count 0, 1, 2, ...
  /// without a gap. Announcing the same order again changes nothing; another one is an error.
  Status add_order(RunId run, int repeat_index, const Order& order);

  /// Appends results, all or none. Each position once, each test the one that the order has there.
  /// Of a longer output, kOutputLimit bytes are kept (store/encoding.h).
  Status add_results(RunId run, int repeat_index, std::span<const PositionedRun> results);

  Status add_notice(RunId run, const Notice& notice);
  Status finish_run(RunId run, RunEnd end, std::chrono::nanoseconds wall);

  /// Everything, one OrderRun for each repeat announced; positions without a result are not_run.
  Result<RunFacts> load_run(RunId run);

  /// The newest `limit` runs, newest first.
  Result<std::vector<RunSummary>> recent_runs(int limit);

  /// Of the newest finished run of all tests of this binary in its default order, whichever build:
  /// a rebuild changes few of them. Runs of parts, in other orders or of shards do not count, so
  /// that the shards of one set are all made from the same times. nullopt: there is none.
  Result<std::optional<RecordedTimes>> recorded_times(const std::string& binary_path);

  /// nullopt in a database without runs.
  Result<std::optional<RunId>> latest_run();

 private:
  Error unknown_run(RunId run);
};

}  // namespace gordian
