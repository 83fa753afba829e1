// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `prioritize`, `impact` and `reduce`: what makes orders of tests from what they cover.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/rank_session.h"
#include "app/ranking.h"
#include "base/files.h"
#include "cli/command.h"
#include "cli/results.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/json.h"
#include "report/rank_report.h"

namespace gordian {
namespace {

struct RankOptions {
  RankOptions() { run.timeout = "10s"; }

  RunOptions run;
  std::string filter, coverage, way = "alone", json, budget = "60s";
  std::uint64_t seed = 1;
  int confirmations = 3;
  bool again = false, no_db = false, test_code = false;
};

void add_rank_options(OptionSet& set, RankOptions& o, CommonOptions& common) {
  set.add_option("--seed", o.seed, "Breaks ties, and shuffles for T1: one seed, one order")
      ->show_default();
  set.add_option("--coverage", o.coverage,
                 "Your own data of what each test covers: lcov, gcov or llvm-cov, a file or a "
                 "directory; else the program's own counters are read")
      ->value_name("FILE");
  set.add_option("--cover", o.way,
                 "alone: what a test covers by itself; in-order: as the suite runs today")
      ->one_of({"alone", "in-order"})
      ->show_default();
  set.add_flag("--test-code", o.test_code,
               "Files in which tests stand count, too; else they are left out, unless there is "
               "nothing else");
  set.add_flag("--again", o.again, "Collect coverage, even if the same build was collected before");
  add_filter_option(set, o.filter);
  set.add_option("--confirm", o.confirmations, "How often an order must show the same result")
      ->between(2, 100)
      ->show_default();
  set.add_option("--budget", o.budget, "Time to find the dependence behind changed results")
      ->show_default();
  add_order_jobs_option(set, o.run.jobs);
  set.add_option("--timeout", o.run.timeout, "Time limit of one test, 0 for none")->show_default();
  add_order_isolation_option(
      set, o.run.isolate, "How one order is kept from the next: auto, snapshot, fork, or process");
  add_private_options(set, o.run);
  add_json_option(set, o.json);
  set.add_flag("--no-db", o.no_db, "Neither read nor store anything");
  add_db_option(set, common);
}

Result<RankRequest> to_rank_request(const RankOptions& options, const CommonOptions& common) {
  RankRequest request;
  auto engine = to_request(options.run);
  if (!engine) return engine.error();
  auto budget = parse_duration(options.budget);
  if (!budget) return budget.error();
  DetectRequest& search = request.search;
  search.engine = engine->engine;
  search.engine.counters_stay = true;
  search.engine.overrides = common.config.overrides;
  search.budget = *budget;
  search.filter = TestFilter(options.filter);
  search.isolation = engine->isolation;
  search.confirmations = options.confirmations;
  search.seed = options.seed;
  request.coverage.file = options.coverage;
  request.coverage.way = options.way == "in-order" ? CoverageWay::in_order : CoverageWay::alone;
  request.coverage.test_code = options.test_code;
  request.coverage.again = options.again;
  request.db = options.no_db ? "" : common.db_path();
  return request;
}

/// The one target that `word` names; a build directory with several is a usage error.
Result<Target> one_target(const std::string& word, const CommonOptions& common) {
  auto selection = resolve_targets({word}, common.target_args);
  if (!selection) return selection.error();
  if (selection->targets.size() == 1) return selection->targets.front();
  return usage_error(
      fmt::format("{} has {} test programs, and an order is of one", word,
                  selection->targets.size()),
      fmt::format("name one of them: {}", selection->targets.front().binary.string()));
}

/// A command that makes one order of one target.
struct OrderCommand {
  std::string target, output;
  RankOptions options;
};

void add_order_target(OptionSet& set, OrderCommand& command) {
  set.add_option("target", command.target,
                 "A test binary, or a CMake build directory with one; arguments for it follow --")
      ->required();
}

/// What is wrong with the command line shows before anything is collected.
Result<RankSession> open_session(const OrderCommand& command, const CommonOptions& common,
                                 FrontEnd& front_end) {
  auto output = order_output(command.output, command.options.json);
  if (!output) return output.error();
  auto target = one_target(command.target, common);
  if (!target) return target.error();
  auto request = to_rank_request(command.options, common);
  if (!request) return request.error();
  return RankSession::open(*target, std::move(*request), front_end);
}

/// The order itself: to its files, or to standard output if nothing else goes there.
template <typename Facts>
Status write_ranked(const OrderCommand& command, Facts& facts,
                    nlohmann::json (*to_json)(const Facts&)) {
  // An error has shown already in open_session(), before minutes were spent.
  auto output = order_output(command.output, command.options.json);
  if (!output) return output.error();
  if (!output->empty()) {
    auto files = write_order(facts.order, facts.of.suite, *output);
    if (!files) return files.error();
    facts.files = std::move(*files);
  }
  if (command.options.json.empty()) return {};
  return write_file(command.options.json, dump_json(to_json(facts)));
}

Error no_technique(const std::string& word) {
  return usage_error("there is no technique " + word,
                     "there are T1, T3, T4, T5 and T7; see docs/rank.md");
}

struct PrioritizeCommand : OrderCommand {
  std::string technique;
  bool aware = false, verify = false, no_verify = false;
};

int prioritize_one(const PrioritizeCommand& command, const CommonOptions& common) {
  const auto technique = parse_technique(command.technique);
  if (!technique) return report_error(no_technique(command.technique));
  Screen screen(common);
  auto session = open_session(command, common, screen);
  if (!session) return report_error(session.error());
  const bool verify = command.verify || (command.aware && !command.no_verify);
  auto facts =
      prioritize_tests({*technique, command.options.seed, command.aware, verify}, *session);
  if (!facts) return report_error(facts.error());
  if (Status written = write_ranked(command, *facts, prioritize_to_json); !written) {
    return report_error(written.error());
  }
  screen.print(prioritize_text(*facts, screen.style()));
  return exit_code_of(facts->order);
}

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
    if (!technique) return no_technique(word);
    techniques.push_back(*technique);
  }
  if (techniques.empty()) techniques.assign(kTechniques.begin(), kTechniques.end());
  std::vector<AskedOrder> orders;
  for (Technique technique : techniques) {
    const std::uint64_t seeds = technique == Technique::random ? command.seeds : 1;
    for (std::uint64_t i = 0; i < seeds; ++i)
      orders.push_back({technique, command.options.seed + i});
  }
  return orders;
}

Result<ImpactFacts> impact_of(const ImpactCommand& command, const Target& target,
                              const std::vector<AskedOrder>& orders, const CommonOptions& common,
                              Screen& screen) {
  auto request = to_rank_request(command.options, common);
  if (!request) return request.error();
  auto session = RankSession::open(target, std::move(*request), screen);
  if (!session) return session.error();
  return impact_of_orders(orders, command.aware, *session);
}

int code_of(const ImpactFacts& facts) {
  if (facts.end == RunEnd::interrupted) return kExitInterrupted;
  int code = kExitOk;
  for (const RankedOrder& order : facts.orders) code = std::max(code, exit_code_of(order));
  return code;
}

int impact_all(const ImpactCommand& command, const CommonOptions& common) {
  auto orders = asked_orders(command);
  if (!orders) return report_error(orders.error());
  auto selection = resolve_targets(command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  say_left_out(selection->skipped);
  Screen screen(common);
  std::vector<ImpactFacts> all;
  ExitSum sum;
  for (const Target& target : selection->targets) {
    auto facts = impact_of(command, target, *orders, common, screen);
    if (!facts) {
      sum.count(facts.error(), target);
      if (facts.error().kind == ErrorKind::interrupted) break;
      continue;
    }
    screen.print(impact_text(*facts, screen.style()));
    sum.count(code_of(*facts));
    all.push_back(std::move(*facts));
    if (all.back().end == RunEnd::interrupted) break;
  }
  const int code = sum.code(!all.empty());
  if (command.options.json.empty() || all.empty()) return code;
  auto json = all_to_json("impacts", all, impact_to_json);
  return ended_with(write_file(command.options.json, dump_json(json)), code);
}

struct ReduceCommand : OrderCommand {
  std::string faults;
  bool unaware = false, no_verify = false, no_times = false;
  int rounds = 1;
};

/// A fault that only the whole suite finds, or that could not be run, is worth a failure.
bool faults_are_lost(const ReduceFacts& facts) {
  return std::any_of(facts.faults.begin(), facts.faults.end(), [](const SeededFault& fault) {
    return !fault.trouble.empty() || (!fault.found_by.empty() && fault.found_by_reduced.empty());
  });
}

Result<ReduceRequest> reduce_request(const ReduceCommand& command) {
  ReduceRequest request{command.unaware, !command.no_verify, !command.no_times,
                        command.rounds,  command.faults,     {}};
  if (command.faults.empty()) return request;
  auto list = read_fault_list(command.faults);
  if (!list) return list.error();
  request.faults = std::move(*list);
  return request;
}

int reduce_one(const ReduceCommand& command, const CommonOptions& common) {
  auto request = reduce_request(command);
  if (!request) return report_error(request.error());
  Screen screen(common);
  auto session = open_session(command, common, screen);
  if (!session) return report_error(session.error());
  auto facts = reduce_tests(*request, *session);
  if (!facts) return report_error(facts.error());
  if (Status written = write_ranked(command, *facts, reduce_to_json); !written) {
    return report_error(written.error());
  }
  screen.print(reduce_text(*facts, screen.style()));
  return faults_are_lost(*facts) ? kExitTestsFailed : exit_code_of(facts->order);
}

}  // namespace

std::function<int()> declare_prioritize(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<PrioritizeCommand>();
  add_order_target(set, *c);
  set.add_option("-t,--technique", c->technique,
                 "T1 random, T3 total statements, T4 additional statements, T5 total functions, "
                 "T7 additional functions")
      ->required();
  set.add_option("-o,--output", c->output,
                 "Write the order to this file, for gordian run --order (default: standard output)")
      ->value_name("FILE");
  set.add_flag("--aware,--respect-dependences", c->aware,
               "Keep to known dependences: a victim never behind its polluter, a brittle test "
               "behind a state-setter; checked by a run");
  Option* verify =
      set.add_flag("--verify", c->verify, "Run the order and compare; the default with --aware");
  set.add_flag("--no-verify", c->no_verify, "Do not run it")->excludes(verify);
  add_rank_options(set, c->options, common);
  return [c, &common] { return prioritize_one(*c, common); };
}

std::function<int()> declare_impact(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ImpactCommand>();
  add_targets_argument(set, c->targets);
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

std::function<int()> declare_reduce(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ReduceCommand>();
  add_order_target(set, *c);
  set.add_option("-o,--output", c->output,
                 "Write the reduced order to this file, for gordian run --order (default: standard "
                 "output)")
      ->value_name("FILE");
  set.add_flag("--unaware", c->unaware, "By coverage alone, whatever is known of dependences");
  Option* faults =
      set.add_option("--faults", c->faults,
                     "Faults that you have seeded, one a line: NAME: [VARIABLE=VALUE]... [BINARY]; "
                     "which of them do the reduced tests still find?")
          ->value_name("FILE");
  set.add_flag("--no-verify", c->no_verify, "Do not run the reduced order to compare its results")
      ->excludes(faults);
  set.add_flag("--no-times", c->no_times, "Do not measure what all and the reduced tests take");
  set.add_option("--rounds", c->rounds, "Measure so often; the least time counts")
      ->between(1, 100)
      ->show_default();
  add_rank_options(set, c->options, common);
  return [c, &common] { return reduce_one(*c, common); };
}

}  // namespace gordian
