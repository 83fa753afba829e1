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

struct PrioritizeCommand {
  std::string target, technique, output;
  bool aware = false, verify = false, no_verify = false;
  RankOptions options;
};

/// The order itself: to its files, or to standard output if nothing else goes there.
Status write_results(const PrioritizeCommand& command, PrioritizeFacts& facts) {
  auto output = order_output(command.output, command.options.json);
  if (!output) return output.error();
  if (!output->empty()) {
    auto files = write_order(facts.order, facts.of.suite, *output);
    if (!files) return files.error();
    facts.files = std::move(*files);
  }
  if (command.options.json.empty()) return {};
  return write_file(command.options.json, dump_json(prioritize_to_json(facts)));
}

int prioritize_one(const PrioritizeCommand& command, const CommonOptions& common) {
  const auto technique = parse_technique(command.technique);
  if (!technique) {
    return report_error(usage_error("there is no technique " + command.technique,
                                    "there are T1, T3, T4, T5 and T7; see docs/rank.md"));
  }
  auto output = order_output(command.output, command.options.json);
  if (!output) return report_error(output.error());
  auto target = one_target(command.target, common);
  if (!target) return report_error(target.error());
  auto request = to_rank_request(command.options, common);
  if (!request) return report_error(request.error());
  Screen screen(common);
  auto session = RankSession::open(*target, std::move(*request), screen);
  if (!session) return report_error(session.error());
  const bool verify = command.verify || (command.aware && !command.no_verify);
  auto facts =
      prioritize_tests({*technique, command.options.seed, command.aware, verify}, *session);
  if (!facts) return report_error(facts.error());
  if (Status written = write_results(command, *facts); !written) {
    return report_error(written.error());
  }
  screen.print(prioritize_text(*facts, screen.style()));
  return exit_code_of(facts->order);
}

}  // namespace

std::function<int()> declare_prioritize(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<PrioritizeCommand>();
  set.add_option("target", c->target,
                 "A test binary, or a CMake build directory with one; arguments for it follow --")
      ->required();
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

}  // namespace gordian
