// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <random>

#include "base/shell.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/level.h"
#include "cli/run_session.h"
#include "suite/target.h"

namespace gordian {
namespace {

struct RunCommand {
  std::vector<std::string> targets;
  std::string order = "default", filter, level = "binary";
  bool also_disabled = false;
  RunOptions run;
};

/// Small enough to be read out over the telephone.
std::uint64_t fresh_seed() {
  return std::random_device{}() % 1'000'000;
}

Result<RunRequest> make_request(const RunCommand& command, const CommonOptions& common) {
  auto request = to_request(command.run);
  if (!request) return request;
  auto order = parse_order_spec(command.order);
  if (!order) return order.error();
  request->order = *order;
  if (order->is_random() && !order->seed) request->order.seed = fresh_seed();
  request->filter = TestFilter(command.filter);
  request->also_disabled = command.also_disabled;
  request->engine.overrides = common.config.overrides;
  request->command = shell_quoted(common.words);
  return request;
}

int run(const RunCommand& command, const CommonOptions& common) {
  auto request = make_request(command, common);
  if (!request) return report_error(request.error());
  auto selection = resolve_at_level(command.level, command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  for (const std::string& skipped : selection->skipped) {
    std::fprintf(stderr, "gordian: left out: %s\n", skipped.c_str());
  }
  auto session = RunSession::open(command.run, common);
  if (!session) return report_error(session.error());
  int worst = kExitOk, passed_over = kExitOk;
  bool any = false;
  for (const Target& target : selection->targets) {
    request->target = target;
    auto facts = session->run(*request);
    if (facts) {
      any = true;
      if ((*facts)->end == RunEnd::interrupted) break;
      continue;
    }
    int& code = may_be_passed_over(facts.error(), target) ? passed_over : worst;
    code = std::max(code, report_error(facts.error()));
    if (facts.error().kind == ErrorKind::internal) break;
  }
  if (!any) worst = std::max(worst, passed_over);
  int code = session->finish();
  return code == kExitInterrupted ? code : std::max(code, worst);
}

}  // namespace

std::function<int()> declare_run(CLI::App& app, CommonOptions& common) {
  auto command = std::make_shared<RunCommand>();
  app.add_option("target", command->targets,
                 "Test binaries, or CMake build directories; arguments for them follow --")
      ->required();
  add_level_option(app, command->level);
  app.add_option("--order", command->order,
                 "default, reverse, random[:SEED] (suites stay together), interleave[:SEED], or a "
                 "file with one test name a line")
      ->capture_default_str();
  app.add_option("--filter", command->filter,
                 "Only these tests: A.*:B.?-A.Slow, as --gtest_filter; or by tags: [io]-[slow]");
  app.add_flag("--also-run-disabled", command->also_disabled, "Run DISABLED_ tests too");
  add_run_options(app, command->run);
  add_db_option(app, common);
  return [command, &common] { return run(*command, common); };
}

}  // namespace gordian
