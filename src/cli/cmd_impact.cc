// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/level.h"
#include "app/ranking.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/rank_options.h"
#include "cli/rank_output.h"
#include "cli/screen.h"
#include "report/json.h"
#include "report/rank_report.h"

namespace gordian {
namespace {

struct ImpactCommand {
  std::vector<std::string> targets, techniques;
  std::uint64_t seeds = 1;
  bool aware = false;
  RankOptions options;
};

Result<std::vector<AskedOrder>> asked_orders(const ImpactCommand& command) {
  std::vector<Technique> techniques;
  for (const std::string& word : command.techniques) {
    auto technique = parse_technique(word);
    if (!technique) {
      return usage_error("there is no technique " + word,
                         "there are T1, T3, T4, T5 and T7; see docs/rank.md");
    }
    techniques.push_back(*technique);
  }
  if (techniques.empty()) techniques.assign(kTechniques.begin(), kTechniques.end());
  std::vector<AskedOrder> asked;
  for (Technique technique : techniques) {
    const std::uint64_t seeds = technique == Technique::random ? command.seeds : 1;
    for (std::uint64_t i = 0; i < seeds; ++i)
      asked.push_back({technique, command.options.seed + i});
  }
  return asked;
}

Result<ImpactFacts> impact_of(const ImpactCommand& command, const Target& target,
                              const std::vector<AskedOrder>& asked, const CommonOptions& common,
                              Screen& screen) {
  auto request = to_rank_request(command.options, common);
  if (!request) return request.error();
  auto session = RankSession::open(target, std::move(*request), screen);
  if (!session) return session.error();
  return impact_of_orders(asked, command.aware, *session);
}

int code_of(const ImpactFacts& facts) {
  if (facts.end == RunEnd::interrupted) return kExitInterrupted;
  int code = kExitOk;
  for (const RankedOrder& order : facts.orders) code = std::max(code, exit_code_of(order));
  return code;
}

int impact_all(const ImpactCommand& command, const CommonOptions& common) {
  auto asked = asked_orders(command);
  if (!asked) return report_error(asked.error());
  auto selection = resolve_targets(command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  for (const std::string& skipped : selection->skipped) {
    say("gordian: left out: " + skipped);
  }
  Screen screen(common);
  std::vector<ImpactFacts> all;
  int code = kExitOk, passed_over = kExitOk;
  for (const Target& target : selection->targets) {
    auto facts = impact_of(command, target, *asked, common, screen);
    if (!facts) {
      int& sum = may_be_passed_over(facts.error(), target) ? passed_over : code;
      sum = std::max(sum, report_error(facts.error()));
      if (facts.error().kind == ErrorKind::interrupted) break;
      continue;
    }
    screen.print(impact_text(*facts, screen.style()));
    code = std::max(code, code_of(*facts));
    all.push_back(std::move(*facts));
    if (code == kExitInterrupted) break;
  }
  if (all.empty()) code = std::max(code, passed_over);
  if (!command.options.json.empty() && !all.empty()) {
    auto json = all.size() == 1 ? impact_to_json(all.front()) : impacts_to_json(all);
    Status written = write_file(command.options.json, dump_json(json));
    if (!written) return report_error(written.error());
  }
  return code;
}

}  // namespace

std::function<int()> declare_impact(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ImpactCommand>();
  set.add_option("target", c->targets,
                 "Test binaries, or CMake build directories; arguments for them follow --")
      ->required();
  set.add_option("-t,--technique", c->techniques,
                 "Only this order: T1, T3, T4, T5 or T7; may be repeated (default: all five)")
      ->one_at_a_time();
  set.add_option("--seeds", c->seeds, "T1: so many random orders, with seeds from --seed on")
      ->between(1, 10000)
      ->show_default();
  set.add_flag("--aware,--respect-dependences", c->aware,
               "Orders that keep to known dependences: no result should change");
  add_rank_options(set, c->options, common);
  return [c, &common] { return impact_all(*c, common); };
}

}  // namespace gordian
