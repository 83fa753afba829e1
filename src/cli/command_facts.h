// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the declared commands and options are, as plain values: help, completion, the man page and
// `gordian config` are all made of these, so that an option is described once, where it is
// declared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace gordian {

/// What a value is, as far as a shell can help with it.
enum class ValueKind { none, any, choice, file, directory, id };

struct OptionFacts {
  std::string name;        ///< "timeout"; of an argument without dashes: "target"
  std::string short_name;  ///< "j", or empty
  std::string help;
  std::string group;       ///< see cli/option_groups.h
  std::string value_name;  ///< "TIME", "FILE"; empty: a flag
  ValueKind kind = ValueKind::none;
  std::vector<std::string> choices;
  std::string default_value;
  bool optional_value = false;  ///< may be given without one
  bool repeated = false;
  bool required = false;

  /// "-j, --jobs N".
  std::string words() const;
};

struct CommandFacts {
  std::string name, help;
  std::vector<OptionFacts> options, arguments;

  const OptionFacts* option(std::string_view name) const;
  /// "gordian run [OPTIONS] TARGET...".
  std::string usage() const;
};

CommandFacts command_facts(const OptionSet& command);
/// Of the commands that people type. `program`: see cli/program.h.
std::vector<CommandFacts> all_command_facts(const CommandParser& program);
/// The one that is meant by its name; nullptr: none.
const OptionSet* find_command(const CommandParser& program, const std::string& name);

}  // namespace gordian
