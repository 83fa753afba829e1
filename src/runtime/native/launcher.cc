// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/target_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/subprocess.h"
#include "frameworks/framework_traits.h"
#include "runtime/native/children.h"
#include "runtime/native/syscall_watch.h"
#include "wire/private_fs.h"
#include "wire/processes.h"

extern char** environ;

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAgentFile = "libgordian-agent.so";

/// Variables by which the framework, Bazel or a sharding runner would choose tests or write files.
bool is_dropped(std::string_view name) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string_view prefix = traits->environment_prefix;
    if (!prefix.empty() && name.starts_with(prefix)) return true;
  }
  return name == "TEST_PREMATURE_EXIT_FILE" || name == "XML_OUTPUT_FILE" ||
         name == "TESTBRIDGE_TEST_ONLY" || name == "TEST_SHARD_STATUS_FILE" ||
         name == GORDIAN_WIRE_ENV;
}

void set(std::vector<std::string>& env, const std::string& name, const std::string* value) {
  std::erase_if(env, [&name](const std::string& entry) { return entry.starts_with(name + "="); });
  if (value != nullptr) env.push_back(name + "=" + *value);
}

std::string get(const std::vector<std::string>& env, const std::string& name) {
  for (const std::string& entry : env) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return {};
}

void prepend(std::vector<std::string>& env, const std::string& name, const std::string& value) {
  std::string old = get(env, name);
  std::string joined = old.empty() ? value : value + ":" + old;
  set(env, name, &joined);
}

std::vector<std::string> agent_environment(const Target& target, const ElfFacts& facts,
                                           const fs::path& agent, const WireMemory& memory,
                                           int socket_fd) {
  std::vector<std::string> env = target_environment(target);
  // A linked adapter is the agent; a second one, preloaded, would take its place.
  bool preload = !facts.statically_linked && !facts.has_agent_adapter;
  if (preload) prepend(env, "LD_PRELOAD", agent);
  // GCC's AddressSanitizer wants to be the first library; the agent must be.
  if (facts.sanitizer == Sanitizer::address)
    prepend(env, "ASAN_OPTIONS", "verify_asan_link_order=0");
  std::string now = "1";
  if (get(env, "LD_BIND_NOW").empty()) set(env, "LD_BIND_NOW", &now);  // bind once, not per fork
  std::string wire = fmt::format("{},{},{}", memory.header_fd(), memory.report_fd(), socket_fd);
  set(env, GORDIAN_WIRE_ENV, &wire);
  return env;
}

/// Where the child failed before exec; sent through a pipe that exec closes, after its number.
struct ChildFailure {
  enum Stage : int { directory, private_fs, exec } stage;
  int error;
};

struct ChildPlan {
  char* const* argv;
  char* const* envp;
  const char* binary;
  const char* working_dir;
  gordian_wire::Header* header;
  int socket_fd, header_fd, wire_report_fd, report_fd, exit_fd;
  pid_t parent;
  bool debuggable;
  const WatchFilter* watch_filter;  ///< nullptr: not watched
};

[[noreturn]] void fail(const ChildPlan& plan, ChildFailure::Stage stage) {
  ChildFailure failure{stage, errno};
  if (::write(plan.report_fd, &failure, sizeof failure) < 0) ::_exit(126);
  ::_exit(127);
}

void keep_open(int fd) {
  ::fcntl(fd, F_SETFD, 0);
}

/// A jobserver's pipe or an editor's socket that we inherited is not the program's business, and
/// would make it look unfit for forking.
void close_inherited() {
  if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int fd = 3; fd < 1024; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Between fork and exec: system calls only.
[[noreturn]] void become_target(const ChildPlan& plan) {
  ::setpgid(0, 0);
  if (plan.debuggable) ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // no Yama: nothing to allow
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGCHLD}) {
    ::signal(number, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.header->fs_dirs > 0) {
    bool userns = plan.header->fs_userns != 0;
    if (!gordian_wire::enter_mount_namespace(userns) ||
        !gordian_wire::cover_for_process(plan.header)) {
      fail(plan, ChildFailure::private_fs);
    }
    gordian_wire::own_ipc();
    if (userns) gordian_wire::drop_capabilities();
  }
  if (plan.header->flags & gordian_wire::kSameAddresses) {
    ::personality(static_cast<unsigned long>(::personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  }
  if (::chdir(plan.working_dir) != 0) fail(plan, ChildFailure::directory);
  int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, 0);
  char capture[64];
  std::snprintf(capture, sizeof capture, "/proc/self/fd/%d", plan.header->capture_fd[0]);
  int output = ::open(capture, O_RDWR | O_APPEND);  // appending, see target/agent/capture.cc
  ::dup2(output, 1);
  ::dup2(output, 2);
  if (null > 2) ::close(null);
  if (output > 2) ::close(output);
  close_inherited();
  keep_open(plan.header_fd);
  keep_open(plan.wire_report_fd);
  keep_open(plan.socket_fd);
  for (std::uint32_t i = 0; i < plan.header->workers; ++i) keep_open(plan.header->capture_fd[i]);
  if (plan.watch_filter != nullptr) {
    const int listener = plan.watch_filter->install();
    if (!send_listener(plan.socket_fd, listener, listener < 0 ? errno : 0)) ::_exit(126);
    ::close(listener);
  }
  ::execve(plan.binary, plan.argv, plan.envp);
  fail(plan, ChildFailure::exec);
}

bool spare_none(pid_t) {
  return false;
}

const ChildPlan* guarded;  // for the handler below, in the guard only

/// The guard's answer to SIGTERM: the engine wants an end, or is dead. Then it is for us to remove
/// the mount point that it made.
void end_everything(int) {
  gordian_wire::end_children_except(spare_none);
  bool orphan = ::getppid() != guarded->parent;
  if (orphan && guarded->header->fs_dirs > 0) ::rmdir(guarded->header->fs_root);
  ::_exit(0);
}

[[noreturn]] void decoy(const ChildPlan& plan, int status_fd) {
  ::close(plan.exit_fd);  // whoever ends the guard closes its pipe
  const pid_t pid = ::fork();
  if (pid == 0) become_target(plan);
  if (::write(plan.report_fd, &pid, sizeof pid) != sizeof pid) ::_exit(126);
  ::close(plan.report_fd);
  ::close(plan.socket_fd);
  int status = 0;
  if (pid > 0) gordian_wire::await_end(pid);
  if (pid > 0) status = reap(pid);
  if (::write(status_fd, &status, sizeof status) != sizeof status) ::_exit(126);
  ::_exit(0);
}

/// The program's status: from the decoy, or by ourselves if a test has killed the decoy.
int await_program(pid_t decoy_pid, int status_fd) {
  int status = 0;
  if (reap(decoy_pid) == 0 && ::read(status_fd, &status, sizeof status) == sizeof status)
    return status;
  for (;;) {
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0 || !WIFSTOPPED(status)) return status;
    gordian_wire::let_go(ended, WSTOPSIG(status));
  }
}

[[noreturn]] void guard(const ChildPlan& plan) {
  guarded = &plan;
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = end_everything;
  ::sigaction(SIGTERM, &action, nullptr);
  for (int number : {SIGINT, SIGHUP}) ::signal(number, SIG_IGN);  // the engine decides
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent) ::_exit(126);
  int status[2];
  if (::pipe2(status, O_CLOEXEC) != 0) ::_exit(126);
  const pid_t decoy_pid = ::fork();
  if (decoy_pid == 0) decoy(plan, status[1]);
  ::close(status[1]);
  ::close(plan.report_fd);
  ::close(plan.socket_fd);
  ExitReport report;
  report.wait_status = await_program(decoy_pid, status[0]);
  report.leaked_children = gordian_wire::end_children_except(spare_none);
  if (::write(plan.exit_fd, &report, sizeof report) != sizeof report) ::_exit(126);
  ::_exit(0);
}

Error describe(const ChildFailure& failure, const Target& target) {
  std::string why = std::strerror(failure.error);
  switch (failure.stage) {
    case ChildFailure::directory:
      return target_error(fmt::format("cannot enter {}: {}", target.working_dir.string(), why));
    case ChildFailure::private_fs:
      return target_error("cannot give the program a private file system: " + why,
                          "try --private-fs off");
    case ChildFailure::exec:
      break;
  }
  return target_error(fmt::format("cannot start {}: {}", target.binary.string(), why));
}

UniqueFd raised(UniqueFd fd) {
  int high = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 700);
  return high < 0 ? std::move(fd) : UniqueFd(high);
}

/// All of `size` bytes, or how many there were before the end. Whoever stands still below `guard`
/// meanwhile was stopped by a test of another process.
std::size_t read_fully(int fd, pid_t guard, void* to, std::size_t size) {
  constexpr int kLongMs = 1000;
  std::size_t done = 0;
  while (done < size) {
    pollfd coming{fd, POLLIN, 0};
    if (::poll(&coming, 1, kLongMs) == 0) wake_all(guard);
    ssize_t n = ::read(fd, static_cast<char*>(to) + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

/// A guard without a program to guard ends by itself, unless something keeps it.
void end_guard(pid_t guard) {
  constexpr int kPatienceMs = 1000;
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    if (::waitpid(guard, nullptr, WNOHANG) == guard) return;
    ::poll(nullptr, 0, 1);
  }
  ::kill(guard, SIGKILL);
  reap(guard);
}

struct Pipe {
  UniqueFd out, in;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return Pipe{raised(UniqueFd(ends[0])), raised(UniqueFd(ends[1]))};
}

/// The program waits in its exec until somebody serves the listener. True: somebody does.
bool hand_over_listener(int channel, pid_t pid, const WireMemory& memory, SyscallWatch& watch) {
  SentListener sent = receive_listener(channel);
  if (sent.error != 0) watch.refused(sent.error);
  if (!sent.listener.valid()) return false;
  watch.started(pid, std::move(sent.listener), memory.header(), memory.report());
  return true;
}

/// nullopt: guard or decoy were ended before they had started the program.
Result<std::optional<Launched>> try_launch(const Target& target, const ElfFacts& facts,
                                           WireMemory& memory, const fs::path& agent,
                                           bool debuggable, SyscallWatch* watch) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return internal_error(fmt::format("cannot make a channel: {}", std::strerror(errno)));
  }
  UniqueFd ours = raised(UniqueFd(ends[0])), theirs = raised(UniqueFd(ends[1]));
  auto report = make_pipe(), exit_report = make_pipe();
  if (!report) return report.error();
  if (!exit_report) return exit_report.error();

  std::vector<std::string> argv = {target.binary.string()};
  argv.insert(argv.end(), target.args.begin(), target.args.end());
  std::vector<std::string> env = agent_environment(target, facts, agent, memory, theirs.get());
  std::vector<char*> argp = c_pointers(argv), envp = c_pointers(env);
  std::optional<WatchFilter> filter;
  if (watch != nullptr) filter.emplace(memory.header(), theirs.get());
  ChildPlan plan{argp.data(),
                 envp.data(),
                 target.binary.c_str(),
                 target.working_dir.c_str(),
                 &memory.header(),
                 theirs.get(),
                 memory.header_fd(),
                 memory.report_fd(),
                 report->in.get(),
                 exit_report->in.get(),
                 ::getpid(),
                 debuggable,
                 filter ? &*filter : nullptr};
  const pid_t guard_pid = ::fork();
  if (guard_pid == 0) guard(plan);
  if (guard_pid < 0) return internal_error(fmt::format("fork: {}", std::strerror(errno)));
  theirs.reset();
  report->in.reset();
  exit_report->in.reset();
  // First the program's number, then nothing (it was started) or what kept it from starting.
  pid_t pid = -1;
  ChildFailure failure{};
  const auto read = [&](void* to, std::size_t size) {
    return read_fully(report->out.get(), guard_pid, to, size) == size;
  };
  const bool told = read(&pid, sizeof pid);
  const bool forked = told && pid > 0;
  bool watched = forked && watch != nullptr && hand_over_listener(ours.get(), pid, memory, *watch);
  bool failed = read(&failure, sizeof failure);
  if (forked && !failed) {
    return std::optional(Launched{guard_pid, pid, std::move(exit_report->out), std::move(ours)});
  }
  end_guard(guard_pid);
  if (watched) watch->ended(pid);
  if (failed) return describe(failure, target);
  if (!told) return std::optional<Launched>();
  return internal_error("the test process could not fork");
}

}  // namespace

Result<fs::path> find_agent() {
  if (const char* named = std::getenv("GORDIAN_AGENT")) return fs::path(named);
  std::error_code none;
  fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& candidate :
       {here / kAgentFile, here / "../lib/gordian" / kAgentFile, here / "../bin" / kAgentFile}) {
    if (fs::exists(candidate, none)) return fs::canonical(candidate, none);
  }
  return internal_error(fmt::format("{} was not found beside {}", kAgentFile, here.string()),
                        "reinstall, or name it in GORDIAN_AGENT");
}

std::vector<std::string> target_environment(const Target& target) {
  std::vector<std::string> env;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    if (!is_dropped(text.substr(0, text.find('=')))) env.emplace_back(text);
  }
  for (const EnvChange& change : target.env) {
    set(env, change.first, change.second ? &*change.second : nullptr);
  }
  return env;
}

Result<Launched> launch(const Target& target, const ElfFacts& facts, WireMemory& memory,
                        const fs::path& agent, bool debuggable, SyscallWatch* watch) {
  constexpr int kMostTries = 5;  // somebody else's test may end all it sees, again and again
  for (int i = 0; i < kMostTries; ++i) {
    auto launched = try_launch(target, facts, memory, agent, debuggable, watch);
    if (!launched) return launched.error();
    if (*launched) return std::move(**launched);
    end_orphans();
  }
  return internal_error("the test process could not be started: its guard was ended each time");
}

}  // namespace gordian
