// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The settings of a project, `.gordian.toml`. So far: what carries no data dependence.
//
//   [ignore]
//   variables = ["Cache::entries", "g_log_*"]
//   files = ["/var/tmp/cache/"]
//   environment = ["LANG"]
//
// Edits are made in the text, so that comments and layout stay the user's own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "suite/ignore_list.h"

namespace gordian {

inline constexpr const char* kConfigName = ".gordian.toml";

enum class IgnoreKind { variable, file, environment };
/// "variables", "files", "environment": its key.
std::string_view key_of(IgnoreKind kind);

/// In `from` or a directory above it, up to the one that holds `.git`. nullopt: nowhere.
std::optional<std::filesystem::path> find_config(const std::filesystem::path& from);
/// Where a new one belongs: beside `.git`, or in `from`.
std::filesystem::path new_config(const std::filesystem::path& from);

/// `name` is for messages. What it does not know is an error with the line and what was probably
/// meant.
Result<IgnoreList> parse_config(std::string_view text, const std::string& name);
Result<IgnoreList> load_config(const std::filesystem::path& file);

/// The text with one more rule, or without it. A rule that is (not) there is no error: the text
/// comes back as it is.
Result<std::string> with_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                              const std::string& name);
Result<std::string> without_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                                 const std::string& name);

}  // namespace gordian
