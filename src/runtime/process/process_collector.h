// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which files, directories and peers each test of a build reads and writes: one run under
// flow/external, whose recorder sees the children of tests as well. And which of them carries a
// dependence: process_probe.cc.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "flow/external/external_access.h"
#include "runtime/powers.h"
#include "runtime/process/process_runner.h"

namespace gordian {

/// What one order did to the outside, by position; fixtures count for their test. Names of files
/// are relative to the build directory, where they are below it.
struct RecordedOrder {
  OrderRun run;
  std::vector<ExternalTest> tests;
  std::vector<std::string> misses;
};

/// An error when nothing can be recorded here.
Result<RecordedOrder> record_order(ProcessRunner& runner, const Order& order);

class ProcessCollector : public FlowCollector {
 public:
  /// `runner` outlives it.
  explicit ProcessCollector(ProcessRunner& runner) : runner_(runner) {}

  Result<DataFlow> in_order(const Order& order) override;
  Result<DataFlow> alone(const Order& tests) override;

 private:
  Result<DataFlow> collect(std::span<const Order> orders, const Order& tests, bool alone);

  ProcessRunner& runner_;
};

/// A test changes files and talks to peers; what it leaves in memory ends with it.
Result<std::unique_ptr<StateProber>> process_prober(const Target& target,
                                                    const EngineOptions& engine);

}  // namespace gordian
