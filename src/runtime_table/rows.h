// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The rows of the table of runtimes, a file each.
#pragma once

#include "runtime/runtime.h"

namespace gordian {

/// Programs with a test framework inside: driven by the agent, or by the framework's own flags.
const Runtime& native_runtime();
/// Builds, each of whose ctest tests is one test: a process with a private view of the file system.
const Runtime& process_runtime();

}  // namespace gordian
