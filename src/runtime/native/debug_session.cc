// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/debug_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "base/subprocess.h"
#include "runtime/interrupt.h"
#include "runtime/native/children.h"
#include "runtime/native/inspect.h"
#include "runtime/native/target_process.h"

namespace gordian {
namespace {

/// While a debugger has the terminal, its keys are not for us.
class SignalsIgnored {
 public:
  SignalsIgnored() {
    struct sigaction ignore;
    std::memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt_);
    ::sigaction(SIGQUIT, &ignore, &quit_);
  }
  SignalsIgnored(const SignalsIgnored&) = delete;
  SignalsIgnored& operator=(const SignalsIgnored&) = delete;
  ~SignalsIgnored() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction interrupt_, quit_;
};

/// Between fork and exec: system calls only.
[[noreturn]] void become_debugger(char* const* argv, int output_fd, pid_t parent) {
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) ::signal(number, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(126);
  if (output_fd >= 0) {
    int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, 0);
    ::dup2(output_fd, 1);
    ::dup2(output_fd, 2);
  }
  ::execv(argv[0], argv);
  ::_exit(127);
}

pid_t start_debugger(std::vector<std::string> argv, int output_fd) {
  const std::vector<char*> words = c_pointers(argv);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become_debugger(words.data(), output_fd, parent);
  return pid;
}

Result<Order> to_order(const Suite& suite, const std::vector<std::string>& names) {
  Order order;
  for (const std::string& name : names) {
    auto id = suite.find(name);
    if (!id) {
      return usage_error(fmt::format("the binary has no test called {} any more", name),
                         "it was rebuilt; gordian detect searches it anew");
    }
    order.push_back(*id);
  }
  return order;
}

class NativeDebugSession : public DebugSession {
 public:
  NativeDebugSession(std::unique_ptr<Executor> executor, std::unique_ptr<TargetProcess> process,
                     const Order& order)
      : executor_(std::move(executor)),
        process_(std::move(process)),
        plan_(Plan::in_process(order)) {}

  Status find_position();
  pid_t pid() const override { return process_->pid(); }
  std::uint64_t position_address() const override { return position_address_; }
  Result<int> run(const std::vector<std::string>& argv, int output_fd) override;

 private:
  bool is_traced() const;
  Result<int> attend(pid_t debugger);
  void pass_output_on();

  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TargetProcess> process_;
  Plan plan_;
  std::uint64_t position_address_ = 0;
  std::uint64_t output_seen_ = 0;
  bool show_output_ = true;
};

/// The memory that we share with the program has another address there.
Status NativeDebugSession::find_position() {
  std::ifstream maps(fmt::format("/proc/{}/maps", pid()));
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:gordian-wire") == std::string::npos) continue;
    std::uint64_t begin = 0, offset = 0;
    if (std::sscanf(line.c_str(), "%lx-%*x %*s %lx", &begin, &offset) != 2 || offset != 0) continue;
    position_address_ =
        begin + offsetof(gordian_wire::Report, worker) + offsetof(gordian_wire::WorkerState, slot);
    return {};
  }
  return internal_error("the memory shared with the program was not found in it");
}

bool NativeDebugSession::is_traced() const {
  const std::string tracer = status_field(pid(), pid(), "TracerPid:");
  return !tracer.empty() && tracer != "0";
}

Result<int> NativeDebugSession::run(const std::vector<std::string>& argv, int output_fd) {
  SignalsIgnored guard;
  show_output_ = output_fd < 0;
  output_seen_ = process_->memory().output_size(0);
  const pid_t debugger = start_debugger(argv, output_fd);
  if (debugger < 0) return internal_error(fmt::format("fork: {}", std::strerror(errno)));
  register_child(debugger);
  auto code = attend(debugger);
  unregister_child(debugger);
  process_->kill();
  return code;
}

Result<int> NativeDebugSession::attend(pid_t debugger) {
  bool attached = false;
  int status = 0;
  while (::waitpid(debugger, &status, WNOHANG) == 0) {
    const bool ready = process_->state() == TargetProcess::State::ready;
    if (!attached && ready && is_traced()) {
      attached = true;
      process_->run_inline(plan_);
    }
    wait_for(process_->descriptors(), std::chrono::milliseconds(20));
    process_->pump();
    pass_output_on();
    // Once the program is gone there is nothing to wait for but the debugger.
    if (process_->state() == TargetProcess::State::gone) ::usleep(20'000);
  }
  pass_output_on();
  if (!attached) {
    return target_error("the debugger ended without attaching to the test program",
                        "its own message says why; in a container, ptrace must be allowed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void NativeDebugSession::pass_output_on() {
  const int fd = process_->memory().capture_fd(0);
  const std::uint64_t size = process_->memory().output_size(0);
  if (size < output_seen_) output_seen_ = size;  // a long output was cut
  char buffer[4096];
  while (output_seen_ < size) {
    const std::size_t chunk = std::min<std::uint64_t>(sizeof buffer, size - output_seen_);
    const ssize_t n = ::pread(fd, buffer, chunk, static_cast<off_t>(output_seen_));
    if (n <= 0) return;
    output_seen_ += static_cast<std::uint64_t>(n);
    if (show_output_ && ::write(1, buffer, static_cast<std::size_t>(n)) < 0) return;
  }
}

}  // namespace

Result<std::unique_ptr<DebugSession>> open_debug_session(const Target& target,
                                                         const ExecutorOptions& options,
                                                         const std::vector<std::string>& order) {
  auto inspection = inspect(target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) return unhookable_error(inspection->unhookable);
  ExecutorOptions held = options;
  held.jobs = 1;
  held.snapshots = false;
  held.debuggable = true;
  held.hook_offsets = inspection->hook_offsets;
  held.should_stop = interrupted;
  auto executor = Executor::open(target, inspection->elf, inspection->framework, std::move(held));
  if (!executor) return executor.error();
  auto ids = to_order((*executor)->suite(), order);
  if (!ids) return ids.error();
  auto process = (*executor)->take_process();
  if (!process) return process.error();
  auto session =
      std::make_unique<NativeDebugSession>(std::move(*executor), std::move(*process), *ids);
  if (Status found = session->find_position(); !found) return found.error();
  return std::unique_ptr<DebugSession>(std::move(session));
}

}  // namespace gordian
