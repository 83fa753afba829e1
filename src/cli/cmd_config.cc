// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian config`: every setting, its value for each command, and where that comes from; which
// tests have overrides.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/level.h"
#include "cli/apply_settings.h"
#include "cli/command.h"
#include "cli/command_facts.h"
#include "report/json.h"
#include "report/text.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

/// One value, for the commands that share it.
struct ConfigRow {
  std::string key;
  std::vector<std::string> commands;
  std::string value;  ///< "": nothing
  ChosenValue from;
};

/// The tests of one target, for its overrides.
struct ConfigTarget {
  std::string binary;
  Suite suite;
};

std::string joined(const std::vector<std::string>& words, std::string_view between = ", ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::string built_in(const OptionFacts& option) {
  if (option.kind == ValueKind::none) return "false";
  return option.default_value;
}

/// Commands with the same value from the same place stand in one row.
void add_row(std::vector<ConfigRow>& rows, ConfigRow row) {
  auto alike = std::find_if(rows.begin(), rows.end(), [&row](const ConfigRow& other) {
    return other.key == row.key && other.value == row.value &&
           other.from.where() == row.from.where();
  });
  if (alike == rows.end()) {
    rows.push_back(std::move(row));
  } else {
    alike->commands.push_back(row.commands.front());
  }
}

std::string row_text(const ConfigRow& row, bool new_key, std::size_t key_width,
                     std::size_t value_width, const Style& style) {
  StyledLine line;
  const bool own = row.from.origin != Origin::built_in;
  line.add(fmt::format("  {:<{}}  ", new_key ? row.key : "", key_width), Ink::bold);
  line.add(fmt::format("{:<{}}  ", row.value.empty() ? "-" : sanitize_line(row.value), value_width),
           own ? Ink::green : Ink::plain);
  line.add(sanitize_line(row.from.where()), own ? Ink::cyan : Ink::dim);
  line.add("  " + joined(row.commands), Ink::dim);
  return line.render(style) + "\n";
}

std::string rows_text(const std::vector<ConfigRow>& rows, bool everything, const Style& style) {
  std::size_t key_width = 0, value_width = 0;
  std::vector<const ConfigRow*> shown;
  for (const ConfigRow& row : rows) {
    if (!everything && row.from.origin == Origin::built_in) continue;
    shown.push_back(&row);
    key_width = std::max(key_width, row.key.size());
    value_width = std::max(value_width, std::min<std::size_t>(row.value.size(), 30));
  }
  std::string out, last;
  for (const ConfigRow* row : shown) {
    out += row_text(*row, row->key != last, key_width, value_width, style);
    last = row->key;
  }
  return out.empty() ? "  nothing is set\n" : out;
}

/// "timeout 2m, serial".
std::string effects(const TestOverride& override) {
  std::vector<std::string> parts;
  if (override.timeout) {
    const auto ms = override.timeout->count();
    parts.push_back(ms % 1000 == 0 ? fmt::format("timeout {}s", ms / 1000)
                                   : fmt::format("timeout {}ms", ms));
  }
  if (override.serial) parts.emplace_back(*override.serial ? "serial" : "not serial");
  if (!override.ignore_state.empty()) {
    parts.push_back("ignores " + joined(override.ignore_state));
  }
  return parts.empty() ? "changes nothing" : joined(parts, "; ");
}

std::vector<std::string> tests_of(const TestOverride& override, const ConfigTarget& target) {
  std::vector<std::string> names;
  for (const Test& test : target.suite.tests()) {
    if (override.filter.matches(test)) names.push_back(test.full_name());
  }
  return names;
}

std::string override_text(const TestOverride& override, const std::vector<ConfigTarget>& targets,
                          const Style& style) {
  std::string out = StyledLine()
                        .add("  " + sanitize_line(override.filter.text()), Ink::bold)
                        .add("  " + sanitize_line(effects(override)) + "  ")
                        .add(sanitize_line(override.place), Ink::cyan)
                        .render(style) +
                    "\n";
  constexpr std::size_t kMost = 10;
  for (const ConfigTarget& target : targets) {
    const auto names = tests_of(override, target);
    out += fmt::format("    {} of {} tests of {}\n", names.size(), target.suite.size(),
                       sanitize_line(target.binary));
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
      out += "      " + sanitize_line(names[i]) + "\n";
    }
    if (names.size() > kMost) out += fmt::format("      ... and {} more\n", names.size() - kMost);
  }
  return out;
}

std::string ignored_text(const IgnoreList& list) {
  std::string out;
  for (const auto& [word, names] : {std::pair{"variables", &list.variables},
                                    {"files", &list.files},
                                    {"environment", &list.environment}}) {
    if (!names->empty()) out += fmt::format("  {:<11}  {}\n", word, sanitize_line(joined(*names)));
  }
  return out.empty() ? out : "\nIgnored states\n" + out;
}

nlohmann::json row_json(const ConfigRow& row, const std::string& command) {
  const auto& place = row.from.place;
  return {{"key", row.key},
          {"command", command},
          {"value", text_or_null(row.value)},
          {"origin", to_string(row.from.origin)},
          {"profile", text_or_null(row.from.profile)},
          {"variable", text_or_null(row.from.variable)},
          {"file", place ? nlohmann::json(place->file) : nlohmann::json()},
          {"line", place ? nlohmann::json(place->line) : nlohmann::json()},
          {"column", place ? nlohmann::json(place->column) : nlohmann::json()}};
}

nlohmann::json override_json(const TestOverride& override,
                             const std::vector<ConfigTarget>& targets) {
  nlohmann::json json = {
      {"filter", override.filter.text()},
      {"timeout_ms", override.timeout ? nlohmann::json(override.timeout->count()) : nullptr},
      {"serial", override.serial ? nlohmann::json(*override.serial) : nullptr},
      {"ignore_state", override.ignore_state},
      {"place", override.place},
      {"targets", nlohmann::json::array()}};
  for (const ConfigTarget& target : targets) {
    json["targets"].push_back({{"binary", target.binary}, {"tests", tests_of(override, target)}});
  }
  return json;
}

/// Sorted by key. REQUIRES: load_settings().
std::vector<ConfigRow> config_rows(const CommandParser& program, const CommonOptions& common,
                                   const EnvLookup& env) {
  std::vector<ConfigRow> rows;
  for (const Setting& setting : settings()) {
    for (const OptionSet& command : program.commands()) {
      if (!takes_setting(command, setting)) continue;
      const std::string& name = command.command();
      auto value = chosen_value(setting, name, common.profile, common.config, env);
      ConfigRow row{std::string(setting.key), {name}, "", value.value_or(ChosenValue())};
      row.value =
          value ? joined(value->words) : built_in(*command_facts(command).option(setting.key));
      add_row(rows, std::move(row));
    }
  }
  return rows;
}

/// `everything`: also what is built in.
std::string config_text(const std::vector<ConfigRow>& rows, const CommonOptions& common,
                        const std::vector<ConfigTarget>& targets, bool everything,
                        const Style& style) {
  const ProjectConfig& config = common.config;
  std::string out = fmt::format(
      "File     {}\nProfile  {}{}\n\n{}\n",
      config.file.empty() ? fmt::format("none: no {} here or above", kConfigName)
                          : sanitize_line(config.file),
      sanitize_line(common.profile),
      config.profiles.empty() ? ""
                              : fmt::format("  (of: {})", sanitize_line(joined(config.profiles))),
      everything ? "Settings" : "Set, by the file or the environment");
  out += rows_text(rows, everything, style);
  if (!config.overrides.empty()) out += "\nOverrides, the first that says something holds\n";
  for (const TestOverride& override : config.overrides) {
    out += override_text(override, targets, style);
  }
  out += ignored_text(config.ignore);
  return out + (everything
                    ? "\nNext: gordian help config says what the file can hold.\n"
                    : "\nNext: gordian config --explain shows every value and where it comes "
                      "from.\n");
}

nlohmann::json config_json(const std::vector<ConfigRow>& rows, const CommonOptions& common,
                           const std::vector<ConfigTarget>& targets) {
  const ProjectConfig& config = common.config;
  nlohmann::json json = {{"kind", "config"},
                         {"version", 1},
                         {"file", text_or_null(config.file)},
                         {"profile", common.profile},
                         {"profiles", config.profiles},
                         {"values", nlohmann::json::array()},
                         {"overrides", nlohmann::json::array()},
                         {"ignore",
                          {{"variables", config.ignore.variables},
                           {"files", config.ignore.files},
                           {"environment", config.ignore.environment}}}};
  for (const ConfigRow& row : rows) {
    for (const std::string& command : row.commands)
      json["values"].push_back(row_json(row, command));
  }
  for (const TestOverride& override : config.overrides) {
    json["overrides"].push_back(override_json(override, targets));
  }
  return json;
}

struct ConfigCommand {
  std::vector<std::string> targets;
  bool explain = false, json = false;
};

Result<std::vector<ConfigTarget>> list_targets(const ConfigCommand& command,
                                               const CommonOptions& common) {
  std::vector<ConfigTarget> targets;
  if (command.targets.empty()) return targets;
  auto selection = resolve_targets(command.targets, common.target_args);
  if (!selection) return selection.error();
  for (const Target& target : selection->targets) {
    std::vector<Notice> notices;
    auto suite = runtime_of(target).list(target, EngineOptions{}, notices);
    if (!suite && !may_be_passed_over(suite.error(), target)) return suite.error();
    if (suite) targets.push_back({target.binary.string(), *suite});
  }
  return targets;
}

int config(const ConfigCommand& command, const CommandParser& program,
           const CommonOptions& common) {
  auto targets = list_targets(command, common);
  if (!targets) return report_error(targets.error());
  const auto rows = config_rows(program, common, process_environment());
  const Style style = describe_terminal(1, common.color_choice()).style;
  const std::string text = command.json
                               ? dump_json(config_json(rows, common, *targets))
                               : config_text(rows, common, *targets, command.explain, style);
  return print_result(text);
}

}  // namespace

std::function<int()> declare_config(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<ConfigCommand>();
  set.add_option("target", command->targets,
                 "Test binaries, or CMake build directories: says which of their tests have "
                 "overrides");
  set.add_flag("--explain", command->explain,
               "Every setting for every command, also what is built in");
  set.add_flag("--json", command->json, "Write JSON to standard output");
  return [command, &set, &common] { return config(*command, set.program(), common); };
}

}  // namespace gordian
