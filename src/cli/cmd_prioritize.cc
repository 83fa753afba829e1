// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/rank_output.h"
#include "cli/rank_session.h"
#include "cli/screen.h"
#include "report/rank_json.h"
#include "report/rank_text.h"
#include "report/run_json.h"
#include "report/write_file.h"

namespace gordian {
namespace {

struct PrioritizeCommand {
  std::string target, technique, output;
  bool aware = false, verify = false, no_verify = false;
  RankOptions options;
};

/// T1 does without coverage, and then has no curve.
Status get_coverage(const PrioritizeCommand& command, Technique technique, RankSession& session,
                    PrioritizeFacts& facts) {
  Status got = session.need_coverage();
  if (got.ok()) return got;
  Error error = got.error();
  if (error.kind != ErrorKind::target) return error;
  if (!needs_coverage(technique) && command.options.coverage.empty()) {
    facts.notices.push_back({Notice::Level::info, "no growth curve: " + error.message});
    return {};
  }
  error.hint += "; --technique T1 needs no coverage";
  return error;
}

Result<RankedOrder> make_order(const PrioritizeCommand& command, Technique technique,
                               RankSession& session) {
  const std::uint64_t seed = command.options.seed;
  if (!command.aware) {
    RankedOrder order = session.ranked(technique, seed);
    if (!command.verify) return order;
    if (Status ran = session.check(order); !ran) return ran.error();
    return order;
  }
  if (Status known = session.need_constraints(); !known) return known.error();
  auto make = [&] { return session.ranked_aware(technique, seed); };
  if (command.no_verify) return make();
  return session.checked_until_right(make);
}

/// The order itself: to its files, or to standard output if nothing else goes there.
Status write_results(const PrioritizeCommand& command, const CommonOptions& common,
                     PrioritizeFacts& facts) {
  std::vector<const RankedOrder*> orders = {&facts.default_order, &facts.order};
  if (facts.unaware) orders.push_back(&*facts.unaware);
  Status stored = store_curves(command.options.db(common), facts.of.binary, orders);
  if (!stored) return stored;
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
  auto session = RankSession::open(*target, command.options, common);
  if (!session) return report_error(session.error());
  PrioritizeFacts facts;
  facts.of = session->of();
  if (Status got = get_coverage(command, *technique, *session, facts); !got) {
    return report_error(got.error());
  }
  auto order = make_order(command, *technique, *session);
  if (!order) return report_error(order.error());
  facts.order = std::move(*order);
  facts.coverage = session->coverage_source();
  facts.default_order = session->default_order();
  if (command.aware) facts.unaware = session->ranked(*technique, command.options.seed);
  for (const Notice& notice : session->notices()) facts.notices.push_back(notice);
  if (Status written = write_results(command, common, facts); !written) {
    return report_error(written.error());
  }
  sink_to(kScreen)(prioritize_text(facts, session->terminal().style));
  return exit_code_of(facts.order);
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
