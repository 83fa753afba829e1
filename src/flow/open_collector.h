// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a target to whoever can collect its data flow: the one place that knows the ways to do it.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/target.h"
#include "runtime/native/executor.h"
#include "runtime/powers.h"

namespace gordian {

struct CollectorRequest {
  Target target;
  ExecutorOptions engine;  ///< time limits, private files
  FlowSource source = FlowSource::watch;
};

/// Why it cannot be done for this binary, or on this machine, is an error of kind `target`.
Result<std::unique_ptr<FlowCollector>> open_collector(const CollectorRequest& request);

}  // namespace gordian
