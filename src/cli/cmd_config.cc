// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <cstdio>
#include <memory>

#include "app/level.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/config_report.h"
#include "cli/exit_codes.h"
#include "report/json.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

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
  Status written = write_all(1, text, "standard output");
  return written ? static_cast<int>(kExitOk) : report_error(written.error());
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
