// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The settings of a project, `.gordian.toml`: values of options in profiles, overrides for some
// tests, and what carries no data dependence (docs/config.md).
//
//   [profile.default]
//   timeout = "30s"
//   [profile.default.detect]
//   timeout = "5s"
//   [profile.ci]
//   junit = "junit.xml"
//
//   [[override]]
//   filter = "Network.*"
//   timeout = "2m"
//   serial = true
//   ignore-state = ["g_connections"]
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
#include "config/ignore_list.h"
#include "config/test_override.h"

namespace gordian {

inline constexpr const char* kConfigName = ".gordian.toml";
inline constexpr const char* kDefaultProfile = "default";

enum class IgnoreKind { variable, file, environment };
/// "variables", "files", "environment": its key.
std::string_view key_of(IgnoreKind kind);

/// Where in a file something stands.
struct ConfigPlace {
  std::string file;
  unsigned line = 0, column = 0;

  /// "file:line:column".
  std::string text() const;
};

/// The value of one setting in one profile. Its key and type are known to be right; whether the
/// option takes the value is not.
struct ConfigValue {
  std::string profile;
  std::string command;  ///< empty: of every command that has the option
  std::string key;
  std::vector<std::string> words;  ///< as on a command line; paths are absolute
  ConfigPlace place;
};

struct ProjectConfig {
  std::string file;                   ///< empty: there is none
  std::vector<std::string> profiles;  ///< that the file has
  std::vector<ConfigValue> values;
  std::vector<TestOverride> overrides;
  IgnoreList ignore;
};

struct FoundConfig {
  std::optional<std::filesystem::path> file;
  /// A sentence: which one would have been taken, and why it is not obeyed. Empty: there is none.
  std::string passed_over;
};

/// In `from` or a directory above it, up to the one that holds `.git`. Only a file of ours or of
/// root counts, and only where nobody else decides what is there: not in or above a directory that
/// is another user's, or that every user can write to.
FoundConfig find_config(const std::filesystem::path& from);
/// Where a new one belongs: beside `.git` if that is found in the same way, else in `from`.
std::filesystem::path new_config(const std::filesystem::path& from);

/// `name` is its path. What it does not know is an error with the place and what was probably
/// meant.
Result<ProjectConfig> parse_config(std::string_view text, const std::string& name);
Result<ProjectConfig> load_config(const std::filesystem::path& file);

/// The text with one more rule, or without it. A rule that is (not) there is no error: the text
/// comes back as it is.
Result<std::string> with_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                              const std::string& name);
Result<std::string> without_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                                 const std::string& name);

}  // namespace gordian
