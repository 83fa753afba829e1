// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The stack of a live thread of another process, read from outside: for a test that crashed and is
// held in the agent's signal handler, or that hangs. The thread is stopped for some milliseconds
// and goes on as if nothing had happened. No network: debug information comes from the files of
// this machine only.
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"
#include "suite/outcome.h"

namespace gordian {

/// The frames of thread `tid` of process `pid`, innermost first, at most `max_frames`; inlined
/// functions count as frames. With `drop_signal_prefix`, a stack that stands in the agent's signal
/// handler starts with the frame the signal interrupted. An error when the thread is gone or may
/// not be traced, or when not one frame could be read.
Result<std::vector<StackFrame>> read_stack(pid_t pid, pid_t tid, int max_frames = 64,
                                           bool drop_signal_prefix = true);

/// "registry + 40 in mylib.so": what lies at an address of a live process, as far as symbols and
/// mappings tell; never empty.
std::string symbol_at(pid_t pid, std::uint64_t address);

}  // namespace gordian
