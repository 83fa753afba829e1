// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What no person types: `ctest-discover` is called by gordian_discover_tests() of CMake when a test
// binary is built, `ctest-serve` by gordian-ctest when its tests run.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "batch/cmake_script.h"
#include "batch/identity.h"
#include "batch/rendezvous.h"
#include "batch/server.h"
#include "cli/command.h"
#include "cli/shared_options.h"

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
  return ended_with(write_file(command.output, script));
}

struct ServeCommand {
  std::string socket, ctest, binary, idle = "5s";
  RunOptions run;
};

/// The words between "--ctest=" and the binary: the client's options as it wrote them.
std::vector<std::string> options_as_written(const CommonOptions& common) {
  const std::vector<std::string>& words = common.words;
  auto dashes = std::find(words.begin(), words.end(), "--");
  constexpr std::ptrdiff_t kBefore = 4;  // gordian ctest-serve --socket=S --ctest=C
  if (dashes - words.begin() <= kBefore) return {};
  return {words.begin() + kBefore, dashes - 1};
}

Result<batch::Service> make_service(const ServeCommand& command, const CommonOptions& common,
                                    const batch::ProcessName& ctest) {
  auto request = to_isolating_request(command.run);
  if (!request) return request.error();
  batch::Batch batch{command.binary, common.target_args, options_as_written(common), ctest};
  auto identity = batch::identity_text(batch);
  auto stamp = batch::file_stamp(command.binary);
  if (!identity) return identity.error();
  if (!stamp) return stamp.error();
  std::error_code none;
  SessionRequest run;
  run.isolation = request->isolation;
  run.engine = std::move(request->engine);
  run.engine.jobs = 1;  // of one worker
  run.target = {command.binary, common.target_args, fs::current_path(none), {}, {}};
  run.target.args.emplace_back("--gtest_also_run_disabled_tests");
  return batch::make_service(std::move(run), std::move(*identity), std::move(*stamp));
}

int serve(const ServeCommand& command, const CommonOptions& common) {
  auto ctest = batch::ProcessName::parse(command.ctest);
  auto idle = parse_duration(command.idle);
  if (!ctest) return report_error(ctest.error());
  if (!idle) return report_error(idle.error());
  batch::ServerOptions options;
  options.listener = UniqueFd(3);  // batch/rendezvous.cc has put it there
  options.socket_path = command.socket;
  options.ctest = *ctest;
  options.idle = *idle;
  auto service = make_service(command, common, *ctest);
  if (!service) return report_error(service.error());
  batch::sweep_crashed(fs::path(command.socket).parent_path());
  batch::serve_batch(*service, std::move(options));
  return kExitOk;
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

std::function<int()> declare_ctest_serve(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<ServeCommand>();
  command->run.timeout = "0";  // ctest has its own
  set.add_option("--socket", command->socket, "Its path; it is open as descriptor 3")->required();
  set.add_option("--ctest", command->ctest, "The process to end with, PID:START")->required();
  set.add_option("--idle", command->idle, "End after so long without a test")->show_default();
  set.add_option("binary", command->binary, "The test binary; its arguments follow --")->required();
  add_run_options(set, command->run);
  return [command, &common] { return serve(*command, common); };
}

}  // namespace gordian
