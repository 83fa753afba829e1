// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <memory>
#include <random>

#include "app/level.h"
#include "app/shard_plan.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/results.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "model/target.h"
#include "report/shard_report.h"

namespace gordian {
namespace {

struct RunCommand {
  std::vector<std::string> targets;
  std::string order = "default", filter, level = "binary", shard;
  bool also_disabled = false;
  RunOptions run;
};

/// Small enough to be read out over the telephone.
std::uint64_t fresh_seed() {
  return std::random_device{}() % 1'000'000;
}

Result<RunRequest> run_request(const RunCommand& command, const CommonOptions& common) {
  auto request = to_request(command.run);
  if (!request) return request;
  auto order = parse_order_spec(command.order);
  if (!order) return order.error();
  request->order = *order;
  if (order->is_random() && !order->seed) request->order.seed = fresh_seed();
  request->filter = TestFilter(command.filter);
  request->also_disabled = command.also_disabled;
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  return request;
}

ShardRequestOptions shard_options(const RunCommand& command, const CommonOptions& common,
                                  const RunRequest& request, const ShardChoice& choice) {
  ShardRequestOptions options;
  options.count = choice.count;
  options.filter = request.filter;
  options.also_disabled = command.also_disabled;
  options.db = common.db_path();
  options.engine = request.engine;
  return options;
}

int run_part(const ShardFacts& target, const ShardFacts::Part& part, RunRequest& request,
             RunResults& results) {
  int worst = kExitOk;
  request.target = target.target;
  const bool isolated = request.isolation != Isolation::none;
  for (const PartRun& one : runs_of_part(target, part, isolated)) {
    request.exact_order = one.order;
    auto facts = results.run(request, one.extra);
    if (!facts) {
      worst = std::max(worst, report_error(facts.error()));
      if (facts.error().kind == ErrorKind::internal) break;
      continue;
    }
    if ((*facts)->end == RunEnd::interrupted) return kExitInterrupted;
    if ((*facts)->end == RunEnd::failed_fast) break;
  }
  return worst;
}

/// One part of a split: its tests as one run if they are isolated, else a run for each process.
int run_shard(const RunCommand& command, const CommonOptions& common, RunRequest& request,
              const std::vector<Target>& targets) {
  auto choice = parse_shard(command.shard);
  if (!choice) return report_error(choice.error());
  std::vector<std::string> passed_over;
  auto plan = plan_shards(targets, shard_options(command, common, request, *choice), passed_over);
  if (!plan) return report_error(plan.error());
  say_left_out(passed_over);
  const Style style = describe_terminal(kScreen, common.color_choice()).style;
  sink_to(kScreen)(shard_headline(*plan, choice->index, style));
  auto results = RunResults::open(command.run, common);
  if (!results) return report_error(results.error());
  request.exact_order_name = "shard " + choice->text();
  int worst = kExitOk;
  for (const ShardFacts& target : plan->targets) {
    const int code = run_part(target, target.shards[choice->index], request, *results);
    worst = std::max(worst, code);
    if (code == kExitInterrupted) break;
  }
  const int code = results->finish();
  return code == kExitInterrupted ? code : std::max(code, worst);
}

int run_all(const RunCommand& command, const CommonOptions& common) {
  auto request = run_request(command, common);
  if (!request) return report_error(request.error());
  auto selection = resolve_at_level(command.level, command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  say_left_out(selection->skipped);
  if (!command.shard.empty()) return run_shard(command, common, *request, selection->targets);
  auto results = RunResults::open(command.run, common);
  if (!results) return report_error(results.error());
  ExitSum sum;
  bool any = false;
  for (const Target& target : selection->targets) {
    request->target = target;
    auto facts = results->run(*request);
    if (facts) {
      any = true;
      if ((*facts)->end == RunEnd::interrupted) break;
      continue;
    }
    sum.count(facts.error(), target);
    if (facts.error().kind == ErrorKind::internal) break;
  }
  const int code = results->finish();
  return code == kExitInterrupted ? code : std::max(code, sum.code(any));
}

}  // namespace

std::function<int()> declare_run(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<RunCommand>();
  add_targets_argument(set, command->targets);
  add_level_option(set, command->level);
  Option* order =
      set.add_option(
             "--order", command->order,
             "default, reverse, random[:SEED] (suites stay together), interleave[:SEED], or a "
             "file with one test name a line")
          ->show_default();
  set.add_option("--shard", command->shard,
                 "Only this part of the tests: 2/4 is the second of four. Parts keep to known "
                 "dependences and are balanced by recorded times; see gordian shard")
      ->value_name("I/N")
      ->excludes(order);
  add_filter_option(set, command->filter);
  set.add_flag("--also-run-disabled", command->also_disabled, "Run DISABLED_ tests too");
  add_run_options(set, command->run);
  add_db_option(set, common);
  return [command, &common] { return run_all(*command, common); };
}

}  // namespace gordian
