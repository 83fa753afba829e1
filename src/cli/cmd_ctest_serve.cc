// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <filesystem>
#include <memory>

#include "batch/identity.h"
#include "batch/rendezvous.h"
#include "batch/server.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/run_options.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

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
