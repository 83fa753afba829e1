// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <memory>

#include "app/level.h"
#include "base/files.h"
#include "cli/command.h"
#include "model/target.h"
#include "report/json.h"
#include "report/run_report.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

struct ListOptions {
  std::vector<std::string> targets;
  std::string json, level = "binary";
};

int list(const ListOptions& options, const CommonOptions& common) {
  auto selection = resolve_at_level(options.level, options.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  say_left_out(selection->skipped);
  const bool several = selection->targets.size() > 1;
  std::vector<std::pair<Target, Suite>> found;
  for (const Target& target : selection->targets) {
    std::vector<Notice> notices;
    auto suite = runtime_of(target).list(target, EngineOptions{}, notices);
    if (!suite) {
      // In a whole build, programs that are no test binaries are to be expected.
      int code = report_error(suite.error());
      if (!several || code != kExitTarget) return code;
      continue;
    }
    for (const Notice& notice : notices) {
      say("gordian: " + target.binary.string() + ": " + notice.text);
    }
    found.emplace_back(target, std::move(*suite));
  }
  if (found.empty()) return kExitTarget;
  if (!options.json.empty()) {
    return ended_with(write_file(options.json, dump_json(list_to_json(found))));
  }
  const Style style = describe_terminal(1, common.color_choice()).style;
  std::string text;
  for (const auto& [target, suite] : found) text += list_table(target, suite, style);
  return print_result(text);
}

}  // namespace

std::function<int()> declare_list(OptionSet& set, CommonOptions& common) {
  auto options = std::make_shared<ListOptions>();
  set.add_option("target", options->targets, "Test binaries, or CMake build directories")
      ->required();
  add_level_option(set, options->level);
  set.add_option("--json", options->json, "Write JSON to this file, - for standard output")
      ->values(0, 1)
      ->show_default("-")
      ->value_name("FILE");
  return [options, &common] { return list(*options, common); };
}

}  // namespace gordian
