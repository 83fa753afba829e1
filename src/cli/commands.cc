// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "app/level.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/apply_settings.h"
#include "cli/command_facts.h"
#include "cli/help_text.h"
#include "config/config_file.h"
#include "report/text.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

/// A first word that is no command: say which one was probably meant.
int unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (!command.for_programs) names.emplace_back(command.name);
  }
  auto close = closest_word(word, names);
  return report_error(usage_error(
      "there is no command '" + word + "'",
      close ? "did you mean 'gordian " + *close + "'?" : "'gordian --help' lists the commands"));
}

bool is_command(const std::string& word) {
  return std::any_of(commands().begin(), commands().end(),
                     [&word](const Command& c) { return word == c.name; });
}

/// Nobody is to be surprised by what a file did, or did not do.
void tell_of_config(const CommonOptions& common) {
  if (!common.config_passed_over.empty()) {
    say("gordian: " + common.config_passed_over);
    say("  hint: --config FILE obeys a file whoever owns it");
  }
  for (const std::string& sentence : common.commands_of_file) {
    say("gordian: " + sentence);
  }
}

int parse_and_run(std::vector<std::string> words, CommonOptions& common) {
  Program program = make_program(common);
  std::string answer;
  if (Status parsed = parse_words(program, std::move(words), answer); !parsed) {
    return report_error(parsed.error());
  }
  if (!answer.empty()) return print_result(answer);
  const Program::Action* chosen = program.chosen();
  if (chosen == nullptr) return kExitUsage;
  if (chosen->command->has_settings && !chosen->command->for_programs) {
    const EnvLookup env = process_environment();
    if (Status loaded = load_settings(*program.parser, common, env); !loaded) {
      return report_error(loaded.error());
    }
    if (Status applied = apply_settings(*chosen->options, common, env); !applied) {
      return report_error(applied.error());
    }
    tell_of_config(common);
    if (auto ran = continue_in_pid_namespace()) return *ran;
  }
  return chosen->run();
}

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

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"list", "List the tests of test binaries, or of a CMake build", declare_list},
      {"run", "Run tests in any order, with the isolation you choose", declare_run},
      {"detect", "Find dependent tests: role, shortest witness, polluters, cleaners",
       declare_detect},
      {"explain",
       "Find the state that carries a dependence: its values, writer, reader, and a proof",
       declare_explain},
      {"fix", "Repair dependences: a patch, built and verified in a copy of the project",
       declare_fix},
      {"graph", "Show data dependences: which test reads what which other one has written",
       declare_graph},
      {"ignore", "Say which states carry no data dependence (in .gordian.toml)", declare_ignore},
      {"prioritize", "Make an order that covers soon, and keeps to dependences if you like",
       declare_prioritize},
      {"impact", "Count the tests whose results change in prioritised orders", declare_impact},
      {"reduce", "Find the tests that cover as much as all of them", declare_reduce},
      {"shard", "Split tests over machines, keeping to known dependences", declare_shard},
      {"export", "Write known dependences for CTest or Bazel", declare_export},
      {"report",
       "Tell again what searches have found: text, HTML page, JUnit, SARIF, GitHub, GitLab, ...",
       declare_report},
      {"replay", "Run a stored order again, in a debugger if you like", declare_replay},
      {"doctor", "Say what this machine and a binary support", declare_doctor},
      {"config", "Show the settings that hold, and where each comes from", declare_config},
      {"cxxflags", "Print the flags for a traced build, or for one that counts coverage",
       declare_cxxflags},
      {"completion", "Print a script that completes commands in bash, zsh or fish",
       declare_completion, false, false},
      {"help", "Explain a command or a subject", declare_help, false, false},
      {"complete-ids", "Print stored ids for shell completion", declare_complete_ids, true},
      {"man", "Print the manual page", declare_man, true},
      {"ctest-discover", "Write the tests of a binary for ctest (gordian_discover_tests does it)",
       declare_ctest_discover, true},
      {"ctest-serve", "Run tests for gordian-ctest, which starts this", declare_ctest_serve, true},
  };
  return table;
}

ColorChoice CommonOptions::color_choice() const {
  if (no_color) return ColorChoice::never;
  return parse_color_choice(color).value_or(ColorChoice::automatic);
}

std::string CommonOptions::db_path() const {
  return db.empty() ? kDefaultDatabase : db;
}

void add_db_option(OptionSet& set, CommonOptions& common) {
  set.add_option("--db", common.db, "Database of runs")
      ->value_name("FILE")
      ->show_default(kDefaultDatabase);
}

void add_level_option(OptionSet& set, std::string& level) {
  std::vector<std::string> words;
  std::string help;
  for (const Runtime* runtime : runtimes()) {
    const RuntimeTraits& traits = runtime->traits();
    if (traits.level.empty()) continue;
    words.emplace_back(traits.level);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", traits.level, traits.level_help);
  }
  set.add_option("--level", level, help)->one_of(std::move(words))->show_default();
}

void say(std::string_view line) {
  const std::size_t end = line.find_last_not_of('\n');
  const std::string text = sanitize_line(line.substr(0, end + 1)) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int report_error(const Error& error) {
  say("gordian: " + error.message);
  if (!error.hint.empty()) say("  hint: " + error.hint);
  return exit_code(error);
}

int ended_with(const Status& written, int code) {
  return written ? code : report_error(written.error());
}

int print_result(std::string_view text, int code) {
  return ended_with(write_all(1, text, "standard output"), code);
}

void say_left_out(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) say("gordian: left out: " + sentence);
}

void ExitSum::count(const Error& error, const Target& target) {
  int& sum = may_be_passed_over(error, target) ? passed_over_ : worst_;
  sum = std::max(sum, report_error(error));
}

int run_cli(int argc, char** argv) {
  CommonOptions common;
  common.words.assign(argv, argv + argc);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // What follows "--" is the test binary's, whatever it looks like.
  auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes != words.end()) {
    common.target_args.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  if (words.empty()) words = {"--help"};
  if (!words.front().starts_with("-") && !is_command(words.front())) {
    return unknown_command(words.front());
  }
  catch_interrupts();
  try {
    return parse_and_run(std::move(words), common);
  } catch (const std::exception& error) {
    return report_error(internal_error(error.what(), "this is a bug in Gordian; please report it"));
  }
}

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
