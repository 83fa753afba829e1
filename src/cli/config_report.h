// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `gordian config` shows: every setting, its value for each command, and where that comes
// from; which tests have overrides.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/apply_settings.h"
#include "cli/options.h"
#include "model/test.h"
#include "report/terminal_style.h"

namespace gordian {

/// One value, for the commands that share it.
struct ConfigRow {
  std::string key;
  std::vector<std::string> commands;
  std::string value;  ///< "": nothing
  ChosenValue from;
};

/// Sorted by key. REQUIRES: load_settings().
std::vector<ConfigRow> config_rows(const CommandParser& program, const CommonOptions& common,
                                   const EnvLookup& env);

/// The tests of one target, for its overrides.
struct ConfigTarget {
  std::string binary;
  Suite suite;
};

/// `everything`: also what is built in.
std::string config_text(const std::vector<ConfigRow>& rows, const CommonOptions& common,
                        const std::vector<ConfigTarget>& targets, bool everything,
                        const Style& style);
nlohmann::json config_json(const std::vector<ConfigRow>& rows, const CommonOptions& common,
                           const std::vector<ConfigTarget>& targets);

}  // namespace gordian
