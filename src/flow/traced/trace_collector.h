// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Data flow from a traced build (`gordian cxxflags`): every load and store of the program and of
// the libraries that were built so. The program writes its trace into a directory of our own while
// it runs in one process; after each test it is held, and what the test left changed is named in
// its memory as it is then.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/powers.h"

namespace gordian {

struct TraceOptions {
  ExecutorOptions executor;  ///< jobs, snapshots and addresses are the collector's own choice
  std::optional<std::filesystem::path> cache;  ///< for debug information; nullopt = nowhere
};

class TraceCollector : public FlowCollector {
 public:
  /// An error when `target` is no traced build; its hint says how to make one.
  static Result<std::unique_ptr<TraceCollector>> open(Target target, Inspection inspection,
                                                      TraceOptions options);

  Result<DataFlow> in_order(const Order& order) override;
  Result<DataFlow> alone(const Order& tests) override;

 private:
  TraceCollector(Target target, Inspection inspection, TraceOptions options);
  /// Each order in a process of its own; alone: they have one test each.
  Result<DataFlow> collect(std::span<const Order> orders, bool alone);
  Result<std::unique_ptr<Executor>> start(const std::filesystem::path& directory, bool alone);

  Target target_;
  Inspection inspection_;
  TraceOptions options_;
};

}  // namespace gordian
