// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A file as one string.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gordian {

/// nullopt: there is none, or it may not be read, or it is no regular file.
std::optional<std::string> whole_file(const std::filesystem::path& file);

}  // namespace gordian
