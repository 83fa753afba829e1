// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/write_file.h"
#include "batch/cmake_script.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/run_options.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

struct DiscoverCommand {
  std::string binary, output, list_variable = "tests", working_dir, filter;
  std::string discovery_timeout = "5";
  bool plain_types = false, plain_values = false;
  batch::NamingStyle style;
  RunOptions run;  ///< not used here, but wrong ones should show when the project is built
};

Result<Target> make_target(const DiscoverCommand& command, const CommonOptions& common) {
  std::error_code none;
  Target target;
  target.binary = fs::absolute(command.binary, none);
  target.args = common.target_args;
  if (!command.filter.empty()) target.args.push_back("--gtest_filter=" + command.filter);
  target.working_dir = command.working_dir.empty() ? fs::current_path(none)
                                                   : fs::absolute(command.working_dir, none);
  if (!fs::is_directory(target.working_dir, none)) {
    return usage_error(target.working_dir.string() + " is not a directory",
                       "make the WORKING_DIRECTORY before the target is built");
  }
  return target;
}

int discover(const DiscoverCommand& command, const CommonOptions& common) {
  auto checked = to_isolating_request(command.run);
  auto limit = parse_duration(command.discovery_timeout);
  auto target = make_target(command, common);
  if (!checked) return report_error(checked.error());
  if (!limit) return report_error(limit.error());
  if (!target) return report_error(target.error());
  auto suite = batch::discover_tests(*target, *limit);
  if (!suite) return report_error(suite.error());
  if (suite->size() == 0) {
    say("gordian: " + target->binary.string() + " lists no tests");
  }
  batch::NamingStyle style = command.style;
  style.pretty_types = !command.plain_types;
  style.pretty_values = !command.plain_values;
  std::string script = "# The tests of " + target->binary.string() + "\n" +
                       discovered_script(suite->tests(), style, command.list_variable);
  Status written = write_file(command.output, script);
  return written ? kExitOk : report_error(written.error());
}

}  // namespace

std::function<int()> declare_ctest_discover(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<DiscoverCommand>();
  set.add_option("binary", command->binary, "The test binary; its arguments follow --")->required();
  set.add_option("--output", command->output, "The script for ctest; - for standard output")
      ->value_name("FILE")
      ->required();
  set.add_option("--test-list", command->list_variable, "Variable for the list of all names")
      ->show_default();
  set.add_option("--working-directory", command->working_dir, "Where the binary is started");
  set.add_option("--discovery-timeout", command->discovery_timeout, "Time limit for listing")
      ->show_default();
  set.add_option("--test-filter", command->filter, "Only these tests, as --gtest_filter");
  set.add_option("--test-prefix", command->style.prefix, "Before each name");
  set.add_option("--test-suffix", command->style.suffix, "Behind each name");
  set.add_flag("--no-pretty-types", command->plain_types, "Types by number");
  set.add_flag("--no-pretty-values", command->plain_values, "Values by number");
  add_run_options(set, command->run);
  return [command, &common] { return discover(*command, common); };
}

}  // namespace gordian
