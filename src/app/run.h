// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian run` as a library call: one target, one order, one isolation, whatever its runtime is.
// Returns the facts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/order_spec.h"
#include "model/run.h"
#include "runtime/engine_options.h"
#include "runtime/order_runner.h"

namespace gordian {

struct RunRequest {
  Target target;
  OrderSpec order;
  std::optional<std::vector<std::string>> exact_order;  ///< test names, instead of `order`
  std::string exact_order_name = "stored";              ///< what the record calls it
  TestFilter filter;
  Isolation isolation = Isolation::automatic;
  EngineOptions engine;
  int repeat = 1;
  bool fail_fast = false;
  bool also_disabled = false;
  std::chrono::milliseconds total_timeout{0};  ///< 0 = none
  std::string command;                         ///< for the record
  bool crash_stacks = true;
};

/// Told what is about to happen, before the first test; then events as they come.
class RunObserver : public RunListener {
 public:
  /// Everything but the results is filled in. An error ends the run before it begins.
  virtual Status run_begins(const RunFacts& facts, const Order& order) = 0;
  /// The next repeat begins.
  virtual Status repeat_begins(int index, const Order& order) = 0;
};

Result<RunFacts> run_target(const RunRequest& request, RunObserver& observer);

}  // namespace gordian
