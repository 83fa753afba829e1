// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/command.h"
#include "config/config_file.h"
#include "report/text.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

struct IgnoreCommand {
  std::vector<std::string> names;
  bool file = false, env = false, variable = false, list = false, remove = false;
};

/// What the name looks like; nullopt: it could be a variable as well as one of the environment.
std::optional<IgnoreKind> guess(const std::string& name) {
  if (name.find('/') != std::string::npos) return IgnoreKind::file;
  const bool shouted = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '*' || c == '?';
  });
  if (shouted) return std::nullopt;
  return IgnoreKind::variable;
}

Result<IgnoreKind> ignore_kind_of(const IgnoreCommand& command, const std::string& name) {
  if (command.file) return IgnoreKind::file;
  if (command.env) return IgnoreKind::environment;
  if (command.variable) return IgnoreKind::variable;
  auto kind = guess(name);
  if (kind) return *kind;
  return usage_error(
      fmt::format("'{}' may be a variable of the program or of the environment", name),
      "say which: --variable or --env");
}

Result<std::string> read_text(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::string();
  return read_regular(file);
}

int print_list(const IgnoreList& list) {
  for (const auto& [word, names] : {std::pair{"variable", &list.variables},
                                    {"file", &list.files},
                                    {"environment", &list.environment}}) {
    for (const std::string& name : *names)
      std::printf("%-12s %s\n", word, sanitize_line(name).c_str());
  }
  return kExitOk;
}

int ignore(const IgnoreCommand& command, const CommonOptions& common) {
  if (command.list) return print_list(common.config.ignore);
  if (command.names.empty()) {
    return report_error(
        usage_error("no name is given", "'gordian ignore --help' lists the options"));
  }
  if (!common.config_passed_over.empty()) {
    return report_error(usage_error("nothing was written", "--config FILE names the file to edit"));
  }
  const fs::path file =
      common.config.file.empty() ? new_config(fs::current_path()) : fs::path(common.config.file);
  auto text = read_text(file);
  if (!text) return report_error(text.error());
  std::string edited = *text;
  for (const std::string& name : command.names) {
    auto kind = ignore_kind_of(command, name);
    if (!kind) return report_error(kind.error());
    auto next = command.remove ? without_rule(edited, *kind, name, file.string())
                               : with_rule(edited, *kind, name, file.string());
    if (!next) return report_error(next.error());
    const bool changed = *next != edited;
    const char* verb = changed ? "is" : command.remove ? "was" : "is already";
    const char* state = command.remove == changed ? "not ignored any more" : "ignored";
    say(fmt::format("gordian: {} {} {} in {}", name, verb, state, file.string()));
    edited = std::move(*next);
  }
  if (edited == *text) return kExitOk;
  return ended_with(write_file(file.string(), edited));
}

}  // namespace

std::function<int()> declare_ignore(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<IgnoreCommand>();
  set.add_option("name", c->names,
                 "States that carry no data dependence, as reports name them; * and ? stand for "
                 "any characters. A name also means its members, a directory its files");
  auto* file = set.add_flag("--file", c->file, "The names are files or directories");
  auto* env = set.add_flag("--env", c->env, "The names are environment variables")->excludes(file);
  set.add_flag("--variable", c->variable, "The names are variables of the program")
      ->excludes(file)
      ->excludes(env);
  auto* remove = set.add_flag("--remove", c->remove, "Do not ignore them any more");
  set.add_flag("--list", c->list, "Only say what is ignored")->excludes(remove);
  return [c, &common] { return ignore(*c, common); };
}

}  // namespace gordian
