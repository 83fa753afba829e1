// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <memory>

#include "app/reduced_times.h"
#include "app/seeded_faults.h"
#include "cli/collect_display.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/rank_output.h"
#include "cli/rank_session.h"
#include "cli/screen.h"
#include "order/reduce.h"
#include "report/rank_json.h"
#include "report/rank_text.h"
#include "report/run_json.h"
#include "report/write_file.h"

namespace gordian {
namespace {

struct ReduceCommand {
  std::string target, output, faults;
  bool unaware = false, no_verify = false, no_times = false;
  int rounds = 1;
  RankOptions options;
};

std::size_t statements_of(const Coverage& coverage, const Order& tests) {
  CoverSet all(coverage.statements.units.size());
  for (TestId test : tests) all.merge(coverage.statements.tests[test.value()]);
  return all.count();
}

/// Tests of the order that are not among `kept`: others need them.
Order needed_besides(const RankedOrder& order, const Order& kept) {
  Order besides;
  for (TestId test : joined(order.processes)) {
    const bool known = std::find(kept.begin(), kept.end(), test) != kept.end() ||
                       std::find(besides.begin(), besides.end(), test) != besides.end();
    if (!known) besides.push_back(test);
  }
  return besides;
}

/// What is needed is kept like all the others, with what it needs itself.
RankedOrder with_what_they_need(const RankSession& session, Order kept) {
  for (;;) {
    RankedOrder order = session.scheduled(kept);
    const Order besides = needed_besides(order, kept);
    if (besides.empty()) return order;
    kept.insert(kept.end(), besides.begin(), besides.end());
    std::sort(kept.begin(), kept.end());
  }
}

Result<RankedOrder> reduced_order(const ReduceCommand& command, const Order& by_coverage,
                                  RankSession& session) {
  if (command.unaware) {
    RankedOrder order = session.scheduled(by_coverage);  // nothing is known: as they stand
    order.aware.reset();
    Status ran = command.no_verify ? Status() : session.check(order);
    return ran ? Result<RankedOrder>(std::move(order)) : ran.error();
  }
  if (Status known = session.need_constraints(); !known) return known.error();
  auto make = [&] { return with_what_they_need(session, by_coverage); };
  if (command.no_verify) return make();
  return session.checked_until_right(make);
}

Status measure(const ReduceCommand& command, const RankSession& session, ReduceFacts& facts) {
  CollectDisplay display(screen_options(session.terminal()), sink_to(kScreen),
                         std::chrono::steady_clock::now, "Measure");
  std::string doing = "timing";
  TimedRun observer([&](std::size_t done, std::size_t total) {
    display.show({done, total, doing});
  });
  RunRequest run;
  run.engine = session.request().engine;
  if (!command.no_times) {
    auto times = measure_times(run, facts.of, facts.order.processes, command.rounds, observer);
    if (!times) return times.error();
    facts.times = std::move(*times);
    facts.rounds = command.rounds;
  }
  if (command.faults.empty()) return {};
  auto list = read_fault_list(command.faults);
  if (!list) return list.error();
  facts.faults_file = command.faults;
  const FaultCheck check{facts.of, facts.order.processes, run,
                         [&](TestId test) { return session.settled_result(test); }, observer};
  for (const ListedFault& fault : *list) {
    doing = "fault " + fault.name;
    auto seen = check_fault(check, fault);
    if (!seen) return seen.error();
    facts.faults.push_back(std::move(*seen));
  }
  return {};
}

Status reduce(const ReduceCommand& command, RankSession& session, ReduceFacts& facts) {
  if (Status got = session.need_coverage(); !got) return got;
  const Coverage& coverage = *session.coverage();
  facts.of = session.of();
  facts.coverage = session.coverage_source();
  facts.by_coverage = reduce_suite(coverage.statements, facts.of.tests);
  if (facts.by_coverage.empty()) {
    return target_error("no test covers anything, so there is nothing to choose by",
                        "are the sources under test built for coverage, too?");
  }
  auto order = reduced_order(command, facts.by_coverage, session);
  if (!order) return order.error();
  facts.order = std::move(*order);
  facts.kept_for_them = needed_besides(facts.order, facts.by_coverage);
  facts.statements_of_all = statements_of(coverage, facts.of.tests);
  facts.statements_of_kept = statements_of(coverage, joined(facts.order.processes));
  facts.notices = session.notices();
  return measure(command, session, facts);
}

Status write_results(const ReduceCommand& command, ReduceFacts& facts) {
  auto output = order_output(command.output, command.options.json);
  if (!output) return output.error();
  if (!output->empty()) {
    auto files = write_order(facts.order, facts.of.suite, *output);
    if (!files) return files.error();
    facts.files = std::move(*files);
  }
  if (command.options.json.empty()) return {};
  return write_file(command.options.json, dump_json(reduce_to_json(facts)));
}

/// A fault that only the whole suite finds, or that could not be run, is worth a failure.
bool faults_are_lost(const ReduceFacts& facts) {
  return std::any_of(facts.faults.begin(), facts.faults.end(), [](const SeededFault& fault) {
    return !fault.trouble.empty() || (!fault.found_by.empty() && fault.found_by_reduced.empty());
  });
}

int reduce_one(const ReduceCommand& command, const CommonOptions& common) {
  if (!command.faults.empty()) {  // before anything runs
    if (auto list = read_fault_list(command.faults); !list) return report_error(list.error());
  }
  auto output = order_output(command.output, command.options.json);
  if (!output) return report_error(output.error());
  auto target = one_target(command.target, common);
  if (!target) return report_error(target.error());
  auto session = RankSession::open(*target, command.options, common);
  if (!session) return report_error(session.error());
  ReduceFacts facts;
  Status done = reduce(command, *session, facts);
  if (done.ok()) done = write_results(command, facts);
  if (!done) return report_error(done.error());
  sink_to(kScreen)(reduce_text(facts, session->terminal().style));
  return faults_are_lost(facts) ? kExitTestsFailed : exit_code_of(facts.order);
}

}  // namespace

std::function<int()> declare_reduce(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ReduceCommand>();
  set.add_option("target", c->target,
                 "A test binary, or a CMake build directory with one; arguments for it follow --")
      ->required();
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
