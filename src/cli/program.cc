// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/command_facts.h"
#include "cli/help_text.h"
#include "config/config_file.h"

namespace gordian {
namespace {

void add_common_options(OptionSet& set, CommonOptions& common) {
  Option* color = set.add_option("--color", common.color, "Colours; auto: on a terminal")
                      ->one_of({"auto", "always", "never"})
                      ->show_default();
  set.add_flag("--no-color", common.no_color, "The same as --color never")->excludes(color);
  set.add_option("--config", common.config_file,
                 fmt::format("Settings of this file, whoever owns it, instead of the {} that is "
                             "found; GORDIAN_CONFIG names another default",
                             kConfigName))
      ->value_name("FILE");
  set.add_option("--profile", common.profile,
                 fmt::format("Which profile of {} holds; GORDIAN_PROFILE names another default",
                             kConfigName))
      ->value_name("NAME")
      ->show_default(kDefaultProfile);
}

/// `command`: nullptr if the line has none.
std::string listed_by(const OptionSet* command) {
  return command == nullptr
             ? "'gordian --help' lists the commands"
             : fmt::format("'gordian {} --help' lists the options", command->command());
}

/// A word that no option or argument takes.
Error unexpected(const OptionSet* command, const std::string& word) {
  if (command == nullptr || !word.starts_with("-")) {
    return usage_error(fmt::format("'{}' is not expected here", word), listed_by(command));
  }
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const OptionFacts& option : command_facts(*command).options) {
    known.push_back("--" + option.name);
  }
  auto close = closest_word(name, known);
  return usage_error(fmt::format("gordian {} has no option '{}'", command->command(), name),
                     close ? "did you mean " + *close + "?" : listed_by(command));
}

/// "--isolate: forc not in {auto,fork}": see ParsedWords.
Error not_accepted(const OptionSet* command, const std::string& what) {
  const auto colon = what.find(": "), not_in = what.find(" not in {");
  const std::string name = what.substr(0, colon);
  const Option* option =
      command == nullptr || colon == std::string::npos ? nullptr : command->find(name);
  if (option == nullptr || not_in == std::string::npos || !name.starts_with("--")) {
    return usage_error(what, listed_by(command));
  }
  const std::string word = what.substr(colon + 2, not_in - colon - 2);
  auto close = closest_word(word, option->choices());
  return usage_error(fmt::format("{} cannot be '{}'", name, word),
                     close ? fmt::format("did you mean {} {}?", name, *close)
                           : fmt::format("it can be: {}", fmt::join(option->choices(), ", ")));
}

}  // namespace

const Program::Action* Program::chosen() const {
  auto found = std::find_if(actions.begin(), actions.end(),
                            [](const Action& action) { return action.options->is_parsed(); });
  return found == actions.end() ? nullptr : &*found;
}

Program make_program(CommonOptions& common) {
  Program program;
  program.parser =
      std::make_unique<CommandParser>("gordian", std::string("gordian ") + GORDIAN_VERSION);
  for (const Command& command : commands()) {
    OptionSet& set = program.parser->add_command(command.name, command.help, command.for_programs);
    auto action = command.declare(set, common);
    add_common_options(set, common);
    group_options(set);
    program.actions.push_back({&set, &command, std::move(action)});
  }
  return program;
}

Status parse_words(Program& program, std::vector<std::string> words, std::string& answer) {
  const ParsedWords parsed = program.parser->parse(std::move(words));
  const Program::Action* chosen = program.chosen();
  const OptionSet* command = chosen == nullptr ? nullptr : chosen->options;
  switch (parsed.end) {
    case ParseEnd::complete:
      break;
    case ParseEnd::asked_for_help:
      answer = command == nullptr ? program_help(*program.parser) : command_help(*command);
      break;
    case ParseEnd::asked_for_version:
      answer = parsed.text + "\n";
      break;
    case ParseEnd::word_left:
      return unexpected(command, parsed.text);
    case ParseEnd::not_accepted:
      return not_accepted(command, parsed.text);
    case ParseEnd::wrong:
      return usage_error(parsed.text, listed_by(command));
  }
  return {};
}

}  // namespace gordian
