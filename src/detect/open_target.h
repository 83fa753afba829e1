// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a request to a binary that is ready to run orders: what a search and the estimate of one
// have in common.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "detect/detect.h"
#include "detect/memory.h"
#include "detect/remembered_flow.h"
#include "runtime/order_runner.h"

namespace gordian {

struct OpenTarget {
  std::unique_ptr<OrderRunner> runner;
  DetectFacts facts;  ///< binary, target, suite, isolation, notices; nothing of a search
  Order tests;        ///< those to be searched, in the default order
  /// Hashes of the code of each test, see detect/memory.h. Takes a while.
  std::function<CodeHashes()> hash_code;
  /// For a build whose tests are processes; else open_collector() is what is wanted.
  OpenCollector collector;
};

/// `should_stop` is what the engine asks while it runs.
Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop);

}  // namespace gordian
