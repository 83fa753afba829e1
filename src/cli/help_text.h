// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Help, made of what commands and options declare, and the pages of `gordian help TOPIC`. The pages
// are the files of cli/help: embedded by the build, a title in the first line of each. A line
// @NAME@ of a page stands for a table of the program: help_text.cc has them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_facts.h"

namespace gordian {

/// `gordian --help`: the commands and the topics. Not wider than `width`.
std::string program_help(const CommandParser& program, int width = 100);
/// `gordian COMMAND --help`.
std::string command_help(const OptionSet& command, int width = 100);

struct HelpTopic {
  std::string_view name;
  std::string_view source;  ///< its file

  std::string_view title() const { return source.substr(0, source.find('\n')); }
  /// With its title, and with the tables.
  std::string text() const;
};
std::span<const HelpTopic> help_topics();
const HelpTopic* find_topic(std::string_view name);

struct Example {
  std::string_view subject;  ///< the command that it is an example of
  std::string_view command;  ///< without "gordian "
  std::string_view why;
};
/// Of a command; empty: it has none yet.
std::span<const Example> examples_of(std::string_view command);

/// gordian(1), in the language of man(7).
std::string man_page(const CommandParser& program, const std::string& version);

struct CompletionFacts {
  std::vector<CommandFacts> commands;
  std::vector<std::string> topics;  ///< of `gordian help`
};
std::string bash_completion(const CompletionFacts& facts);
std::string zsh_completion(const CompletionFacts& facts);
std::string fish_completion(const CompletionFacts& facts);
/// The first sentence, or what comes before it gets long: for a list beside the cursor.
std::string short_help(std::string_view help);

/// What every way to ask for help ends with.
std::string_view exit_codes_line();

}  // namespace gordian
