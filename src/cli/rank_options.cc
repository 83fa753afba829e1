// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/rank_options.h"

#include <fmt/format.h>

#include "cli/run_options.h"

namespace gordian {

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
  set.add_option("--filter", o.filter,
                 "Only these tests: A.*:B.?-A.Slow, as --gtest_filter; or by tags: [io]-[slow]");
  set.add_option("--confirm", o.confirmations, "How often an order must show the same result")
      ->between(2, 100)
      ->show_default();
  set.add_option("--budget", o.budget, "Time to find the dependence behind changed results")
      ->show_default();
  set.add_option("-j,--jobs", o.jobs, "Orders at a time; 0: one per processor")
      ->between(0, 64)
      ->show_default();
  set.add_option("--timeout", o.timeout, "Time limit of one test, 0 for none")->show_default();
  set.add_option("--isolate", o.isolate,
                 "How one order is kept from the next: auto, snapshot, fork, or process")
      ->one_of(isolation_words(false))
      ->show_default();
  set.add_option("--private-fs", o.private_fs,
                 "Copy-on-write view of the working and temporary directories: auto, on, off")
      ->one_of(private_fs_words())
      ->show_default();
  set.add_option("--private-dir", o.private_dirs, "One more directory to cover; may be repeated");
  set.add_option("--json", o.json, "Write JSON to this file, - for standard output")
      ->value_name("FILE");
  set.add_flag("--no-db", o.no_db, "Neither read nor store anything");
  add_db_option(set, common);
}

Result<RankRequest> to_rank_request(const RankOptions& options, const CommonOptions& common) {
  RankRequest request;
  RunOptions run;
  run.timeout = options.timeout;
  run.jobs = options.jobs;
  run.private_fs = options.private_fs;
  run.private_dirs = options.private_dirs;
  auto engine = to_request(run);
  if (!engine) return engine.error();
  auto budget = parse_duration(options.budget);
  if (!budget) return budget.error();
  DetectRequest& search = request.search;
  search.engine = engine->engine;
  search.engine.counters_stay = true;
  search.engine.overrides = common.config.overrides;
  search.budget = *budget;
  search.filter = TestFilter(options.filter);
  search.isolation = parse_isolation(options.isolate).value_or(Isolation::automatic);
  search.confirmations = options.confirmations;
  search.seed = options.seed;
  request.coverage.file = options.coverage;
  request.coverage.way = options.way == "in-order" ? CoverageWay::in_order : CoverageWay::alone;
  request.coverage.test_code = options.test_code;
  request.coverage.again = options.again;
  request.db = options.no_db ? "" : common.db_path();
  return request;
}

Result<Target> one_target(const std::string& word, const CommonOptions& common) {
  auto selection = resolve_targets({word}, common.target_args);
  if (!selection) return selection.error();
  if (selection->targets.size() == 1) return selection->targets.front();
  return usage_error(
      fmt::format("{} has {} test programs, and an order is of one", word,
                  selection->targets.size()),
      fmt::format("name one of them: {}", selection->targets.front().binary.string()));
}

}  // namespace gordian
