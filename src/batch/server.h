// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The batch server: gives connections to workers, one at a time to each, and starts another worker
// when all are busy. It ends when its ctest is gone or nobody has asked for a while, and nothing of
// it is left then. Single-threaded; workers are forked from it.
#pragma once

#include <chrono>
#include <string>

#include "base/unique_fd.h"
#include "batch/identity.h"
#include "batch/worker.h"

namespace gordian::batch {

struct ServerOptions {
  UniqueFd listener;        ///< bound and listening
  std::string socket_path;  ///< of it; removed at the end
  ProcessName ctest;
  std::chrono::milliseconds idle{5000};  ///< so long without work, then it ends
  int most_workers = 64;
};

/// Serves until the end. Returns in the process that called it; workers never return.
void serve_batch(const Service& service, ServerOptions options);

}  // namespace gordian::batch
