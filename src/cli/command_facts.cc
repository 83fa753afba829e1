// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/command_facts.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "config/settings.h"

namespace gordian {
namespace {

/// "TEXT:{auto,on,off}" has its choices in braces: the description of CLI::IsMember.
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The name of a value in help, by what is known of it.
std::string value_name(const std::string& type, const std::string& key) {
  const std::string bare = type.substr(0, type.find(':'));
  const Setting* setting = find_setting(key);
  if (setting != nullptr && setting->kind == SettingKind::time) return "TIME";
  if (setting != nullptr && setting->kind == SettingKind::paths) return "DIR";
  if (bare == "INT" || bare == "UINT" || bare == "FLOAT") return "N";
  return bare.empty() ? "TEXT" : bare;
}

ValueKind kind_of(const OptionFacts& facts) {
  if (facts.value_name.empty()) return ValueKind::none;
  if (!facts.choices.empty()) return ValueKind::choice;
  if (facts.value_name == "FILE" || facts.value_name == "TARGET") return ValueKind::file;
  if (facts.value_name == "DIR") return ValueKind::directory;
  if (facts.value_name == "ID") return ValueKind::id;
  return ValueKind::any;
}

OptionFacts option_facts(const CLI::Option& option) {
  OptionFacts facts;
  const bool argument = option.get_positional();
  facts.name = argument                      ? option.get_name()
               : option.get_lnames().empty() ? ""
                                             : option.get_lnames().front();
  if (!option.get_snames().empty()) facts.short_name = option.get_snames().front();
  facts.help = option.get_description();
  facts.group = option.get_group();
  facts.required = option.get_required();
  facts.repeated = option.get_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return facts;
  const std::string type = option.get_type_name();
  facts.choices = choices_of(type);
  facts.value_name = argument                 ? upper(facts.name)
                     : !facts.choices.empty() ? "WHICH"
                                              : value_name(type, facts.name);
  facts.kind = kind_of(facts);
  facts.default_value = option.get_default_str();
  facts.optional_value = option.get_expected_min() == 0;
  return facts;
}

}  // namespace

std::string OptionFacts::words() const {
  std::string text = short_name.empty() ? "" : "-" + short_name;
  if (!name.empty()) text += (text.empty() ? "--" : ", --") + name;
  if (value_name.empty()) return text;
  return text + (optional_value ? "[=" + value_name + "]" : " " + value_name);
}

const OptionFacts* CommandFacts::option(std::string_view wanted) const {
  auto found = std::find_if(options.begin(), options.end(),
                            [wanted](const OptionFacts& o) { return o.name == wanted; });
  return found == options.end() ? nullptr : &*found;
}

std::string CommandFacts::usage() const {
  std::string text = "gordian " + name + " [OPTIONS]";
  for (const OptionFacts& argument : arguments) {
    const std::string word = argument.value_name + (argument.repeated ? "..." : "");
    text += argument.required ? " " + word : " [" + word + "]";
  }
  return text;
}

CommandFacts command_facts(const CLI::App& command) {
  CommandFacts facts{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    auto& list = option->get_positional() ? facts.arguments : facts.options;
    list.push_back(option_facts(*option));
  }
  return facts;
}

std::vector<CommandFacts> all_command_facts(const CLI::App& program) {
  std::vector<CommandFacts> all;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (!command->get_group().empty()) all.push_back(command_facts(*command));
  }
  return all;
}

const CLI::App* find_command(const CLI::App& program, const std::string& name) {
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

}  // namespace gordian
