// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/edit_distance.h"
#include "cli/command_facts.h"
#include "cli/help_text.h"
#include "cli/option_groups.h"
#include "config/config_file.h"

namespace gordian {
namespace {

void add_common_options(CLI::App& app, CommonOptions& common) {
  CLI::Option* color = app.add_option("--color", common.color, "Colours; auto: on a terminal")
                           ->check(CLI::IsMember({"auto", "always", "never"}))
                           ->capture_default_str();
  app.add_flag("--no-color", common.no_color, "The same as --color never")->excludes(color);
  app.add_option("--config", common.config_file,
                 fmt::format("Settings of this file, whoever owns it, instead of the {} that is "
                             "found; GORDIAN_CONFIG names another default",
                             kConfigName))
      ->type_name("FILE");
  app.add_option("--profile", common.profile,
                 fmt::format("Which profile of {} holds; GORDIAN_PROFILE names another default",
                             kConfigName))
      ->type_name("NAME")
      ->default_str(kDefaultProfile);
}

/// The command whose options were being parsed, or the program.
const CLI::App& parsed_app(const Program& program) {
  const Program::Action* chosen = program.chosen();
  return chosen == nullptr ? *program.app : *chosen->app;
}

std::string listed_by(const CLI::App& app) {
  return app.get_parent() == nullptr
             ? "'gordian --help' lists the commands"
             : fmt::format("'gordian {} --help' lists the options", app.get_name());
}

/// A word that no option or argument takes.
Error unexpected(const CLI::App& app, const std::string& word) {
  if (!word.starts_with("-")) {
    return usage_error(fmt::format("'{}' is not expected here", word), listed_by(app));
  }
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const OptionFacts& option : command_facts(app).options) known.push_back("--" + option.name);
  auto close = closest_word(name, known);
  return usage_error(fmt::format("gordian {} has no option '{}'", app.get_name(), name),
                     close ? "did you mean " + *close + "?" : listed_by(app));
}

/// "--isolate: forc not in {auto,fork}": CLI11's words.
Error not_accepted(const CLI::App& app, const std::string& what) {
  const auto colon = what.find(": "), not_in = what.find(" not in {");
  if (colon == std::string::npos || not_in == std::string::npos) {
    return usage_error(what, listed_by(app));
  }
  const std::string option = what.substr(0, colon),
                    word = what.substr(colon + 2, not_in - colon - 2);
  const OptionFacts* facts = nullptr;
  const CommandFacts all = command_facts(app);
  if (option.starts_with("--")) facts = all.option(option.substr(2));
  if (facts == nullptr) return usage_error(what, listed_by(app));
  auto close = closest_word(word, facts->choices);
  return usage_error(fmt::format("{} cannot be '{}'", option, word),
                     close ? fmt::format("did you mean {} {}?", option, *close)
                           : fmt::format("it can be: {}", fmt::join(facts->choices, ", ")));
}

}  // namespace

const Program::Action* Program::chosen() const {
  auto found = std::find_if(actions.begin(), actions.end(),
                            [](const Action& action) { return action.app->parsed(); });
  return found == actions.end() ? nullptr : &*found;
}

Program make_program(CommonOptions& common) {
  Program program;
  program.app = std::make_unique<CLI::App>("", "gordian");
  program.app->set_version_flag("--version", std::string("gordian ") + GORDIAN_VERSION);
  program.app->require_subcommand(1);
  for (const Command& command : commands()) {
    CLI::App* app = program.app->add_subcommand(command.name, command.help);
    if (command.for_programs) app->group("");
    auto action = command.declare(*app, common);
    add_common_options(*app, common);
    group_options(*app);
    program.actions.push_back({app, &command, std::move(action)});
  }
  return program;
}

Status parse_words(Program& program, std::vector<std::string> words, std::string& said) {
  std::reverse(words.begin(), words.end());  // CLI11 takes its arguments back to front
  try {
    program.app->parse(words);
  } catch (const CLI::CallForHelp&) {
    const CLI::App& app = parsed_app(program);
    said = &app == program.app.get() ? program_help(app) : command_help(app);
  } catch (const CLI::CallForVersion& version) {
    said = std::string(version.what()) + "\n";
  } catch (const CLI::ExtrasError&) {
    const CLI::App& app = parsed_app(program);
    const auto left = program.app->remaining(true);
    return unexpected(app, left.empty() ? "" : left.front());
  } catch (const CLI::ValidationError& error) {
    return not_accepted(parsed_app(program), error.what());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), listed_by(parsed_app(program)));
  }
  return {};
}

}  // namespace gordian
