// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "app/detect_session.h"
#include "app/level.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "detect/order_check.h"
#include "model/target.h"
#include "report/detect_report.h"
#include "report/json.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

struct DetectCommand {
  std::vector<std::string> targets;
  std::string algorithm = "auto", filter, budget, shuffling = "both";
  std::string fail_on = "any", json, from_xml, level = "binary";
  RunOptions run;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> from_seed;
  DetectRequest request;
  ReportOutputs outputs;
  bool no_db = false;
  bool estimate = false, explain = false, trace = false;
  Option *algorithm_option = nullptr, *timeout_option = nullptr;
};

Result<DetectRequest> detect_request(const DetectCommand& command, const CommonOptions& common) {
  DetectRequest request = command.request;
  // A named algorithm runs to its end; only `auto` would go on as long as it may.
  const bool automatic = command.algorithm == "auto";
  auto budget = parse_duration(command.budget.empty() ? automatic ? "60s" : "0" : command.budget);
  if (!budget) return budget.error();
  RunOptions run = command.run;
  // A program takes longer than a test case: ctest itself would wait for 25 minutes.
  if (!command.timeout_option->is_given()) use_timeout_of_level(command.level, run.timeout);
  auto engine = to_request(run);
  if (!engine) return engine.error();
  request.engine = engine->engine;
  request.algorithm = parse_algorithm(command.algorithm).value_or(Algorithm::automatic);
  request.budget = *budget;
  request.filter = TestFilter(command.filter);
  request.shuffling = command.shuffling == "suites" || command.shuffling == "gtest"
                          ? Shuffling::suites
                      : command.shuffling == "free" ? Shuffling::free
                                                    : Shuffling::both;
  request.seed = command.seed.value_or(std::random_device{}() % 1'000'000);
  request.isolation = engine->isolation;
  request.seed_is_given = command.seed.has_value();
  request.framework_seed = command.from_seed;
  request.flow_source = command.trace ? FlowSource::trace : FlowSource::watch;
  request.engine.overrides = common.config.overrides;
  request.ignore = common.config.ignore;
  if (!command.from_xml.empty()) {
    auto order = read_failed_order(command.from_xml);
    if (!order) return order.error();
    if (order->framework_seed) request.framework_seed = order->framework_seed;
    request.suspects.push_back(std::move(order->names));
  }
  return request;
}

bool is_detect_failure(const DetectFacts& facts, const std::string& fail_on) {
  if (fail_on == "none") return false;
  if (facts.search.nothing_searched) return true;
  return std::any_of(facts.dependences.begin(), facts.dependences.end(), [&](const Dependence& d) {
    return fail_on == "any" || to_string(d.role) == fail_on ||
           (fail_on == "victim" && d.role == Role::self_dependent);
  });
}

/// The search that was named, or all of them.
std::vector<AskedSearch> asked_searches(const DetectCommand& command,
                                        const DetectRequest& request) {
  if (command.algorithm_option->is_given()) {
    return {{request.algorithm, request.k, request.budget}};
  }
  auto none = std::chrono::milliseconds(0);
  return all_searches(request.budget, command.budget.empty() ? none : request.budget);
}

int estimate_all(const DetectCommand& command, const DetectRequest& request,
                 const std::vector<Target>& targets, DetectSession& session, const Screen& screen) {
  std::vector<EstimateFacts> all;
  ExitSum sum;
  for (const Target& target : targets) {
    auto facts = session.estimate(target, asked_searches(command, request));
    if (!facts) {
      sum.count(facts.error(), target);
      continue;
    }
    screen.print(estimate_text(*facts, screen.style()));
    all.push_back(std::move(*facts));
    if (all.back().end == RunEnd::interrupted) {
      sum.count(kExitInterrupted);
      break;
    }
  }
  const int code = sum.code(!all.empty());
  if (command.json.empty() || all.empty()) return code;
  auto json = all_to_json("estimates", all, estimate_to_json);
  return ended_with(write_file(command.json, dump_json(json)), code);
}

Status write_found(const DetectCommand& command, const DetectSession& session,
                   const std::vector<DetectSession::Found>& all) {
  if (all.empty()) return {};
  if (!command.json.empty()) {
    auto json = all_to_json("detects", all, [](const DetectSession::Found& found) {
      return detect_to_json(found.facts);
    });
    if (Status written = write_file(command.json, dump_json(json)); !written) return written;
  }
  if (!command.outputs.any()) return {};
  auto facts = session.report(all);
  return facts ? write_reports(command.outputs, *facts) : Status(facts.error());
}

int search_all(const DetectCommand& command, const std::vector<Target>& targets,
               DetectSession& session, const Screen& screen) {
  std::vector<DetectSession::Found> all;
  ExitSum sum;
  for (const Target& target : targets) {
    auto found = session.search(target, command.explain);
    if (!found) {
      sum.count(found.error(), target);
      if (found.error().kind == ErrorKind::internal) break;
      continue;
    }
    for (const Error& trouble : found->troubles) sum.count(report_error(trouble));
    screen.print(detect_summary(found->facts, screen.style()));
    if (is_detect_failure(found->facts, command.fail_on)) sum.count(kExitTestsFailed);
    const bool stop = found->facts.end == RunEnd::interrupted || interrupted();
    all.push_back(std::move(*found));
    if (stop) {
      sum.count(kExitInterrupted);
      break;
    }
  }
  return ended_with(write_found(command, session, all), sum.code(!all.empty()));
}

int detect_all(const DetectCommand& command, const CommonOptions& common) {
  if (Status fine = check_report_outputs(command.outputs, {command.json}); !fine) {
    return report_error(fine.error());
  }
  if (command.estimate && command.outputs.any()) {
    return report_error(usage_error("an estimate finds nothing that could be reported",
                                    "leave --estimate out, or write it with --json"));
  }
  auto request = detect_request(command, common);
  if (!request) return report_error(request.error());
  auto selection = resolve_at_level(command.level, command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  say_left_out(selection->skipped);
  // What was collected is of use for an estimate, but that leaves no database behind.
  const bool none_yet = command.estimate && !std::filesystem::exists(common.db_path());
  Screen screen(common);
  auto session =
      DetectSession::open(*request, command.no_db || none_yet ? "" : common.db_path(), screen);
  if (!session) return report_error(session.error());
  return command.estimate ? estimate_all(command, *request, selection->targets, *session, screen)
                          : search_all(command, selection->targets, *session, screen);
}

/// "random, screen: the seed": what an option means, and to which algorithms.
std::string for_algorithms(std::string_view option, std::string_view meaning) {
  return fmt::format("{}: {}", fmt::join(algorithms_with(option), ", "), meaning);
}

}  // namespace

std::function<int()> declare_detect(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<DetectCommand>();
  c->run.timeout = "10s";
  add_targets_argument(set, c->targets);
  add_level_option(set, c->level);
  c->algorithm_option = set.add_option("--algorithm", c->algorithm, alternatives(algorithm_words()))
                            ->one_of(algorithm_words())
                            ->show_default();
  set.add_option("--budget", c->budget,
                 "Time for the search, 0 for none (default 60s for auto, else none)");
  set.add_option("-k", c->request.k, for_algorithms("k", "orders of up to so many tests"))
      ->between(1, 6)
      ->show_default();
  set.add_option("--trials", c->request.trials, for_algorithms("trials", "how many orders"))
      ->show_default();
  set.add_option("--seed", c->seed,
                 for_algorithms("seed", "the seed (default: a fresh one, printed)"));
  set.add_option("--shuffle", c->shuffling,
                 for_algorithms("shuffle",
                                "suites (kept together, as GoogleTest does; gtest is the same), "
                                "free (interleaved) or both"))
      ->one_of({"suites", "gtest", "free", "both"})
      ->show_default();
  set.add_option("--rounds", c->request.rounds,
                 for_algorithms("rounds", "how many tails for each first test"))
      ->between(1, 1000)
      ->show_default();
  set.add_flag(
      "--both-ways", c->request.both_ways,
      for_algorithms("both-ways", "also what is read and written in the default order backwards"));
  set.add_flag("--trace", c->trace,
               "dataflow, aware: see every load and store of a binary built with `gordian "
               "cxxflags`; else the binary is watched as it is");
  set.add_option("--confirm", c->request.confirmations,
                 "How often each order must show the same result")
      ->between(2, 100)
      ->show_default();
  set.add_flag("--full", c->request.full,
               "Start afresh instead of continuing an earlier search of this binary");
  set.add_flag("--all", c->request.all,
               "List every polluter and cleaner, even after the budget has ended");
  Option* explain = set.add_flag(
      "--explain", c->explain,
      "Also find the state that carries each dependence, in what is left of the budget "
      "(at least 5 s)");
  Option* estimate =
      set.add_flag("--estimate", c->estimate,
                   "Only say what the search would cost, from a sample of some 5 s; without "
                   "--algorithm for all of them. Nothing is stored")
          ->excludes(explain);
  set.add_option("--from-xml", c->from_xml,
                 "Start from the order in a JUnit or GoogleTest XML report of a failed run")
      ->value_name("FILE")
      ->excludes(estimate);
  set.add_option("--from-seed", c->from_seed,
                 "Start from the order that the framework itself makes of this seed: GoogleTest's "
                 "--gtest_random_seed=N, Catch2's --order rand --rng-seed N")
      ->excludes(estimate);
  add_filter_option(set, c->filter);
  set.add_flag("--also-run-disabled", c->request.also_disabled, "Search DISABLED_ tests too");
  add_order_jobs_option(set, c->run.jobs);
  c->timeout_option =
      set.add_option(
             "--timeout", c->run.timeout,
             "Time limit of one test, 0 for none (60s with --level process, where a TIMEOUT "
             "property counts more)")
          ->show_default();
  add_order_isolation_option(set, c->run.isolate,
                             "How one order is kept from the next: auto, snapshot, fork, or "
                             "process (the slow reference)");
  add_private_options(set, c->run);
  set.add_option("--fail-on", c->fail_on, "Exit with 1 for: any, victim, brittle or none")
      ->one_of({"any", "victim", "brittle", "none"})
      ->show_default();
  add_json_option(set, c->json);
  add_report_outputs(set, c->outputs);
  set.add_flag("--no-db", c->no_db, "Do not store what is found, nor continue an earlier search");
  add_db_option(set, common);
  return [c, &common] { return detect_all(*c, common); };
}

}  // namespace gordian
