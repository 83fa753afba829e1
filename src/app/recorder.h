// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Writes a run into the database while it goes on: each finished test gets its place in the order,
// and results are stored in batches, so that an interrupted run is there, too.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "store/run_store.h"

namespace gordian {

class Recorder {
 public:
  /// `store` null: nothing is recorded, and nothing fails.
  explicit Recorder(RunStore* store) : store_(store) {}

  Status begin(const RunFacts& facts, const Order& order);
  Status next_repeat(int index, const Order& order);
  void add(const TestRun& run);
  /// So that a long test does not keep the ones before it in memory.
  void flush_if_due();
  /// What did not come as an event (second tries, tests never run) is in the facts. The first
  /// trouble since begin() is the error.
  Status end(const RunFacts& facts);

  /// Set once the run has begun.
  std::optional<RunId> id() const { return id_; }

 private:
  void begin_repeat(int index, const Order& order);
  Status flush();
  void keep(Status status);

  RunStore* store_;
  std::optional<RunId> id_;
  int repeat_ = 0;
  std::map<TestId, std::vector<std::size_t>> open_places_;  ///< last one first
  std::vector<std::size_t> stored_;
  std::vector<PositionedRun> waiting_;
  std::chrono::steady_clock::time_point last_flush_{};
  Status trouble_;
};

}  // namespace gordian
