// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which isolation a binary can have, and how orders are run with it: the one place that `run` and
// the batch server share.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "runtime/native/executor.h"
#include "runtime/order_runner.h"

namespace gordian {

/// Whether an executor should be opened with snapshots for this request.
bool wants_snapshots(Isolation asked);

/// What `asked` becomes for the binary that `executor` has open. A step back adds a notice that
/// says why.
Isolation usable_isolation(Isolation asked, const Executor& executor, std::vector<Notice>& notices);

/// Each order apart from the others. With Isolation::none and ::process in fresh processes.
/// REQUIRES: `isolation` comes from usable_isolation().
Result<std::vector<OrderRun>> run_isolated(Executor& executor, Isolation isolation,
                                           std::span<const Order> orders, RunListener& listener);

}  // namespace gordian
