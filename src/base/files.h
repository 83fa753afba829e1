// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Files as one string, and where files are. Only regular ones are read: a device such as /dev/zero
// has no end, and opening a pipe that nobody writes to waits for ever.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace gordian {

/// What a name stands for that is no regular file: "a directory", "a device", "a pipe", "a socket";
/// empty for a regular file, and where there is nothing or nothing can be said.
std::string_view kind_of_special(const std::filesystem::path& file);

/// Opens for reading, without waiting. A usage error for what is no regular file or cannot be
/// opened.
Result<UniqueFd> open_regular(const std::filesystem::path& file);

/// As open_regular(), then all of it.
Result<std::string> read_regular(const std::filesystem::path& file);

/// nullopt: there is none, or it may not be read, or it is no regular file.
std::optional<std::string> whole_file(const std::filesystem::path& file);

/// Those that are directories, but the root: by their real names, ascending, each once.
std::vector<std::filesystem::path> real_directories(
    const std::vector<std::filesystem::path>& paths);

/// By name: `path` is `directory` or in it. Neither needs to exist.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory);

/// What is mounted where, as this process sees it, in the order of mounting.
std::vector<std::filesystem::path> mount_points();

}  // namespace gordian
