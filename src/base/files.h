// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Files as one string, and where files are. Only regular ones are read: a device such as /dev/zero
// has no end, and opening a pipe that nobody writes to waits for ever.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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

/// nullopt: there is none, or it may not be read, or it is no regular file, or larger than that.
std::optional<std::string> whole_file(
    const std::filesystem::path& file,
    std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());

/// Those that are directories, but the root: by their real names, ascending, each once.
std::vector<std::filesystem::path> real_directories(
    const std::vector<std::filesystem::path>& paths);

/// By name: `path` is `directory` or in it. Neither needs to exist.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory);

/// What is mounted where, as this process sees it, in the order of mounting.
std::vector<std::filesystem::path> mount_points();

// Writing a report out: whole or not at all. A reader of the file sees the old content or the new,
// never half of it, and an error leaves the old file as it was and no temporary file behind.

/// Writes to a temporary file beside `path`, then renames it over `path`. "-" is standard output.
/// A symbolic link is followed; what is no regular file (a device, a pipe) is written in place.
/// An existing file keeps its mode. A bad path is the user's fault, a full disk is the machine's.
Status write_file(const std::string& path, std::string_view content);

/// For what is ours alone, such as a cache: whatever has that name makes room, without being opened
/// or followed, and no other user may read the file.
Status replace_private_file(const std::filesystem::path& path, std::string_view content);

/// Behind what the file holds; it is made if there is none.
Status append_file(const std::string& path, std::string_view content);

/// All of it, or the error; interrupted and short writes go on, and a descriptor that does not
/// block is waited for.
Status write_all(int fd, std::string_view content, std::string_view name);

/// For LiveDisplay. Errors are dropped: a terminal that went away must not end the run.
std::function<void(std::string_view)> sink_to(int fd);

}  // namespace gordian
