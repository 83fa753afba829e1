// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/command_facts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "config/settings.h"
#include "report/formats/formats.h"

namespace gordian {
namespace {

/// The name of a value in help, by what is known of it.
std::string value_name(const std::string& type, const std::string& key) {
  const Setting* setting = find_setting(key);
  if (setting != nullptr && setting->kind == SettingKind::time) return "TIME";
  if (setting != nullptr && setting->kind == SettingKind::paths) return "DIR";
  if (type == "INT" || type == "UINT" || type == "FLOAT") return "N";
  return type.empty() ? "TEXT" : type;
}

ValueKind value_kind_of(const OptionFacts& facts) {
  if (facts.value_name.empty()) return ValueKind::none;
  if (!facts.choices.empty()) return ValueKind::choice;
  if (facts.value_name == "FILE" || facts.value_name == "TARGET") return ValueKind::file;
  if (facts.value_name == "DIR") return ValueKind::directory;
  if (facts.value_name == "ID") return ValueKind::id;
  return ValueKind::any;
}

OptionFacts option_facts(const Option& option) {
  OptionFacts facts;
  facts.name = option.name();
  facts.short_name = option.short_name();
  facts.help = option.help();
  facts.group = option.group();
  facts.required = option.is_required();
  facts.repeated = option.is_repeated();
  if (!option.takes_value()) return facts;
  facts.choices = option.choices();
  facts.value_name = option.is_argument()     ? upper(facts.name)
                     : !facts.choices.empty() ? "WHICH"
                                              : value_name(option.value_type(), facts.name);
  facts.kind = value_kind_of(facts);
  facts.default_value = option.default_text();
  facts.optional_value = option.value_is_optional();
  return facts;
}

struct OptionGroup {
  std::string_view title, options;  ///< their names, with blanks around each
};
constexpr std::array kGroups = {
    OptionGroup{"Options", ""},
    OptionGroup{"Which tests", " filter also-run-disabled level order repeat shard "},
    OptionGroup{"Time and jobs",
                " timeout total-timeout start-timeout slow budget build-timeout jobs fail-fast "},
    OptionGroup{"Isolation", " isolate private-fs private-dir verify-isolation "},
    OptionGroup{"Output", " json github output verbose no-crash-stacks fail-on color no-color "},
    OptionGroup{"Database and settings", " db no-db config profile help "},
};
constexpr auto kGroupTitles = [] {
  std::array<std::string_view, kGroups.size()> titles;
  for (std::size_t i = 0; i < titles.size(); ++i) titles[i] = kGroups[i].title;
  return titles;
}();

std::string_view group_of(const std::string& option) {
  // Every format of reports is an option of its own.
  const std::string name = find_report_format(option) != nullptr ? "output" : option;
  auto found = std::find_if(kGroups.begin(), kGroups.end(), [&name](const OptionGroup& group) {
    return group.options.find(" " + name + " ") != std::string_view::npos;
  });
  return (found == kGroups.end() ? kGroups.begin() : found)->title;
}

}  // namespace

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::span<const std::string_view> option_group_titles() {
  return kGroupTitles;
}

void group_options(OptionSet& command) {
  for (Option& option : command.options()) {
    if (!option.is_argument()) option.set_group(group_of(option.name()));
  }
}

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

CommandFacts command_facts(const OptionSet& command) {
  CommandFacts facts{command.command(), command.help(), {}, {}};
  for (const Option& option : command.options()) {
    auto& list = option.is_argument() ? facts.arguments : facts.options;
    list.push_back(option_facts(option));
  }
  return facts;
}

std::vector<CommandFacts> all_command_facts(const CommandParser& program) {
  std::vector<CommandFacts> all;
  for (const OptionSet& command : program.commands()) {
    if (!command.for_programs()) all.push_back(command_facts(command));
  }
  return all;
}

const OptionSet* find_command(const CommandParser& program, const std::string& name) {
  for (const OptionSet& command : program.commands()) {
    if (command.command() == name) return &command;
  }
  return nullptr;
}

}  // namespace gordian
