// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Nothing we started may outlive us. As subreaper we inherit every process that a test left behind;
// those that nobody registered are orphans, and ended.
#pragma once

#include <sys/types.h>

namespace gordian {

/// Call once, before the first launch.
void adopt_orphans();

void register_child(pid_t pid);
void unregister_child(pid_t pid);

/// Kills and reaps every child of ours that is not registered, and in turn the children that come
/// to us from them. Returns how many were alive.
int end_orphans();

/// Kills `pid` with everything below it, and reaps it. Returns its wait status.
int end_process_tree(pid_t pid);

}  // namespace gordian
