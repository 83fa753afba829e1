// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/executor.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include "runtime/native/children.h"
#include "runtime/native/snapshot_support.h"
#include "symbols/backtrace.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

/// What about the binary itself speaks against snapshots.
std::string snapshot_obstacle(const ElfFacts& facts) {
  if (facts.sanitizer == Sanitizer::none || facts.sanitizer == Sanitizer::undefined) return {};
  return fmt::format("the {} sanitizer keeps state about memory that we cannot put back",
                     to_string(facts.sanitizer));
}

std::string indented(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\n' ? std::string("\n    ") : std::string(1, c);
  while (out.ends_with(' ') || out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace

Executor::Executor(Target target, ElfFacts facts, Framework framework, ExecutorOptions options)
    : target_(std::move(target)),
      facts_(std::move(facts)),
      options_(std::move(options)),
      addresses_(framework) {
  if (options_.watch != nullptr) {
    options_.snapshots = false;
    options_.jobs = 1;
  }
  if (options_.counters_stay) addresses_.leave_counters();
  std::error_code none;
  addresses_.remember(std::filesystem::canonical(target_.binary, none), options_.hook_offsets);
}

std::string Executor::executable() const {
  std::error_code none;
  return std::filesystem::canonical(target_.binary, none).string();
}

Executor::~Executor() {
  constexpr auto kPatience = std::chrono::seconds(5);
  if (server_ && server_->state() == TargetProcess::State::ready) server_->quit(kPatience);
}

Result<std::unique_ptr<Executor>> Executor::open(const Target& target, const ElfFacts& facts,
                                                 const FrameworkFinding& framework,
                                                 ExecutorOptions options) {
  std::unique_ptr<Executor> executor(
      new Executor(target, facts, framework.framework, std::move(options)));
  if (Status prepared = executor->prepare(); !prepared) return prepared.error();
  auto avoided = avoided_backends();
  if (!avoided) return avoided.error();
  executor->avoided_backends_ = *avoided;
  if (Status started = executor->ensure_server(); !started) return started.error();
  if (Status read = executor->read_suite(*executor->server_, framework); !read) {
    return read.error();
  }
  executor->judge_fork();
  executor->judge_snapshots();
  return executor;
}

Result<Suite> Executor::list(const Target& target, const ElfFacts& facts,
                             const FrameworkFinding& framework, ExecutorOptions options) {
  Executor executor(target, facts, framework.framework, std::move(options));
  if (Status prepared = executor.prepare(); !prepared) return prepared.error();
  LaunchSpec spec = executor.launch_spec(1, 16);
  spec.list_only = true;
  auto process = executor.start_ready(spec);
  if (!process) return process.error();
  if (Status read = executor.read_suite(**process, framework); !read) return read.error();
  return executor.suite_;
}

/// Before the first start.
Status Executor::prepare() {
  adopt_orphans();
  auto agent = find_agent();
  if (!agent) return agent.error();
  agent_ = *agent;
  return options_.private_fs ? prepare_private_fs() : Status();
}

Status Executor::prepare_private_fs() {
  if (facts_.coverage != CounterKind::none && !options_.private_fs_required &&
      !options_.counters_stay) {
    notices_.push_back({Notice::Level::info,
                        "private files are off: this is a coverage build, and its counters must "
                        "reach the disk"});
    return {};
  }
  auto prepared = PrivateFs::prepare(target_, options_.private_dirs);
  if (prepared) {
    private_fs_.emplace(std::move(*prepared));
    return {};
  }
  if (prepared.error().kind == ErrorKind::internal) {  // never into the real files by accident
    return target_error(prepared.error().message,
                        "try again; --private-fs off runs the tests in your real directories");
  }
  if (options_.private_fs_required) return prepared.error();
  notices_.push_back({Notice::Level::warning,
                      fmt::format("private files are off: {}; files that tests leave behind can "
                                  "carry over from one test to the next",
                                  prepared.error().message)});
  return {};
}

LaunchSpec Executor::launch_spec(std::uint32_t workers, std::uint32_t tokens) const {
  LaunchSpec spec;
  spec.target = target_;
  spec.facts = facts_;
  spec.agent = agent_;
  spec.workers = workers;
  spec.tokens = tokens;
  spec.private_fs = private_fs_ ? &*private_fs_ : nullptr;
  spec.snapshots = options_.snapshots && snapshot_obstacle(facts_).empty();
  spec.watch = options_.watch;
  spec.avoid_backends = avoided_backends_;
  spec.verify_snapshots = options_.verify_snapshots;
  spec.same_addresses = options_.same_addresses;
  spec.debuggable = options_.debuggable;
  spec.run_disabled = options_.also_disabled;
  return spec;
}

Result<std::unique_ptr<TargetProcess>> Executor::start_ready(const LaunchSpec& spec) {
  auto process = TargetProcess::start(spec, addresses_);
  if (!process) return process.error();
  if (Status ready = wait_until_ready(**process); !ready) return ready.error();
  return process;
}

Status Executor::wait_until_ready(TargetProcess& process) {
  const auto deadline = Clock::now() + options_.start_timeout;
  while (process.state() != TargetProcess::State::ready) {
    if (process.state() == TargetProcess::State::gone) return start_failure(process);
    if (options_.should_stop()) return Error{ErrorKind::interrupted, "interrupted", ""};
    if (Clock::now() > deadline) {
      std::string where;
      if (auto stack = read_stack(process.pid(), process.pid(), 8); stack && !stack->empty()) {
        where = fmt::format(" (it is in {})", stack->front().function);
      }
      return target_error(fmt::format("the program did not reach its first test in {} s{}",
                                      options_.start_timeout.count() / 1000, where),
                          "give it more time with --start-timeout");
    }
    wait_for(process.descriptors());
    process.pump();
  }
  if (!process.trouble().empty()) return start_failure(process);
  return {};
}

Error Executor::start_failure(const TargetProcess& process) const {
  if (!process.trouble().empty()) {
    return unhookable_error(process.trouble(), process.trouble_hint());
  }
  int status = process.exit_status();
  std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                        : fmt::format("exited with code {}", WEXITSTATUS(status));
  std::string said = process.memory().early_output();
  if (said.size() > 2000) said = "..." + said.substr(said.size() - 2000);
  return target_error(fmt::format("{} {} before its first test", target_.binary.string(), how),
                      said.empty() ? "run it by hand to see why" : "it printed: " + indented(said));
}

Status Executor::ensure_server() {
  if (server_ && server_->state() == TargetProcess::State::ready) return {};
  server_.reset();
  end_orphans();
  auto started =
      start_ready(launch_spec(static_cast<std::uint32_t>(options_.jobs), Executor::kServerTokens));
  if (!started) return started.error();
  server_ = std::move(*started);
  server_untouched_ = true;
  return {};
}

Result<std::unique_ptr<TargetProcess>> Executor::take_process() {
  if (!server_untouched_) server_.reset();
  if (Status ready = ensure_server(); !ready) return ready.error();
  return std::move(server_);
}

Status Executor::read_suite(const TargetProcess& process, const FrameworkFinding& framework) {
  auto tests = process.memory().tests();
  if (!tests) return tests.error();
  if (options_.also_disabled) {
    for (Test& test : *tests) test.will_run = test.will_run || test.disabled;
  }
  suite_ = Suite(framework.framework, framework.version, std::move(*tests));
  options_.limits.own_timeouts = own_timeouts(suite_, options_.overrides);
  return {};
}

void Executor::judge_snapshots() {
  if (!options_.snapshots) return;
  const gordian_wire::Report& start = server_->memory().at_start();
  snapshot_problem_ = snapshot_obstacle(facts_);
  if (!snapshot_problem_.empty()) return;
  snapshot_problem_ = describe(static_cast<gordian_wire::SnapshotSupport>(start.snapshots));
  snapshot_backend_ = to_string(static_cast<gordian_wire::SnapshotBackend>(start.snapshot_backend));
}

/// A page that did not come back is a bug of ours, and results after it are worth nothing.
void Executor::take_differences(const Plan& plan) {
  gordian_wire::Report& report = server_->memory().report();
  verified_ += std::exchange(report.verified, 0u);
  std::uint32_t count = std::exchange(report.differences, 0u);
  for (std::uint32_t i = 0; i < std::min(count, +gordian_wire::kMostDifferences); ++i) {
    const gordian_wire::Difference d = report.difference[i];
    const std::uint64_t at = std::uint64_t{d.branch} + 2;
    std::int32_t test = at < plan.tokens().size() ? plan.tokens()[at] : -1;
    std::string name = test >= 0 ? suite_.test(TestId{static_cast<std::uint32_t>(test)}).full_name()
                                 : std::string("a test");
    notices_.push_back(
        {Notice::Level::warning,
         fmt::format("a bug of Gordian: {} bytes at {:#x} ({}) did not come back after {}; please "
                     "report it, and use --isolate fork",
                     d.bytes, d.address, symbol_at(server_->pid(), d.address), name)});
  }
}

void Executor::judge_fork() {
  const gordian_wire::Report& start = server_->memory().at_start();
  if (start.setup_failed == 1) {
    auto failure = server_->memory().failure(start.setup_text);
    notices_.push_back({Notice::Level::warning,
                        fmt::format("global set-up reported a failure{}; the framework counts the "
                                    "whole program as failed",
                                    failure ? ": " + failure->message : "")});
  }
  if (start.threads > 1) {
    fork_problems_.push_back(fmt::format(
        "{} threads run before the first test, and a forked copy has only one", start.threads));
  }
  if (start.odd_fds > 0) {
    fork_problems_.push_back(fmt::format(
        "{} sockets, pipes or similar are open before the first test, and forked copies share them",
        start.odd_fds));
  }
  if (start.locked_memory != 0) {
    fork_problems_.push_back(
        "memory is locked (mlock) before the first test, and in forked copies it is not");
  }
  if (start.shared_maps > 0) {
    fork_problems_.push_back(fmt::format(
        "{} writable shared mappings exist before the first test, and forked copies share them",
        start.shared_maps));
  }
}

}  // namespace gordian
