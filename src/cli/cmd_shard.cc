// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <memory>

#include "app/level.h"
#include "app/shard_plan.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/json.h"
#include "report/shard_report.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

struct ShardCommand {
  std::vector<std::string> targets;
  std::size_t count = 0;
  std::string by = "time", filter, level = "binary", output, json;
  bool also_disabled = false;
};

ShardRequestOptions shard_options_of(const ShardCommand& command, const CommonOptions& common) {
  ShardRequestOptions options;
  options.count = command.count;
  options.by_time = command.by == "time";
  options.filter = TestFilter(command.filter);
  options.also_disabled = command.also_disabled;
  options.db = common.db_path();
  return options;
}

/// What runs one of the shards, without its number.
std::string run_command(const ShardCommand& command, const CommonOptions& common) {
  // A split by count is another one than run would make.
  if (command.by != "time") return {};
  std::string text = "gordian run";
  for (const std::string& target : command.targets) text += " " + shell_word(target);
  text += runtime_at_level(command.level)->traits().level_option;
  if (!command.filter.empty()) text += " --filter " + shell_word(command.filter);
  if (command.also_disabled) text += " --also-run-disabled";
  if (!common.db.empty()) text += " --db " + shell_word(common.db);
  return text + " --isolate none --shard";
}

int shard(const ShardCommand& command, const CommonOptions& common) {
  auto selection = resolve_at_level(command.level, command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  std::vector<std::string> left_out = selection->skipped;
  auto plan = plan_shards(selection->targets, shard_options_of(command, common), left_out);
  if (!plan) return report_error(plan.error());
  say_left_out(left_out);
  if (!command.output.empty()) {
    Status written = write_order_files(*plan, command.output);
    if (!written) return report_error(written.error());
  }
  const std::string how = common.target_args.empty() ? run_command(command, common) : "";
  sink_to(kScreen)(shard_text(*plan, how, describe_terminal(kScreen, common.color_choice()).style));
  if (command.json.empty()) return kExitOk;
  return ended_with(write_file(command.json, dump_json(shards_to_json(*plan))));
}

}  // namespace

std::function<int()> declare_shard(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ShardCommand>();
  add_targets_argument(set, c->targets);
  add_level_option(set, c->level);
  set.add_option("--count", c->count, "How many shards")->between(1, kMostShards)->required();
  set.add_option("--by", c->by, "Equal parts by recorded time, or by count of tests")
      ->one_of({"time", "count"})
      ->show_default();
  set.add_option("-o,--output", c->output,
                 "Write an order file for each process of each shard into this directory, for "
                 "gordian run --isolate none --order FILE")
      ->value_name("DIR");
  add_filter_option(set, c->filter);
  set.add_flag("--also-run-disabled", c->also_disabled, "DISABLED_ tests too");
  add_json_option(set, c->json);
  add_db_option(set, common);
  return [c, &common] { return shard(*c, common); };
}

}  // namespace gordian
