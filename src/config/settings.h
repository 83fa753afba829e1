// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `.gordian.toml` and the environment can set, each key declared once. A key is the long name
// of an option and goes for every command that has this option: which those are, what it means and
// what it is without any setting, the option itself says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

enum class SettingKind {
  time,     ///< "500ms", or a number of seconds
  number,   ///< a whole one
  word,     ///< one of a few, or any text
  flag,     ///< true or false
  path,     ///< in the file: relative to the file
  paths,    ///< several of them
  words,    ///< several of a few
  command,  ///< for a shell; in the file: from the file's directory
};

/// "time", "number", ...: as docs/config.md calls it.
std::string_view to_string(SettingKind kind);

struct Setting {
  std::string_view key;
  SettingKind kind;
  std::string_view example;      ///< as in the file
  std::string_view except = {};  ///< commands that have the option, but for which the key is not
};

std::span<const Setting> settings();
/// nullptr: there is none.
const Setting* find_setting(std::string_view key);
std::vector<std::string> setting_keys();
/// False: the key does not mean the option of this command.
bool is_for(const Setting& setting, std::string_view command);

/// "GORDIAN_START_TIMEOUT" for "start-timeout".
std::string environment_name(std::string_view key);

/// "a time: a text as \"500ms\", or a number of seconds": what its value must be.
std::string_view expectation(SettingKind kind);

}  // namespace gordian
