// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where clients and servers meet: a directory that only we can enter, with one socket for each
// batch and one lock, so that two first clients do not start two servers.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "batch/identity.h"

namespace gordian::batch {

/// The directory, made if need be: gordian-UID in $XDG_RUNTIME_DIR, $TMPDIR or /tmp, the first that
/// will do. Errors: none does.
Result<std::string> meeting_place();

/// The log of a server is beside its socket while it lives, and is left behind if it crashes. It is
/// locked as long as somebody can write to it, in whatever namespace he runs.
std::string log_path(const std::string& socket_path);

/// Removes sockets and logs of servers that are gone.
void sweep_crashed(const std::filesystem::path& directory);

/// True if the process at the other end of a connection is the same user's as we: by the kernel's
/// word, whatever the permissions of the way there were.
bool is_same_user(int connection);

/// A connection to the server of `batch`, which is started if there is none. The server is no
/// child of ours: ctest ends the children of a test that takes too long. Whether it could be
/// started shows when it answers. Errors: another user listens there.
Result<UniqueFd> meet_server(const Batch& batch, const std::string& socket_path,
                             const std::string& gordian);

}  // namespace gordian::batch
