// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/apply_settings.h"
#include "base/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "cli/command_facts.h"

namespace gordian {
namespace {

Option* option_of(OptionSet& command, const Setting& setting) {
  return command.find("--" + std::string(setting.key));
}

/// What the option itself says against the words; empty: nothing.
std::string objection(const Option& option, const Setting& setting,
                      const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (setting.kind == SettingKind::time) {
      auto time = parse_duration(word);
      if (!time) return time.error().message;
    }
    std::string objected = option.objection(word);
    if (!objected.empty()) return objected;
  }
  return {};
}

/// The value is for these commands.
std::vector<OptionSet*> concerned(CommandParser& program, const ConfigValue& value) {
  const Setting& setting = *find_setting(value.key);
  std::vector<OptionSet*> commands;
  for (OptionSet& command : program.commands()) {
    const bool meant = value.command.empty() || value.command == command.command();
    if (meant && takes_setting(command, setting)) commands.push_back(&command);
  }
  return commands;
}

Error no_such_command(const CommandParser& program, const ConfigValue& value) {
  std::vector<std::string> known;
  for (const CommandFacts& command : all_command_facts(program)) known.push_back(command.name);
  auto close = closest_word(value.command, known);
  return usage_error(fmt::format("{}: [profile.{}.{}]: there is no command '{}'",
                                 value.place.text(), value.profile, value.command, value.command),
                     close ? fmt::format("did you mean [profile.{}.{}]?", value.profile, *close)
                           : fmt::format("commands are: {}", fmt::join(known, ", ")));
}

Status check_value(CommandParser& program, const ConfigValue& value) {
  if (!value.command.empty() && find_command(program, value.command) == nullptr) {
    return no_such_command(program, value);
  }
  const Setting& setting = *find_setting(value.key);
  const auto commands = concerned(program, value);
  if (commands.empty()) {
    return usage_error(fmt::format("{}: '{}' is no setting of gordian {}", value.place.text(),
                                   value.key, value.command),
                       fmt::format("write it in [profile.{}]", value.profile));
  }
  for (OptionSet* command : commands) {
    std::string objected = objection(*option_of(*command, setting), setting, value.words);
    if (objected.empty()) continue;
    return usage_error(
        fmt::format("{}: '{}' of gordian {}: {}", value.place.text(), value.key, command->command(),
                    objected),
        value.command.empty() && commands.size() > 1
            ? fmt::format("if other commands take it: write it in [profile.{}.COMMAND]",
                          value.profile)
            : "");
  }
  return {};
}

Status choose_profile(CommonOptions& common, const EnvLookup& env) {
  std::string asked_by = "--profile";
  if (common.profile.empty()) {
    common.profile = env("GORDIAN_PROFILE").value_or("");
    asked_by = "GORDIAN_PROFILE";
  }
  if (common.profile.empty()) common.profile = kDefaultProfile;
  const auto& known = common.config.profiles;
  const bool exists = std::find(known.begin(), known.end(), common.profile) != known.end();
  if (exists || common.profile == kDefaultProfile) return {};
  if (common.config.file.empty()) {
    return usage_error(fmt::format("{}: there is no profile '{}', because there is no {}", asked_by,
                                   common.profile, kConfigName),
                       common.config_passed_over.empty()
                           ? "'gordian help config' says where it is looked for, and what it holds"
                           : common.config_passed_over + "; --config FILE obeys it all the same");
  }
  std::vector<std::string> names = known;
  names.emplace_back(kDefaultProfile);
  auto close = closest_word(common.profile, names);
  return usage_error(
      fmt::format("{}: {} has no profile '{}'", asked_by, common.config.file, common.profile),
      close ? fmt::format("did you mean '{}'?", *close)
            : fmt::format("it has: {}", fmt::join(known, ", ")));
}

/// Named by the user, which is trust enough, or found.
std::optional<std::filesystem::path> config_in_use(CommonOptions& common, const EnvLookup& env) {
  std::error_code unknown;
  if (common.config_file.empty()) common.config_file = env("GORDIAN_CONFIG").value_or("");
  if (!common.config_file.empty()) return std::filesystem::absolute(common.config_file, unknown);
  FoundConfig search = find_config(std::filesystem::current_path(unknown));
  common.config_passed_over = std::move(search.passed_over);
  return search.file;
}

Status give(Option& option, const Setting& setting, const ChosenValue& value) {
  std::string objected = objection(option, setting, value.words);
  if (objected.empty()) {
    Status given = option.give(value.words);
    if (given) return {};
    objected = given.error().message;
  }
  return usage_error(fmt::format("{}: {}", value.where(), objected),
                     fmt::format("{} must be {}", setting.key, expectation(setting.kind)));
}

}  // namespace

std::string_view to_string(Origin origin) {
  constexpr EnumWords<Origin, 5> kWords = {{{Origin::command_line, "command_line"},
                                            {Origin::environment, "environment"},
                                            {Origin::profile, "profile"},
                                            {Origin::default_profile, "default_profile"},
                                            {Origin::built_in, "built_in"}}};
  return word_in(kWords, origin);
}

std::string ChosenValue::where() const {
  if (!variable.empty()) return variable;
  if (!place) return "built in";
  return fmt::format("{} [profile.{}]", place->text(), section);
}

std::optional<ChosenValue> chosen_value(const Setting& setting, const std::string& command,
                                        const std::string& profile, const ProjectConfig& config,
                                        const EnvLookup& env) {
  const std::string variable = environment_name(setting.key);
  if (auto text = env(variable.c_str()); text && !text->empty()) {
    return ChosenValue{{*text}, Origin::environment, "", "", std::nullopt, variable};
  }
  for (const std::string& from : {profile, std::string(kDefaultProfile)}) {
    for (const std::string& of : {command, std::string()}) {
      auto found = std::find_if(config.values.begin(), config.values.end(), [&](const auto& value) {
        return value.profile == from && value.command == of && value.key == setting.key;
      });
      if (found == config.values.end()) continue;
      const Origin origin = from == kDefaultProfile ? Origin::default_profile : Origin::profile;
      return ChosenValue{found->words, origin, from, of.empty() ? from : from + "." + of,
                         found->place, ""};
    }
  }
  return std::nullopt;
}

bool takes_setting(const OptionSet& command, const Setting& setting) {
  return is_for(setting, command.command()) && !command.for_programs() &&
         command.find("--" + std::string(setting.key)) != nullptr;
}

Status load_settings(CommandParser& program, CommonOptions& common, const EnvLookup& env) {
  const auto file = config_in_use(common, env);
  if (file) {
    auto config = load_config(*file);
    if (!config) return config.error();
    common.config = std::move(*config);
  }
  for (const ConfigValue& value : common.config.values) {
    if (Status right = check_value(program, value); !right) return right;
  }
  return choose_profile(common, env);
}

Status apply_settings(OptionSet& command, CommonOptions& common, const EnvLookup& env) {
  for (const Setting& setting : settings()) {
    Option* option = option_of(command, setting);
    if (option == nullptr || !takes_setting(command, setting)) continue;
    bool strong = option->is_given();
    if (!strong && !option->is_excluded()) {
      auto value = chosen_value(setting, command.command(), common.profile, common.config, env);
      if (value) {
        if (Status given = give(*option, setting, *value); !given) return given;
        if (setting.kind == SettingKind::command && value->place) {
          common.commands_of_file.push_back(fmt::format(
              "{} has this command run: {}", value->where(), fmt::join(value->words, " ")));
        }
        strong = value->origin == Origin::environment;
      }
    }
    if (strong && setting.key == "timeout") {
      for (TestOverride& override : common.config.overrides) override.timeout.reset();
    }
  }
  return {};
}

}  // namespace gordian
