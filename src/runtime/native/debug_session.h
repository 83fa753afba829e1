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

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/target.h"
#include "runtime/native/executor.h"
#include "runtime/powers.h"

namespace gordian {

/// `order`: names of tests, not empty.
Result<std::unique_ptr<DebugSession>> open_debug_session(const Target& target,
                                                         const ExecutorOptions& options,
                                                         const std::vector<std::string>& order);

}  // namespace gordian
