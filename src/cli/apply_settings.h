// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Values of options that are not on the command line: from the environment, from the profile asked
// for, from the default profile. Which value counts is decided here and nowhere else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/options.h"
#include "config/settings.h"

namespace gordian {

enum class Origin { command_line, environment, profile, default_profile, built_in };
std::string_view to_string(Origin origin);

/// A value and where it comes from.
struct ChosenValue {
  std::vector<std::string> words;
  Origin origin = Origin::built_in;
  std::string profile, section;      ///< of a file: "ci", "ci.detect"
  std::optional<ConfigPlace> place;  ///< in a file
  std::string variable;              ///< of the environment

  /// "GORDIAN_JOBS", ".gordian.toml:3:1 [profile.ci.run]", "built in".
  std::string where() const;
};

/// Of what is not on the command line the value that counts; nullopt: what is built in.
std::optional<ChosenValue> chosen_value(const Setting& setting, const std::string& command,
                                        const std::string& profile, const ProjectConfig& config,
                                        const EnvLookup& env);

/// True if the key means this option of this command.
bool takes_setting(const OptionSet& command, const Setting& setting);

/// Reads the file, if there is one, and checks all of it: a wrong value for another command, or
/// in another profile, is an error, too. Decides which profile holds. A file that is found but
/// must not be obeyed is left in `config_passed_over`.
Status load_settings(CommandParser& program, CommonOptions& common, const EnvLookup& env);

/// Gives options that are not on the command line their values; commands that come from the file
/// are left in `commands_of_file`. REQUIRES: load_settings().
Status apply_settings(OptionSet& command, CommonOptions& common, const EnvLookup& env);

}  // namespace gordian
