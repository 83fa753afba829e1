// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that kill every process they can see one day kill a machine. Where we have the right to
// (root, CAP_SYS_ADMIN), the rest of the program and all that it starts run in a PID namespace of
// their own: no signal leaves it, and it ends as a whole, with its first process. That is the
// program itself, whom none of its descendants can kill. The process that was called stays outside,
// passes signals in and the exit code out.
#pragma once

#include <optional>

namespace gordian {

/// nullopt: go on, inside of a new namespace, or here where there can be none. A value: the program
/// has run inside, and this is its exit code. Call before there is a thread or a child.
std::optional<int> continue_in_pid_namespace();

}  // namespace gordian
