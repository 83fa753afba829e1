// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/order_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/subprocess.h"
#include "wire/private_fs.h"
#include "wire/processes.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

bool spare_none(pid_t) {
  return false;
}

const ProcessView* keeper_view;  // for the handler below
pid_t engine;

/// SIGTERM: the engine wants an end, or is dead. Then its mount point is for us to remove.
void end_everything(int) {
  gordian_wire::end_children_except(spare_none);
  if (::getppid() != engine && keeper_view != nullptr) keeper_view->remove_root();
  ::_exit(0);
}

/// What a child of ours needs for its exec, made before the fork.
struct Exec {
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  const char* directory;

  explicit Exec(const ProcessStep& step)
      : words(step.argv),
        variables(step.environment),
        argv(c_pointers(words)),
        envp(c_pointers(variables)),
        directory(step.entry.working_dir.c_str()) {}
};

class Keeper {
 public:
  Keeper(const OrderPlan& plan, const KeeperChannels& channels)
      : plan_(plan), channels_(channels) {}

  [[noreturn]] void run();

 private:
  void settle_in();
  /// This position and all that follow it.
  void run_from(std::size_t position);
  void run_branch(std::size_t position);
  std::vector<std::uint32_t> next_of(std::size_t position) const;
  void run_unit(std::size_t position);
  /// Sends how it ended, and returns it.
  StepEvent run_step(std::size_t position, std::size_t step, bool is_test);
  bool succeeded(const StepEvent& event) const;
  void start(const ProcessStep& step, StepEvent& event);
  [[noreturn]] void become(const Exec& exec, int report) const;
  void await(StepEvent& event, std::chrono::nanoseconds limit);
  std::set<pid_t> children() const;
  std::uint64_t output_size() const;
  void send(const StepEvent& event) const;
  void wait_for_word() const;

  const OrderPlan& plan_;
  const KeeperChannels& channels_;
  std::set<pid_t> left_;             ///< what earlier steps left running
  std::vector<std::string> layers_;  ///< of ProcessView::push_layer()
};

void Keeper::send(const StepEvent& event) const {
  // Shorter than PIPE_BUF: whole or not at all.
  if (::write(channels_.events, &event, sizeof event) != sizeof event) end_everything(0);
}

void Keeper::wait_for_word() const {
  if (!plan_.holds && channels_.listener < 0) return;
  char word = 0;
  ssize_t n = 0;
  do {
    n = ::read(channels_.go, &word, 1);
  } while (n < 0 && errno == EINTR);
  if (n != 1) end_everything(0);
}

void Keeper::settle_in() {
  keeper_view = plan_.view;
  engine = channels_.parent;
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = end_everything;
  ::sigaction(SIGTERM, &action, nullptr);
  for (int number : {SIGINT, SIGHUP}) ::signal(number, SIG_IGN);  // the engine decides
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (plan_.view != nullptr && !plan_.view->enter()) {
    send({.kind = StepEvent::trouble, .start_error = errno});
    ::_exit(1);
  }
  ::prctl(PR_SET_DUMPABLE, 1);  // entering a user namespace takes both away
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != engine) end_everything(0);
}

std::uint64_t Keeper::output_size() const {
  struct stat st;
  return ::fstat(channels_.output, &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
}

std::set<pid_t> Keeper::children() const {
  std::set<pid_t> alive;
  gordian_wire::each_child([&alive](pid_t pid) {
    if (::waitpid(pid, nullptr, WNOHANG) != pid) alive.insert(pid);
  });
  return alive;
}

/// Between fork and exec: system calls only.
void Keeper::become(const Exec& exec, int report) const {
  ::setpgid(0, 0);
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, 0);
  const int null = ::open("/dev/null", O_RDONLY);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", channels_.output);
  const int output = ::open(path, O_WRONLY | O_APPEND);
  ::dup2(null, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
    for (int fd = 3; fd < 1024; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  if (plan_.view != nullptr) plan_.view->drop_rights();
  if (channels_.filter != nullptr) {
    // Names of files are told relative to where we are now: the same place for all tests.
    if (::chdir(plan_.suite.build_dir().c_str()) != 0) ::_exit(126);
    const int listener = channels_.filter->install();
    if (!send_listener(channels_.listener, listener, listener < 0 ? errno : 0)) ::_exit(126);
    ::close(listener);
  }
  if (::chdir(exec.directory) == 0) {
    if (std::strchr(exec.argv[0], '/') != nullptr) {
      ::execve(exec.argv[0], exec.argv.data(), exec.envp.data());
    } else {
      ::execvpe(exec.argv[0], exec.argv.data(), exec.envp.data());
    }
  }
  const int error = errno;
  if (::write(report, &error, sizeof error) < 0) ::_exit(126);
  ::_exit(127);
}

void Keeper::start(const ProcessStep& step, StepEvent& event) {
  if (step.argv.empty()) {
    event.start_error = ENOENT;
    return;
  }
  const Exec exec(step);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    event.start_error = errno;
    return;
  }
  event.kind = StepEvent::begins;
  event.pid = ::fork();
  if (event.pid == 0) {  // it tells of itself: what it becomes may stop us at once
    event.pid = ::getpid();
    if (::write(channels_.events, &event, sizeof event) != sizeof event) ::_exit(126);
    become(exec, report[1]);
  }
  if (event.pid < 0) event.start_error = errno;
  ::close(report[1]);
  if (event.pid > 0) {
    int error = 0;
    ssize_t n = 0;
    do {
      n = ::read(report[0], &error, sizeof error);
    } while (n < 0 && errno == EINTR);
    if (n == sizeof error) event.start_error = error;
  }
  ::close(report[0]);
}

/// Until the process has ended, or has to be. Its children are not waited for, as with ctest.
void Keeper::await(StepEvent& event, std::chrono::nanoseconds limit) {
  constexpr int kTickMs = 50;
  const auto began = Clock::now();
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, event.pid, 0));
  for (;;) {
    int wait_ms = kTickMs;
    if (limit.count() > 0) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(limit - (Clock::now() - began));
      wait_ms = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kTickMs));
    }
    pollfd waits{pidfd, POLLIN, 0};
    if (::poll(&waits, 1, wait_ms) > 0) break;
    event.timed_out = limit.count() > 0 && Clock::now() - began >= limit ? 1 : 0;
    event.printed_too_much = output_size() - event.output_begin > plan_.limits.output_bytes ? 1 : 0;
    if (event.timed_out == 0 && event.printed_too_much == 0) continue;
    ::kill(-event.pid, SIGKILL);
    ::kill(event.pid, SIGKILL);
    gordian_wire::end_children_except(
        [this, &event](pid_t pid) { return pid == event.pid || left_.contains(pid); });
    break;
  }
  gordian_wire::await_end(event.pid);
  while (::waitpid(event.pid, &event.wait_status, 0) < 0 && errno == EINTR) {
  }
  if (event.timed_out != 0 || event.printed_too_much != 0) {  // its orphans came to us meanwhile
    gordian_wire::end_children_except([this](pid_t pid) { return left_.contains(pid); });
  }
  ::close(pidfd);
}

StepEvent Keeper::run_step(std::size_t position, std::size_t number, bool is_test) {
  const ProcessStep& step = plan_.suite.step(number);
  StepEvent event{.position = static_cast<std::uint32_t>(position),
                  .step = static_cast<std::uint32_t>(number),
                  .is_test = is_test ? 1u : 0u};
  for (std::size_t i = 0; i < step.entry.required_files.size() && event.missing_file == 0; ++i) {
    const auto path = step.entry.working_dir / step.entry.required_files[i];
    if (::access(path.c_str(), F_OK) != 0) event.missing_file = static_cast<std::uint32_t>(i + 1);
  }
  if (event.missing_file == 0) {
    const std::vector<UniqueFd> held = plan_.locks.take(step.entry);
    left_ = children();
    event.output_begin = output_size();
    const auto began = Clock::now();
    start(step, event);
    if (event.pid > 0) await(event, time_limit(plan_, event));
    event.duration_ns = (Clock::now() - began).count();
    event.output_end = output_size();
    for (pid_t pid : children()) event.left_children += left_.contains(pid) ? 0 : 1;
  }
  event.kind = StepEvent::ended;
  send(event);
  wait_for_word();
  return event;
}

bool Keeper::succeeded(const StepEvent& event) const {
  const CtestEntry& entry = plan_.suite.step(event.step).entry;
  const std::string text = output_between(channels_.output, event.output_begin, event.output_end);
  return !is_failure(ctest_outcome(entry, end_of(event, entry), text).kind);
}

void Keeper::run_unit(std::size_t position) {
  const ProcessUnit& unit = plan_.suite.unit(plan_.order[position]);
  if (plan_.put_back && plan_.put_back->position == position) {
    for (const FileKey& file : plan_.put_back->files) plan_.view->put_back(file);
  }
  bool ready = true;
  for (std::size_t step : unit.set_up) {
    if (!ready) break;
    if (succeeded(run_step(position, step, false))) continue;
    ready = false;
    send({.kind = StepEvent::passed_over,
          .position = static_cast<std::uint32_t>(position),
          .step = static_cast<std::uint32_t>(unit.test),
          .is_test = 1,
          .failed_step = static_cast<std::uint32_t>(step)});
  }
  if (ready) run_step(position, unit.test, true);
  for (std::size_t step : unit.clean_up) run_step(position, step, false);
}

std::vector<std::uint32_t> Keeper::next_of(std::size_t position) const {
  if (plan_.branches != nullptr) return (*plan_.branches)[position];
  if (position + 1 == plan_.order.size()) return {};
  return {static_cast<std::uint32_t>(position + 1)};
}

/// What was left running would be shared by the branches: then they are not run here at all.
void Keeper::run_from(std::size_t position) {
  for (;;) {
    run_unit(position);
    const std::vector<std::uint32_t> next = next_of(position);
    if (next.empty()) return;
    if (next.size() > 1) {
      // Neither can be copied for a branch.
      if (!children().empty() || gordian_wire::count_ipc_objects() > 0) return;
      for (std::size_t i = 0; i + 1 < next.size(); ++i) run_branch(next[i]);
    }
    position = next.back();
  }
}

/// The last branch needs no fork: nobody comes after it.
void Keeper::run_branch(std::size_t position) {
  const pid_t keeper = ::getpid();
  const pid_t branch = ::fork();
  if (branch == 0) {
    keeper_view = nullptr;  // its mount point is the keeper's matter
    engine = keeper;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != keeper || !plan_.view->push_layer(layers_)) end_everything(0);
    run_from(position);
    end_everything(0);
  }
  while (branch > 0 && ::waitpid(branch, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Keeper::run() {
  settle_in();
  run_from(0);
  gordian_wire::end_children_except(spare_none);
  ::_exit(0);
}

}  // namespace

void keep_order(const OrderPlan& plan, const KeeperChannels& channels) {
  Keeper(plan, channels).run();
}

}  // namespace gordian
