// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Data dependences of the binary as it is. The tests run once, held between each two of them: the
// state is compared with that before, by meaning, and what differs is what the test wrote. Then
// they run again with those words under hardware watchpoints, four at a time, and once with the
// calls caught that ask for state outside of memory: who stops there reads.
//
// in_order() tells what it saw. alone() must not miss anything that could carry a change from one
// test to another, as searches leave out what it excludes: a state whose readers cannot be seen is
// read by all, and a test whose effect cannot be seen is unsure. What it takes for granted: tests
// do the same when they run again from the same state, and where memory lies does not matter.
// One thread; needs to trace its own children.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "flow/watch/watch_pass.h"
#include "model/target.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/powers.h"
#include "state/program_memory.h"

namespace gordian {

struct WatchOptions {
  ExecutorOptions engine;
  std::size_t most_passes = 64;         ///< with watchpoints; 0: only what is left changed
  std::chrono::milliseconds budget{0};  ///< for one collection; 0 = none. Passes end with it
  bool sites = true;                    ///< where it is written and read, in_order()
  bool files = true;                    ///< files, working directory and umask, too; else somebody
                                        ///< else tells of them
};

class WatchCollector : public FlowCollector {
 public:
  /// Starts the binary. An error says why it cannot be driven by hooks.
  static Result<std::unique_ptr<WatchCollector>> open(const Target& target,
                                                      const Inspection& inspection,
                                                      WatchOptions options);

  Result<DataFlow> in_order(const Order& order) override;
  Result<DataFlow> alone(const Order& tests) override;
  const Suite& suite() const { return executor_->suite(); }

 private:
  WatchCollector(WatchOptions options);

  WatchOptions options_;
  std::unique_ptr<Executor> executor_;
  ProgramMemory program_;
  StackCache stacks_;
};

}  // namespace gordian
