// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which directory is inside of which, and what is mounted where.
#pragma once

#include <filesystem>
#include <vector>

namespace gordian {

/// By name: `path` is `directory` or in it. Neither needs to exist.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory);

/// As this process sees them, in the order of mounting.
std::vector<std::filesystem::path> mount_points();

}  // namespace gordian
