// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <memory>

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

struct ReduceCommand {
  std::string target, output, faults;
  bool unaware = false, no_verify = false, no_times = false;
  int rounds = 1;
  RankOptions options;
};

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

Result<ReduceRequest> make_request(const ReduceCommand& command) {
  ReduceRequest request{command.unaware, !command.no_verify, !command.no_times,
                        command.rounds,  command.faults,     {}};
  if (command.faults.empty()) return request;
  auto list = read_fault_list(command.faults);
  if (!list) return list.error();
  request.faults = std::move(*list);
  return request;
}

int reduce_one(const ReduceCommand& command, const CommonOptions& common) {
  auto request = make_request(command);
  if (!request) return report_error(request.error());
  auto output = order_output(command.output, command.options.json);
  if (!output) return report_error(output.error());
  auto target = one_target(command.target, common);
  if (!target) return report_error(target.error());
  auto rank = to_rank_request(command.options, common);
  if (!rank) return report_error(rank.error());
  Screen screen(common);
  auto session = RankSession::open(*target, std::move(*rank), screen);
  if (!session) return report_error(session.error());
  auto facts = reduce_tests(*request, *session);
  if (!facts) return report_error(facts.error());
  if (Status written = write_results(command, *facts); !written) {
    return report_error(written.error());
  }
  screen.print(reduce_text(*facts, screen.style()));
  return faults_are_lost(*facts) ? kExitTestsFailed : exit_code_of(facts->order);
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
