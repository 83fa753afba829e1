// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Our end of the copy: each call is one request to the process that is in it.
#include "repair/workspace.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "base/unique_fd.h"
#include "repair/copy_layers.h"
#include "repair/copy_server.h"
#include "repair/project.h"
#include "runtime/native/children.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

Error interrupted_error() {
  return {ErrorKind::interrupted, "interrupted", ""};
}

/// A home directory as a whole is no place of a build.
bool is_home(const fs::path& directory) {
  const char* home = std::getenv("HOME");
  std::error_code failed;
  return directory == directory.root_path() ||
         (home != nullptr && fs::equivalent(home, directory, failed));
}

std::vector<fs::path> directories_of(const Project& project) {
  std::vector<fs::path> directories = project.source_dirs;
  directories.push_back(project.source_root);
  if (!project.build_dir.empty()) directories.push_back(project.build_dir);
  std::error_code failed;
  directories.push_back(fs::canonical(project.target.binary, failed).parent_path());
  if (!is_home(project.build_command_dir)) directories.push_back(project.build_command_dir);
  return directories;
}

class CopyWorkspace : public Workspace {
 public:
  using Tell = std::function<void(std::string_view)>;

  CopyWorkspace(Project project, const WorkspaceOptions& options, CopyLayers layers)
      : project_(std::move(project)), options_(options), layers_(std::move(layers)) {}
  ~CopyWorkspace() override { close(); }
  CopyWorkspace(const CopyWorkspace&) = delete;
  CopyWorkspace& operator=(const CopyWorkspace&) = delete;

  Status start() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return internal_error(std::string("cannot make a channel: ") + std::strerror(errno));
    }
    channel_.reset(ends[0]);
    UniqueFd theirs(ends[1]);
    adopt_orphans();
    const pid_t parent = ::getpid();
    server_ = ::fork();
    if (server_ == 0) {
      channel_.reset();
      serve_copy(project_, options_, layers_, theirs.get(), parent);
    }
    if (server_ < 0) return internal_error(std::string("fork: ") + std::strerror(errno));
    register_child(server_);
    reader_.emplace(channel_.get());
    theirs.reset();
    auto hello = await({});
    return hello ? Status() : Status(hello.error());
  }

  /// What is asked of CMake is asked in the copy, and written there. What it does not answer stays
  /// unknown.
  Status ask_cmake() {
    if (project_.build_dir.empty()) return {};
    if (!configure()) {
      if (server_ <= 0) return interrupted_error();
      project_.notes.push_back("CMake could not configure the copy of " +
                               project_.build_dir.string() +
                               ", so that neither compile commands nor the target are known");
      return {};
    }
    const auto index = reply_index();
    if (!index) return index.error();
    const fs::path commands = project_.build_dir / "compile_commands.json";
    if (read(commands.string())) project_.compile_commands = commands;
    std::error_code failed;
    const auto target =
        find_cmake_target(fs::canonical(project_.build_dir, failed), *index,
                          fs::canonical(project_.target.binary, failed),
                          [this](const fs::path& file) { return read(file.string()); });
    if (!target) {
      project_.notes.push_back("CMake knows no target that makes " +
                               project_.target.binary.string() + ": everything is built");
      return {};
    }
    project_.cmake_target = target->name;
    project_.cmake_file = target->file;
    project_.cmake_line = target->line;
    if (!project_.own_build_command) return {};
    project_.build_command = cmake_build_command(project_);
    auto told = ask({{"do", "command"},
                     {"command", project_.build_command},
                     {"directory", project_.build_command_dir.string()}});
    return told ? Status() : Status(told.error());
  }

  const Project& project() const override { return project_; }
  Result<BuildResult> build(const ChangedFiles& files, const Tell& tell) override {
    auto answer = ask({{"do", "build"}, {"files", encode(files)}}, tell);
    if (!answer) return answer.error();
    return decode_build(part_of(*answer, "build"));
  }

  Result<std::vector<OrderRun>> run(std::span<const std::vector<std::string>> orders) override {
    Message names = Message::array();
    for (const std::vector<std::string>& order : orders) names.push_back(order);
    auto answer = ask({{"do", "run"}, {"orders", std::move(names)}});
    if (!answer) return answer.error();
    return decode_runs(part_of(*answer, "runs"), orders);
  }

  Result<Suite> suite() override {
    auto answer = ask({{"do", "suite"}});
    if (!answer) return answer.error();
    return decode_suite(part_of(*answer, "suite"));
  }

  std::optional<std::string> read(const std::string& file) override {
    auto answer = ask({{"do", "read"}, {"file", file}});
    if (!answer) return std::nullopt;
    const auto* content = part_of(*answer, "content").get_ptr<const std::string*>();
    return content == nullptr ? std::nullopt : std::optional(*content);
  }

  Result<int> helper(const std::vector<std::string>& argv, std::string& output) override {
    auto answer = ask({{"do", "helper"}, {"argv", argv}});
    if (!answer) return answer.error();
    const auto* text = part_of(*answer, "output").get_ptr<const std::string*>();
    const Message& code = part_of(*answer, "code");
    if (text == nullptr || !code.is_number_integer()) {
      return internal_error("the process in the copy did not say how its helper ended");
    }
    output = *text;
    return code.get<int>();
  }

  Status work(const Tell& tell) override {
    auto answer = ask({{"do", "work"}}, tell);
    return answer ? Status() : Status(answer.error());
  }

 private:
  Result<Message> ask(const Message& request, const Tell& tell = {}) {
    if (server_ <= 0) return interrupted_error();
    if (send_message(channel_.get(), request)) return await(tell);
    return ended_error();
  }

  Error ended_error() {
    close();
    return internal_error("the process in the copy has ended unexpectedly");
  }

  Result<Message> await(const Tell& tell) {
    for (;;) {
      while (auto message = reader_->next()) {
        if (const auto* line = part_of(*message, "line").get_ptr<const std::string*>()) {
          if (tell) tell(*line);
          continue;
        }
        if (message->contains("error")) return decode_error(message->at("error"));
        return std::move(*message);
      }
      if (options_.engine.should_stop()) {
        close();
        return interrupted_error();
      }
      pollfd waits{channel_.get(), POLLIN, 0};
      if (::poll(&waits, 1, 50) > 0 && !reader_->read_some()) return ended_error();
    }
  }

  /// The newest, if CMake has answered at all.
  Result<std::string> reply_index() {
    std::string names;
    const auto listed = helper({"ls", (project_.build_dir / kCmakeReply).string()}, names);
    if (!listed) return listed.error();
    std::string newest;
    std::istringstream lines(*listed == 0 ? names : "");
    for (std::string name; std::getline(lines, name);) {
      if (name.starts_with("index-") && name > newest) newest = name;
    }
    return newest;
  }

  bool configure() {
    const fs::path query = project_.build_dir / kCmakeQuery;
    std::string output;
    if (!ask({{"do", "touch"}, {"file", query.string()}})) return false;
    const auto ran = helper(
        {project_.cmake_program, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", project_.build_dir.string()},
        output);
    return ran && *ran == 0;
  }

  /// The process in the copy ends by itself when it sees the end of the channel or SIGTERM; it has
  /// to end builds and tests before, which takes a moment.
  void close() {
    if (server_ <= 0) return;
    ::kill(server_, SIGTERM);
    channel_.reset();
    constexpr int kPatienceMs = 20'000, kTickMs = 10;
    bool ended = false;
    for (int waited = 0; !ended && waited < kPatienceMs; waited += kTickMs) {
      ended = ::waitpid(server_, nullptr, WNOHANG) == server_;
      if (!ended) ::usleep(kTickMs * 1000);
    }
    if (!ended) {
      ::kill(server_, SIGKILL);
      ::waitpid(server_, nullptr, 0);
    }
    unregister_child(server_);
    server_ = -1;
    if (!ended) end_orphans();
  }

  Project project_;
  WorkspaceOptions options_;
  CopyLayers layers_;
  UniqueFd channel_;
  std::optional<MessageReader> reader_;
  pid_t server_ = -1;
};

}  // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(const Project& project,
                                                   const WorkspaceOptions& options) {
  auto layers = CopyLayers::prepare(directories_of(project));
  if (!layers) return layers.error();
  auto workspace = std::make_unique<CopyWorkspace>(project, options, std::move(*layers));
  if (Status started = workspace->start(); !started) return started.error();
  if (Status asked = workspace->ask_cmake(); !asked) return asked.error();
  return std::unique_ptr<Workspace>(std::move(workspace));
}

}  // namespace gordian
