// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Writing a report out: whole or not at all. A reader of the file sees the old content or the new,
// never half of it, and an error leaves the old file as it was and no temporary file behind.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gordian {

/// Writes to a temporary file beside `path`, then renames it over `path`. "-" is standard output.
/// A symbolic link is followed; what is no regular file (a device, a pipe) is written in place.
/// An existing file keeps its mode. A bad path is the user's fault, a full disk is the machine's.
Status write_file(const std::string& path, std::string_view content);

/// Behind what the file holds; it is made if there is none.
Status append_file(const std::string& path, std::string_view content);

/// All of it, or the error; interrupted and short writes go on, and a descriptor that does not
/// block is waited for.
Status write_all(int fd, std::string_view content, std::string_view name);

/// For LiveDisplay. Errors are dropped: a terminal that went away must not end the run.
std::function<void(std::string_view)> sink_to(int fd);

}  // namespace gordian
