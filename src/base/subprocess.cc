// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/check.h"
#include "base/unique_fd.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

/// One end we read, one end the child writes.
struct Pipe {
  UniqueFd read_end, write_end;

  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return false;
    read_end.reset(fds[0]);
    write_end.reset(fds[1]);
    return ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK) == 0;
  }
};

/// What posix_spawn needs, freed whatever happens.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void set_up(int out, int err, const std::filesystem::path& working_dir) {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
    if (!working_dir.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions_, working_dir.c_str());
    }
    // Ignored and blocked signals are inherited; the child shall start like from a shell.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<std::string> changed_environment(const SubprocessOptions& options) {
  std::vector<std::string> result;
  auto is_changed = [&options](std::string_view entry) {
    return std::any_of(options.env.begin(), options.env.end(), [entry](const auto& change) {
      return entry.substr(0, entry.find('=')) == change.first;
    });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_changed(*entry)) result.emplace_back(*entry);
  }
  for (const auto& [name, value] : options.env) {
    if (value) result.push_back(name + "=" + *value);
  }
  return result;
}

/// Takes what is there to be read now. Returns false at the end of the stream. The number of rounds
/// is limited, lest a child that never stops printing keeps us from looking at the clock; they are
/// enough to empty a pipe.
bool drain(int fd, std::size_t limit, std::string& into, bool& truncated) {
  std::array<char, 65536> buffer;
  for (int round = 0; round < 16; ++round) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    const std::size_t room = limit - std::min(limit, into.size());
    const std::size_t kept = std::min(room, static_cast<std::size_t>(n));
    into.append(buffer.data(), kept);
    truncated |= kept < static_cast<std::size_t>(n);
  }
  return true;
}

/// Follows a running child to its end. Its end, not that of its output, is what counts: a daemon
/// left behind may keep the pipes open for ever.
class Watch {
 public:
  Watch(pid_t pid, UniqueFd pidfd, const SubprocessOptions& options)
      : pid_(pid), pidfd_(std::move(pidfd)), options_(options) {}

  SubprocessResult follow(UniqueFd out, UniqueFd err) {
    const auto deadline = Clock::now() + options_.timeout;
    for (bool ended = false; !ended;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      if (!killed() && left.count() <= 0) end(result_.timed_out);
      if (!killed() && options_.should_stop && options_.should_stop()) end(result_.stopped);
      const int wait_ms = killed() ? -1 : patience(left);
      std::array<pollfd, 3> events = {
          {{pidfd_.get(), POLLIN, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
      if (::poll(events.data(), events.size(), wait_ms) < 0 && errno != EINTR) break;
      ended = events[0].revents != 0;
      take(out, result_.out);
      take(err, result_.err);
    }
    reap();
    return std::move(result_);
  }

 private:
  void take(UniqueFd& fd, std::string& into) {
    if (!fd.valid()) return;
    const std::size_t before = into.size();
    if (!drain(fd.get(), options_.output_limit, into, result_.truncated)) fd.reset();
    if (options_.on_output && into.size() > before) {
      options_.on_output(std::string_view(into).substr(before));
    }
  }

  bool killed() const { return result_.timed_out || result_.stopped; }

  void end(bool& why) {
    why = true;
    ::kill(-pid_, SIGKILL);
  }

  int patience(std::chrono::milliseconds left) const {
    constexpr std::int64_t kTickMs = 50;
    const std::int64_t longest = options_.should_stop ? kTickMs : std::int64_t{1} << 30;
    return static_cast<int>(std::min<std::int64_t>(left.count(), longest));
  }

  void reap() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  }

  pid_t pid_;
  UniqueFd pidfd_;
  const SubprocessOptions& options_;
  SubprocessResult result_;
};

}  // namespace

Result<SubprocessResult> run_subprocess(const std::vector<std::string>& argv,
                                        const SubprocessOptions& options) {
  GORDIAN_CHECK(!argv.empty());
  std::error_code ignored;
  if (!options.working_dir.empty() &&
      !std::filesystem::is_directory(options.working_dir, ignored)) {
    return target_error(options.working_dir.string() + " is not a directory");
  }
  Pipe out, err;
  if (!out.open() || !err.open()) {
    return internal_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  SpawnPlan plan;
  plan.set_up(out.write_end.get(), err.write_end.get(), options.working_dir);
  std::vector<std::string> words = argv, variables = changed_environment(options);
  pid_t pid = -1;
  const int failure = ::posix_spawnp(&pid, words[0].c_str(), plan.actions(), plan.attributes(),
                                     c_pointers(words).data(), c_pointers(variables).data());
  if (failure != 0) {
    return target_error("cannot start " + argv[0] + ": " + std::strerror(failure));
  }
  out.write_end.reset();
  err.write_end.reset();
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.valid()) {
    const int error = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return internal_error(std::string("pidfd_open failed: ") + std::strerror(error),
                          "Linux 5.3 or newer is needed");
  }
  return Watch(pid, std::move(pidfd), options)
      .follow(std::move(out.read_end), std::move(err.read_end));
}

std::vector<char*> c_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace gordian
