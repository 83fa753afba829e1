// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whoever finds out what tests read and write.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "model/data_flow.h"

namespace gordian {

struct CollectProgress {
  /// Tests run, over all passes; total 0: unknown. It grows once it is known how many passes there
  /// will be.
  std::uint64_t done = 0, total = 0;
  std::string doing;  ///< "reading state", "watching 3 of 12"
};

class FlowCollector {
 public:
  virtual ~FlowCollector() = default;

  /// Runs the tests of `order` one after another in one process.
  virtual Result<DataFlow> in_order(const Order& order) = 0;
  /// Runs each by itself, from the state before the first test.
  virtual Result<DataFlow> alone(const Order& tests) = 0;

  /// Asked and told about 20 times a second. Set before collecting.
  std::function<bool()> should_stop = [] { return false; };
  std::function<void(const CollectProgress&)> progress = [](const CollectProgress&) {};
};

}  // namespace gordian
