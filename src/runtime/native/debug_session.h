// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One order under a debugger. The program is started as for any run, with the agent in it, and held
// before its first test; a debugger attaches, and only then the order begins:
//   1. open() starts the program and waits until it stands before its first test.
//   2. run() starts the debugger, which attaches: the program is stopped from then on.
//   3. We see that it is traced and send the order. The program reads it when the debugger lets it
//      go on, which is after the debugger has placed its breakpoints.
//   4. The debugger ends. If the program still lives it is ended, with all its children.
// Output of the tests is passed on to our standard output meanwhile. No time limit but for step 1.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/native/executor.h"

namespace gordian {

class DebugSession {
 public:
  /// `order`: names of tests, not empty.
  static Result<std::unique_ptr<DebugSession>> open(const Target& target,
                                                    const ExecutorOptions& options,
                                                    const std::vector<std::string>& order);

  pid_t pid() const { return process_->pid(); }
  /// Where, in the memory of the program, the position in the order (0, 1, ...) of the test that
  /// runs now is: an unsigned int.
  std::uint64_t position_address() const { return position_address_; }

  /// Starts the debugger in the foreground: keys such as Ctrl-C are for it alone. With
  /// `output_fd` >= 0 it prints there instead. Returns its exit code. An error says that it could
  /// not be started, or ended without attaching. May be called once.
  Result<int> run(const std::vector<std::string>& argv, int output_fd = -1);

 private:
  DebugSession() = default;
  Status find_position();
  bool is_traced() const;
  Result<int> attend(pid_t debugger);
  void pass_output_on();

  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TargetProcess> process_;
  Plan plan_;
  std::uint64_t position_address_ = 0;
  std::uint64_t output_seen_ = 0;
  bool show_output_ = true;
};

}  // namespace gordian
