// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command_facts.h"
#include "cli/help_tables.h"
#include "cli/option_groups.h"

namespace gordian {
namespace {

constexpr std::size_t kHelpColumn = 30;

/// "  words          help", the help on a line of its own where the words are long.
std::string entry(const std::string& words, std::string_view help, int width) {
  std::string line = "  " + words;
  if (line.size() + 2 > kHelpColumn) {
    line += "\n" + std::string(kHelpColumn, ' ');
  } else {
    line.resize(kHelpColumn, ' ');
  }
  return line + wrapped(help, kHelpColumn, static_cast<std::size_t>(width));
}

std::string option_help(const OptionFacts& option) {
  std::string help = option.help, more;
  if (!option.choices.empty()) more = fmt::format("{}", fmt::join(option.choices, ", "));
  if (!option.default_value.empty()) {
    more += (more.empty() ? "default: " : "; default: ") + option.default_value;
  }
  return more.empty() ? help : fmt::format("{} [{}]", help, more);
}

std::string options_text(const CommandFacts& facts, int width) {
  std::string out;
  for (std::string_view title : option_group_titles()) {
    std::string lines;
    for (const OptionFacts& option : facts.options) {
      if (option.group != title) continue;
      const std::string indent = option.short_name.empty() ? "    " : "";
      lines += entry(indent + option.words(), option_help(option), width);
    }
    if (!lines.empty()) out += fmt::format("\n{}:\n{}", title, lines);
  }
  return out;
}

std::string arguments_text(const CommandFacts& facts, int width) {
  std::string out;
  for (const OptionFacts& argument : facts.arguments) {
    out += entry(argument.value_name + (argument.repeated ? "..." : ""), argument.help, width);
  }
  return out.empty() ? out : "\nArguments:\n" + out;
}

std::string examples_text(std::string_view command) {
  std::string out;
  for (const Example& example : examples_of(command)) {
    if (example.command.empty()) continue;
    out += fmt::format("  # {}\n  gordian {}\n", example.why, example.command);
  }
  return out.empty() ? out : "\nExamples:\n" + out;
}

}  // namespace

std::string_view exit_codes_line() {
  return "Exit codes: 0 all as expected, 1 tests failed, dependences found, not explained or not\n"
         "repaired, or nothing was searched, 2 usage, 3 the target could not be run or built,\n"
         "4 internal error, 130 interrupted (results so far are kept). More: gordian help "
         "exit-codes\n";
}

std::string command_help(const OptionSet& command, int width) {
  const CommandFacts facts = command_facts(command);
  return fmt::format("{}\n\nUsage: {}\n", facts.help, facts.usage()) +
         arguments_text(facts, width) + options_text(facts, width) + examples_text(facts.name) +
         "\n" + std::string(exit_codes_line());
}

std::string program_help(const CommandParser& program, int width) {
  std::string out =
      "Gordian finds, explains, isolates and repairs test dependence: tests whose result depends "
      "on\n"
      "which tests ran before them. It works on the test binary as it is.\n\n"
      "Usage: gordian COMMAND [OPTIONS] [ARGUMENTS] [-- ARGUMENTS OF THE TEST "
      "BINARY]\n\nCommands:\n";
  for (const CommandFacts& command : all_command_facts(program)) {
    out += entry(command.name, command.help, width);
  }
  out += "\nTopics, as in 'gordian help verdicts':\n";
  for (const HelpTopic& topic : help_topics()) {
    out += entry(std::string(topic.name), topic.title(), width);
  }
  return out +
         "\nFirst steps: 'gordian detect my_test' searches a test binary, 'gordian COMMAND --help' "
         "has every\noption of a command.\n\n" +
         std::string(exit_codes_line());
}

std::string HelpTopic::text() const {
  std::string text(source);
  for (const HelpTable& table : help_tables()) {
    const std::string line = std::string(table.name) + "\n";
    const std::size_t at = text.find(line);
    if (at != std::string::npos) text.replace(at, line.size(), table.text());
  }
  return text;
}

const HelpTopic* find_topic(std::string_view name) {
  const auto topics = help_topics();
  auto found = std::find_if(topics.begin(), topics.end(),
                            [name](const HelpTopic& topic) { return topic.name == name; });
  return found == topics.end() ? nullptr : &*found;
}

}  // namespace gordian
