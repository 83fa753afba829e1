// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/shard_json.h"

#include "report/json_values.h"
#include "report/run_json.h"
#include "report/run_summary.h"
#include "report/shard_text.h"

namespace gordian {
namespace {

using nlohmann::json;

json process_json(const ShardFacts::Process& process, const Suite& suite) {
  json extra = json::array();
  for (std::size_t i = 0; i < process.order.size(); ++i) {
    if (process.extra[i]) extra.push_back(suite.test(process.order[i]).full_name());
  }
  return {{"order", names_json(process.order, suite)},
          {"extra", std::move(extra)},
          {"file", process.file.empty() ? json() : json(process.file)}};
}

json part_json(const ShardFacts::Part& part, const ShardFacts& target) {
  json processes = json::array();
  for (const ShardFacts::Process& process : part.processes) {
    processes.push_back(process_json(process, target.suite));
  }
  return {{"tests", part.tests},
          {"extra_runs", part.extras},
          {"time_ns", target.by_time ? json(part.time.count()) : json()},
          {"processes", std::move(processes)}};
}

json kept_out_json(const std::vector<ShardFacts::KeptOut>& list, const Suite& suite) {
  json out = json::array();
  for (const ShardFacts::KeptOut& one : list) {
    out.push_back({{"test", suite.test(one.test).full_name()},
                   {"shard", one.shard + 1},
                   {"dependence", id_or_null(one.dependence)}});
  }
  return out;
}

json target_json(const ShardFacts& target) {
  json groups = json::array(), shards = json::array(), notices = json::array();
  for (const Order& group : target.groups) groups.push_back(names_json(group, target.suite));
  for (const ShardFacts::Part& part : target.shards) shards.push_back(part_json(part, target));
  for (const Notice& notice : target.notices) {
    const char* level = notice.level == Notice::Level::warning ? "warning" : "info";
    notices.push_back({{"level", level}, {"text", notice.text}});
  }
  return {{"binary", target.binary.path},
          {"sha256", target.binary.sha256},
          {"searched", target.searched},
          {"known_dependences", target.known},
          {"by", target.by_time ? "time" : "count"},
          {"timed_by", target.timed_by ? json(to_string(*target.timed_by)) : json()},
          {"untimed", target.untimed},
          {"kept_together", std::move(groups)},
          {"shards", std::move(shards)},
          {"moved", kept_out_json(target.moved, target.suite)},
          {"impossible", kept_out_json(target.impossible, target.suite)},
          {"notices", std::move(notices)}};
}

}  // namespace

json shards_to_json(const ShardPlan& plan) {
  json targets = json::array();
  for (const ShardFacts& target : plan.targets) targets.push_back(target_json(target));
  return {{"kind", "shards"}, {"version", kJsonVersion},      {"count", plan.count},
          {"split", plan.id}, {"imbalance", imbalance(plan)}, {"targets", std::move(targets)}};
}

}  // namespace gordian
