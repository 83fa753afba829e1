// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Adds files, directories, working directory, umask and peers to what another collector finds, by
// one more run of the same tests. REQUIRES: the other one tells nothing of these.
#pragma once

#include <memory>
#include <span>

#include "model/target.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/powers.h"

namespace gordian {

class ExternalCollector : public FlowCollector {
 public:
  ExternalCollector(std::unique_ptr<FlowCollector> memory, Target target, Inspection inspection,
                    ExecutorOptions options);

  Result<DataFlow> in_order(const Order& order) override;
  Result<DataFlow> alone(const Order& tests) override;

 private:
  /// The other collector's work, told and stopped as this one's.
  FlowCollector& memory();
  Result<DataFlow> complete(Result<DataFlow> flow, std::span<const Order> orders);
  Result<DataFlow> record(const DataFlow& flow, std::span<const Order> orders);

  std::unique_ptr<FlowCollector> memory_;
  Target target_;
  Inspection inspection_;
  ExecutorOptions options_;
};

}  // namespace gordian
