// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/stored_ids.h"
#include "base/shell.h"
#include "cli/command.h"
#include "cli/debugging.h"
#include "cli/exit_codes.h"
#include "cli/run_session.h"
#include "runtime/runtime.h"
#include "store/dependence_store.h"
#include "store/run_store.h"

namespace gordian {
namespace {

struct ReplayCommand {
  std::string run;
  RunOptions options;
  DebugOptions debug;
  bool isolate_given = false;
};

std::vector<std::string> names(const RunFacts& facts) {
  std::vector<std::string> result;
  if (facts.orders.empty()) return result;
  for (TestId id : facts.orders.front().order) result.push_back(facts.suite.test(id).full_name());
  return result;
}

/// Compares position by position. Returns how many differ, and prints the first few.
int compare(const RunFacts& before, const RunFacts& now) {
  constexpr int kMostShown = 10;
  int differ = 0;
  const auto& old_runs = before.orders.front().runs;
  const auto& new_runs = now.orders.front().runs;
  for (std::size_t i = 0; i < std::min(old_runs.size(), new_runs.size()); ++i) {
    const Outcome &was = old_runs[i].outcome, &is = new_runs[i].outcome;
    bool both_unknown = was.kind == OutcomeKind::not_run && is.kind == OutcomeKind::not_run;
    if (both_unknown || same_result(was, is)) continue;
    if (++differ > kMostShown) continue;
    say(fmt::format("  differs: {}: {} then, {} now", now.suite.test(new_runs[i].test).full_name(),
                    to_string(was.kind), to_string(is.kind)));
  }
  return differ;
}

/// Runs the witness of a dependence in one process, and says whether it shows again.
int replay_dependence(ReplayCommand& command, const CommonOptions& common) {
  auto number = parse_dependence_id(command.run);
  if (!number) return report_error(number.error());
  if (auto missing = missing_database(command.run, common.db_path())) return report_error(*missing);
  auto store = DependenceStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto stored = store->load(*number);
  if (!stored) return report_error(stored.error());
  command.options.isolate = "none";
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  const Refusal& no_debugger = runtime_of(stored->target).traits().no_debugger;
  if (!command.debug.debugger.empty() && no_debugger) {
    return report_error(usage_error(std::string(no_debugger.why),
                                    "gordian replay " + command.run + " runs the witness"));
  }
  if (!command.debug.debugger.empty()) {
    return debug_dependence(*stored, command.debug, request->engine, common);
  }
  request->target = stored->target;
  request->exact_order = stored->witness;
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  auto session = RunSession::open(command.options, common);
  if (!session) return report_error(session.error());
  auto now = session->run(*request);
  if (!now) return report_error(now.error());
  const Outcome& is = (*now)->orders.back().runs.back().outcome;
  bool again = same_result(is, stored->witnessed);
  say(fmt::format("D{} {}: {} gives {} after {}, and {} alone.", stored->id,
                  again ? "shows again" : "does not show any more", stored->test,
                  to_string(is.kind),
                  stored->witness.size() == 2 ? stored->witness.front()
                                              : fmt::format("{} tests", stored->witness.size() - 1),
                  to_string(stored->alone.kind)));
  return session->finish();
}

int replay(ReplayCommand& command, const CommonOptions& common) {
  if (names_dependence(command.run)) return replay_dependence(command, common);
  if (!command.debug.debugger.empty()) {
    return report_error(usage_error("--debugger is for dependences, as D3, not for runs"));
  }
  auto id = parse_run_id(command.run);
  if (!id) return report_error(id.error());
  if (auto missing = missing_database(command.run, common.db_path())) return report_error(*missing);
  auto store = RunStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto before = store->load_run(*id);
  if (!before) return report_error(before.error());
  if (!command.isolate_given) command.options.isolate = to_string(before->header.requested);
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  request->target = before->header.target;
  request->exact_order = names(*before);
  request->order.seed = before->header.seed;
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  if (command.options.jobs == 0) request->engine.jobs = before->header.jobs;

  auto session = RunSession::open(command.options, common);
  if (!session) return report_error(session.error());
  auto now = session->run(*request);
  if (!now) return report_error(now.error());
  if ((*now)->header.binary.sha256 != before->header.binary.sha256) {
    say(fmt::format("The binary has changed since R{}.", id->value()));
  }
  int differ = compare(*before, **now);
  say(differ == 0 ? fmt::format("All results are as in R{}.", id->value())
                  : fmt::format("{} results differ from R{}.", differ, id->value()));
  return session->finish();
}

}  // namespace

std::function<int()> declare_replay(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<ReplayCommand>();
  set.add_option("id", command->run, "A run, as R7, or the witness of a dependence, as D3")
      ->required();
  add_run_options(set, command->options);
  add_db_option(set, common);
  DebugOptions& debug = command->debug;
  Option* debugger = set.add_option("--debugger", debug.debugger,
                                    "Run the witness of a dependence in a debugger: gdb");
  set.add_option("--at", debug.at,
                 "Stop where the carrier is last written (write) or first read (read), or at the "
                 "failure; default: read if known, else write, else failure")
      ->one_of({"write", "read", "failure"})
      ->needs(debugger);
  set.add_option("--debugger-arg", debug.args,
                 "One more argument for the debugger, as --debugger-arg=-batch; may be repeated")
      ->one_at_a_time()
      ->needs(debugger);
  Option* isolate = set.find("--isolate");
  return [command, isolate, &common] {
    command->isolate_given = isolate->is_given();
    return replay(*command, common);
  };
}

}  // namespace gordian
