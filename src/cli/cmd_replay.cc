// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/debugging.h"
#include "app/replaying.h"
#include "app/stored_dependences.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/results.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

struct ReplayCommand {
  std::string run;
  RunOptions options;
  DebugOptions debug;
  bool isolate_given = false;
};

/// The first few.
void print_differences(const std::vector<ReplayDifference>& differences) {
  constexpr std::size_t kMostShown = 10;
  for (std::size_t i = 0; i < std::min(differences.size(), kMostShown); ++i) {
    const ReplayDifference& one = differences[i];
    say(fmt::format("  differs: {}: {} then, {} now", one.test, to_string(one.was),
                    to_string(one.is)));
  }
}

/// Runs the witness of a dependence in one process, and says whether it shows again.
int replay_dependence(ReplayCommand& command, const CommonOptions& common) {
  auto stored = load_stored_dependence(command.run, common.db_path());
  if (!stored) return report_error(stored.error());
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  const Refusal& no_debugger = runtime_of(stored->target).traits().no_debugger;
  if (!command.debug.debugger.empty() && no_debugger) {
    return report_error(usage_error(std::string(no_debugger.why),
                                    "gordian replay " + command.run + " runs the witness"));
  }
  if (!command.debug.debugger.empty()) {
    auto code = debug_dependence(*stored, command.debug, request->engine, common.db_path());
    if (!code) return report_error(code.error());
    return *code == 0 ? kExitOk : kExitTestsFailed;
  }
  ask_for_witness(*stored, *request);
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  auto results = RunResults::open(command.options, common);
  if (!results) return report_error(results.error());
  auto now = results->run(*request);
  if (!now) return report_error(now.error());
  const Outcome& is = (*now)->orders.back().runs.back().outcome;
  bool again = same_result(is, stored->witnessed);
  say(fmt::format("{} {}: {} gives {} after {}, and {} alone.", to_string(stored->id),
                  again ? "shows again" : "does not show any more", stored->test,
                  to_string(is.kind),
                  stored->witness.size() == 2 ? stored->witness.front()
                                              : fmt::format("{} tests", stored->witness.size() - 1),
                  to_string(stored->alone.kind)));
  return results->finish();
}

int replay(ReplayCommand& command, const CommonOptions& common) {
  if (names_dependence(command.run)) return replay_dependence(command, common);
  if (!command.debug.debugger.empty()) {
    return report_error(usage_error("--debugger is for dependences, as D3, not for runs"));
  }
  auto before = load_stored_run(command.run, common.db_path());
  if (!before) return report_error(before.error());
  if (!command.isolate_given) command.options.isolate = to_string(before->header.requested);
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  ask_for_same(*before, *request);
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  if (command.options.jobs == 0) request->engine.jobs = before->header.jobs;

  auto results = RunResults::open(command.options, common);
  if (!results) return report_error(results.error());
  auto now = results->run(*request);
  if (!now) return report_error(now.error());
  if ((*now)->header.binary.sha256 != before->header.binary.sha256) {
    say(fmt::format("The binary has changed since {}.", to_string(*before->id)));
  }
  const auto differences = compare_runs(*before, **now);
  print_differences(differences);
  say(differences.empty()
          ? fmt::format("All results are as in {}.", to_string(*before->id))
          : fmt::format("{} results differ from {}.", differences.size(), to_string(*before->id)));
  return results->finish();
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
