// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the declared commands and options are, as plain values: help, completion, the man page and
// `gordian config` are all made of these, so that an option is described once, where it is
// declared.
#pragma once

#include <span>
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
  std::string group;       ///< see option_group_titles()
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

/// Which options belong together, in one order over all commands: people find an option of a
/// command where they found it in the last one. Titles, in the order of help texts; options that no
/// group names come first, as "Options".
std::span<const std::string_view> option_group_titles();
/// Puts each option of the command into its group.
void group_options(OptionSet& command);

/// For names of values and of sections.
std::string upper(std::string text);

CommandFacts command_facts(const OptionSet& command);
/// Of the commands that people type. `program`: see cli/command.h.
std::vector<CommandFacts> all_command_facts(const CommandParser& program);
/// The one that is meant by its name; nullptr: none.
const OptionSet* find_command(const CommandParser& program, const std::string& name);

}  // namespace gordian
