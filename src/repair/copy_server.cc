// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <utility>

#include "base/files.h"
#include "repair/copy_builder.h"
#include "runtime/interrupt.h"
#include "runtime/native/children.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "wire/processes.h"

namespace gordian {
namespace {

volatile sig_atomic_t stop_asked = 0;
pid_t engine_pid;

void ask_to_stop(int) {
  stop_asked = 1;
  request_interrupt();  // for a search in the copy
}

bool should_stop() {
  return stop_asked != 0 || ::getppid() != engine_pid;
}

class CopyServer {
 public:
  CopyServer(const Project& project, const WorkspaceOptions& options, const CopyLayers& layers,
             int channel)
      : project_(project),
        engine_(options.engine),
        layers_(layers),
        files_(layers_),
        surroundings_{layers.temporary(), options.build_limit, should_stop},
        builder_(files_, surroundings_),
        channel_(channel) {
    engine_.should_stop = should_stop;
    engine_.private_fs_required = engine_.private_fs;  // files of one order must not reach the next
    // A layer over /tmp would hide the copy of a project in there.
    for (const auto& directory : layers.directories()) engine_.private_dirs.push_back(directory);
    builder_.set_command(project.build_command, project.build_command_dir);
    work_ = options.work;
  }

  void serve() {
    MessageReader reader(channel_);
    while (!should_stop()) {
      pollfd waits{channel_, POLLIN, 0};
      if (::poll(&waits, 1, 50) <= 0) continue;
      if (!reader.read_some()) return;
      while (auto request = reader.next()) {
        if (!send_message(channel_, answer(*request))) return;
      }
    }
  }

 private:
  Message answer(const Message& request) {
    const std::string what = request.at("do");
    if (what == "build") return build(request);
    if (what == "run") return run(request);
    if (what == "suite") return suite();
    if (what == "helper") return helper(request);
    if (what == "work") return work();
    if (what == "read") return read(request);
    if (what == "touch") return touch(request);
    if (what == "command") return set_command(request);
    return failed(internal_error("no such request: " + what));
  }

  static Message failed(const Error& error) { return {{"error", encode(error)}}; }

  Message build(const Message& request) {
    executor_.reset();
    auto built = builder_.build(decode_files(request.at("files")), [this](std::string_view line) {
      send_message(channel_, {{"line", line}});
    });
    if (!built) return failed(built.error());
    return {{"build", encode(*built)}};
  }

  Message set_command(const Message& request) {
    builder_.set_command(request.at("command"), request.at("directory").get<std::string>());
    return {{"done", true}};
  }

  Status ensure_executor() {
    if (executor_) return {};
    auto inspection = inspect(project_.target);
    if (!inspection) return inspection.error();
    if (!inspection->unhookable.empty()) {
      return target_error("orders cannot be controlled: " + inspection->unhookable);
    }
    engine_.hook_offsets = inspection->hook_offsets;
    auto opened = Executor::open(project_.target, inspection->elf, inspection->framework, engine_);
    if (!opened) return opened.error();
    executor_ = std::move(*opened);
    return {};
  }

  Message suite() {
    if (Status ready = ensure_executor(); !ready) return failed(ready.error());
    return {{"suite", encode(executor_->suite())}};
  }

  Result<std::vector<Order>> orders_of(const Message& names) const {
    std::vector<Order> orders;
    for (const Message& order : names) {
      Order& ids = orders.emplace_back();
      for (const Message& name : order) {
        const auto id = executor_->suite().find(name.get<std::string>());
        if (!id) {
          return Error{ErrorKind::no_match,
                       "the program in the copy has no test " + name.get<std::string>(), ""};
        }
        ids.push_back(*id);
      }
    }
    return orders;
  }

  Message run(const Message& request) {
    if (Status ready = ensure_executor(); !ready) return failed(ready.error());
    auto orders = orders_of(request.at("orders"));
    if (!orders) return failed(orders.error());
    RunListener nobody;
    auto runs = executor_->fork_problems().empty()
                    ? executor_->run_forked(*orders, OrderRunner::Shape::flat, nobody)
                    : executor_->run_fresh(*orders, nobody);
    if (!runs) return failed(runs.error());
    if (should_stop()) return failed(Error{ErrorKind::interrupted, "interrupted", ""});
    for (OrderRun& order : *runs) {
      for (TestRun& test : order.runs) {
        if (test.outcome.in_tear_down) test.outcome = passed();
      }
    }
    return {{"runs", encode(*runs)}};
  }

  Message helper(const Message& request) {
    const auto argv = request.at("argv").get<std::vector<std::string>>();
    auto ran = run_in_copy(argv, project_.build_command_dir, surroundings_);
    if (!ran) return failed(ran.error());
    if (ran->timed_out) return failed(target_error(argv.front() + " took too long"));
    const int code = ran->signal != 0 ? 128 + ran->signal : ran->exit_code;
    return {{"code", code}, {"output", code == 0 ? ran->out : ran->out + ran->err}};
  }

  Message work() {
    executor_.reset();  // two programs at a time would be in each other's way
    if (!work_) return {{"done", true}};
    const Status done = work_(engine_, [this](std::string_view line) {
      send_message(channel_, {{"line", line}});
    });
    return done ? Message{{"done", true}} : failed(done.error());
  }

  Message read(const Message& request) {
    const auto content = whole_file(request.at("file"));
    return content ? Message{{"content", *content}} : Message{{"missing", true}};
  }

  /// An empty file, for a question to the build system.
  Message touch(const Message& request) {
    const std::string path = request.at("file");
    std::error_code failure;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failure);
    const int fd = layers_.covers(path) ? ::open(path.c_str(), O_CREAT | O_CLOEXEC, 0644) : -1;
    if (fd < 0) return failed(internal_error("cannot write " + path + " in the copy"));
    ::close(fd);
    return {{"done", true}};
  }

  const Project& project_;
  ExecutorOptions engine_;
  const CopyLayers& layers_;
  CopiedFiles files_;
  BuildSurroundings surroundings_;
  CopyBuilder builder_;
  int channel_;
  WorkInCopy work_;
  std::unique_ptr<Executor> executor_;
};

/// Ctrl-C on the terminal is for the engine to judge: it ends us.
void settle_in() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = ask_to_stop;
  ::sigaction(SIGTERM, &action, nullptr);
  for (int number : {SIGINT, SIGHUP}) ::signal(number, SIG_IGN);
  ::setpgid(0, 0);
  adopt_orphans();
}

bool spare_none(pid_t) {
  return false;
}

}  // namespace

void serve_copy(const Project& project, const WorkspaceOptions& options, CopyLayers& layers,
                int channel, pid_t parent) {
  engine_pid = parent;
  settle_in();
  const Status entered = layers.enter();
  ::prctl(PR_SET_DUMPABLE, 1);  // entering a user namespace takes both away
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const Message hello =
      entered ? Message{{"done", true}} : Message{{"error", encode(entered.error())}};
  if (send_message(channel, hello) && entered) {
    CopyServer(project, options, layers, channel).serve();
  }
  gordian_wire::end_children_except(spare_none);
  layers.leave();
  std::error_code failed;
  if (!options.work_dir.empty()) std::filesystem::remove_all(options.work_dir, failed);
  ::_exit(0);
}

}  // namespace gordian
