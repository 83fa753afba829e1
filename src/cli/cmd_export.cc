// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "app/export_facts.h"
#include "app/level.h"
#include "base/files.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/shard_report.h"

namespace gordian {
namespace {

struct ExportCommand {
  std::string target, ctest, bazel, timeout = "60s";
  bool no_locks = false, plain_types = false, plain_values = false;
  batch::NamingStyle style;
};

Result<ExportOptions> export_options_of(const ExportCommand& command, const CommonOptions& common) {
  ExportOptions options;
  options.db = common.db_path();
  options.locks = !command.no_locks;
  options.style = command.style;
  options.style.pretty_types = !command.plain_types;
  options.style.pretty_values = !command.plain_values;
  RunOptions run;
  run.timeout = command.timeout;
  auto engine = to_request(run);
  if (!engine) return engine.error();
  options.watch.engine = engine->engine;
  options.watch.engine.overrides = common.config.overrides;
  options.watch.ignore = common.config.ignore;
  return options;
}

int export_ctest(const ExportCommand& command, const CommonOptions& common,
                 const ExportOptions& options) {
  // The properties of an earlier export must not be taken for the project's own.
  ::setenv("GORDIAN_WITHOUT_EXPORT", "1", 1);
  auto target = resolve_one(command.target, common.target_args);
  if (!target) return report_error(target.error());
  Screen screen(common);
  auto facts = ctest_export(*target, options, screen);
  if (!facts) return report_error(facts.error());
  Status written = write_file(command.ctest, ctest_script(*facts));
  if (!written) return report_error(written.error());
  screen.print(ctest_export_text(*facts, command.ctest, screen.style()));
  return kExitOk;
}

int export_bazel(const ExportCommand& command, const CommonOptions& common,
                 const ExportOptions& options) {
  auto selection = resolve_targets({command.target}, common.target_args);
  if (!selection) return report_error(selection.error());
  std::vector<BazelTarget> all;
  for (const Target& target : selection->targets) {
    auto facts = bazel_export(target, options);
    if (facts) {
      all.push_back(std::move(*facts));
    } else if (!may_be_passed_over(facts.error(), target)) {
      return report_error(facts.error());
    } else {
      say("gordian: left out: " + facts.error().message);
    }
  }
  if (all.empty()) {
    return report_error(target_error("there is no test binary that could be exported"));
  }
  Status written = write_file(command.bazel, bazel_script(all));
  if (!written) return report_error(written.error());
  const Screen screen(common);
  screen.print(bazel_export_text(all, command.bazel, screen.style()));
  return kExitOk;
}

int export_rules(const ExportCommand& command, const CommonOptions& common) {
  if (command.ctest.empty() && command.bazel.empty()) {
    return report_error(usage_error("nothing to write", "--ctest FILE, --bazel FILE, or both"));
  }
  auto options = export_options_of(command, common);
  if (!options) return report_error(options.error());
  int code = kExitOk;
  if (!command.bazel.empty()) code = export_bazel(command, common, *options);
  if (!command.ctest.empty()) code = std::max(code, export_ctest(command, common, *options));
  return code;
}

}  // namespace

std::function<int()> declare_export(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ExportCommand>();
  set.add_option("target", c->target,
                 "A CMake build directory, or a test binary; arguments for it follow --")
      ->required();
  set.add_option("--ctest", c->ctest,
                 "Write DEPENDS, FIXTURES_* and RESOURCE_LOCK of its tests to this file, - for "
                 "standard output")
      ->value_name("FILE");
  set.add_option("--bazel", c->bazel,
                 "Write safe numbers of shards and tags to this .bzl file, - for standard output")
      ->value_name("FILE");
  set.add_flag("--no-locks", c->no_locks,
               "No RESOURCE_LOCK: else the tests of a build are watched once, to see which files "
               "they share");
  set.add_option("--timeout", c->timeout, "Time limit of one test while it is watched")
      ->show_default();
  set.add_option("--test-prefix", c->style.prefix,
                 "Of a test binary: TEST_PREFIX of its gtest_discover_tests");
  set.add_option("--test-suffix", c->style.suffix, "Likewise TEST_SUFFIX");
  set.add_flag("--no-pretty-types", c->plain_types, "Likewise NO_PRETTY_TYPES");
  set.add_flag("--no-pretty-values", c->plain_values, "Likewise NO_PRETTY_VALUES");
  add_db_option(set, common);
  return [c, &common] { return export_rules(*c, common); };
}

}  // namespace gordian
