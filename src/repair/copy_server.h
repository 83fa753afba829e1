// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Our process in the copy: a fork of ours that alone sees it.
//
//   1. it enters the copy's layers and says so, or why it cannot;
//   2. it answers one request after another: build, run orders, list tests, run a helper, read a
//      file (repair/copy_messages.h);
//   3. at the end of the channel, at SIGTERM or at our death it ends what it started, takes the
//      layers away and is gone. What it is about then has to stop by itself: everything in here
//      asks should_stop.
#pragma once

#include "repair/copy_layers.h"
#include "repair/project.h"
#include "repair/workspace.h"

namespace gordian {

/// In a fork, for good. `parent`: who made the fork.
[[noreturn]] void serve_copy(const Project& project, const WorkspaceOptions& options,
                             CopyLayers& layers, int channel, pid_t parent);

}  // namespace gordian
