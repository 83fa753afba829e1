// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/executor.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "engine/children.h"
#include "engine/plan_progress.h"
#include "symbols/backtrace.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kServerTokens = 1u << 20;
constexpr auto kTick = std::chrono::milliseconds(50);

/// Sleeps until one of the descriptors has something, or a tick has passed.
void wait_for(std::vector<pollfd> fds, std::chrono::milliseconds most = kTick) {
  ::poll(fds.data(), fds.size(), static_cast<int>(most.count()));
}

}  // namespace

Executor::Executor(Target target, ElfFacts facts, ExecutorOptions options)
    : target_(std::move(target)), facts_(std::move(facts)), options_(std::move(options)) {}

Result<std::unique_ptr<Executor>> Executor::open(const Target& target, const ElfFacts& facts,
                                                 std::string framework_version,
                                                 ExecutorOptions options) {
  adopt_orphans();
  std::unique_ptr<Executor> executor(new Executor(target, facts, std::move(options)));
  auto agent = find_agent();
  if (!agent) return agent.error();
  executor->agent_ = *agent;
  if (Status prepared = executor->prepare_private_fs(); !prepared) return prepared.error();
  if (Status started = executor->ensure_server(); !started) return started.error();
  Status read = executor->read_suite(*executor->server_, std::move(framework_version));
  if (!read) return read.error();
  executor->judge_fork();
  return executor;
}

Result<Suite> Executor::list(const Target& target, const ElfFacts& facts,
                             std::string framework_version, ExecutorOptions options) {
  adopt_orphans();
  Executor executor(target, facts, std::move(options));
  auto agent = find_agent();
  if (!agent) return agent.error();
  executor.agent_ = *agent;
  if (Status prepared = executor.prepare_private_fs(); !prepared) return prepared.error();
  LaunchSpec spec = executor.launch_spec(1, 16);
  spec.list_only = true;
  auto process = executor.start_ready(spec);
  if (!process) return process.error();
  Status read = executor.read_suite(**process, std::move(framework_version));
  if (!read) return read.error();
  return executor.suite_;
}

Status Executor::prepare_private_fs() {
  if (!options_.private_fs) return {};
  if (facts_.coverage != Coverage::none && !options_.private_fs_required) {
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
  std::string how = WIFSIGNALED(status)
                        ? fmt::format("was killed by signal {}", WTERMSIG(status))
                        : fmt::format("exited with code {}", WEXITSTATUS(status));
  std::string said = process.memory().early_output();
  if (said.size() > 2000) said = "..." + said.substr(said.size() - 2000);
  return target_error(fmt::format("the program {} before its first test", how),
                      said.empty() ? "run it by hand to see why" : "it printed:\n" + said);
}

Status Executor::ensure_server() {
  if (server_ && server_->state() == TargetProcess::State::ready) return {};
  server_.reset();
  end_orphans();
  auto started = start_ready(launch_spec(static_cast<std::uint32_t>(options_.jobs), kServerTokens));
  if (!started) return started.error();
  server_ = std::move(*started);
  server_untouched_ = true;
  return {};
}

Status Executor::read_suite(const TargetProcess& process, std::string framework_version) {
  auto tests = process.memory().tests();
  if (!tests) return tests.error();
  suite_ = Suite(Framework::gtest, std::move(framework_version), std::move(*tests));
  return {};
}

void Executor::judge_fork() {
  const gordian_wire::Header& header = server_->memory().header();
  if (header.setup_failed == 1) {
    auto failure = server_->memory().failure(header.setup_text);
    notices_.push_back({Notice::Level::warning,
                        fmt::format("global set-up reported a failure{}; the framework counts the "
                                    "whole program as failed",
                                    failure ? ": " + failure->message : "")});
  }
  if (header.threads > 1) {
    fork_problems_.push_back(fmt::format(
        "{} threads run before the first test, and a forked copy has only one", header.threads));
  }
  if (header.odd_fds > 0) {
    fork_problems_.push_back(fmt::format(
        "{} sockets, pipes or similar are open before the first test, and forked copies share them",
        header.odd_fds));
  }
  if (header.shared_maps > 0) {
    fork_problems_.push_back(fmt::format(
        "{} writable shared mappings exist before the first test, and forked copies share them",
        header.shared_maps));
  }
}

ProcessState Executor::drive(const Plan& plan, Decoder& decoder, RunListener& listener) {
  TargetProcess& server = *server_;
  Watchdog watchdog(server.memory(), plan, decoder, options_.limits);
  PlanProgress progress(plan, decoder, listener, 256 + 64 * static_cast<std::size_t>(options_.jobs));
  server_untouched_ = false;
  server.run(plan);
  while (server.state() == TargetProcess::State::busy) {
    wait_for(server.descriptors());
    server.pump();
    if (server.state() != TargetProcess::State::busy) break;
    if (options_.should_stop()) {
      watchdog.stop_all();
      server.kill();
      break;
    }
    watchdog.check();
    progress.advance({});
    listener.tick(watchdog.running(), progress.done(), plan.tests().size());
  }
  bool exited = server.state() == TargetProcess::State::gone;
  ProcessState state{true, exited, exited ? server.exit_status() : 0};
  progress.advance(state);
  return state;
}

Result<std::vector<OrderRun>> Executor::run_forked(std::span<const Order> orders, Shape shape,
                                                   RunListener& listener) {
  constexpr int kMostTries = 3;
  std::vector<OrderRun> results(orders.size());
  struct Job {
    std::size_t index;
    bool flat;
    int tries;
  };
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < orders.size(); ++i) jobs.push_back({i, shape == Shape::flat, 0});

  while (!jobs.empty() && !options_.should_stop()) {
    if (Status ready = ensure_server(); !ready) return ready.error();
    // One batch: as many jobs of one shape as fit.
    const bool flat = jobs.front().flat;
    std::vector<Order> batch;
    std::size_t taken = 0, tokens = 1;
    for (; taken < jobs.size() && jobs[taken].flat == flat; ++taken) {
      std::size_t need = 3 + 4 * orders[jobs[taken].index].size();
      if (taken > 0 && tokens + need > kServerTokens) break;
      tokens += need;
      batch.push_back(orders[jobs[taken].index]);
    }
    Plan plan = flat ? Plan::flat(batch) : Plan::tree(batch);
    if (plan.tokens().size() > kServerTokens) return usage_error("an order is too long");
    Decoder decoder(server_->memory(), plan);
    ProcessState state = drive(plan, decoder, listener);

    std::vector<Job> again;
    for (std::size_t i = 0; i < taken; ++i) {
      Job job = jobs[i];
      OrderRun& result = results[job.index];
      result = {batch[i], {}};
      bool refused = false, lost = false;
      for (std::uint32_t token : plan.positions(i)) {
        refused = refused || decoder.refused_branch(token).has_value();
        result.runs.push_back(*decoder.result(token, state));
        lost = lost || result.runs.back().outcome.kind == OutcomeKind::lost;
      }
      ++job.tries;
      if (refused) {
        again.push_back({job.index, true, job.tries});
      } else if (lost && job.tries < kMostTries && !options_.should_stop()) {
        again.push_back({job.index, true, job.tries});
      }
    }
    jobs.erase(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(taken));
    jobs.insert(jobs.end(), again.begin(), again.end());
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    OrderRun& result = results[i];
    result.order = orders[i];
    while (result.runs.size() < orders[i].size()) {
      TestRun run;
      run.test = orders[i][result.runs.size()];
      result.runs.push_back(run);
    }
  }
  return results;
}

/// The server that open() started has run nothing yet: it is as fresh as a new process.
Result<std::unique_ptr<TargetProcess>> Executor::start_fresh(const Plan& plan) {
  if (server_ && server_untouched_ && plan.tokens().size() <= kServerTokens) {
    return std::move(server_);
  }
  auto capacity = static_cast<std::uint32_t>(plan.tokens().size() + 1);
  return TargetProcess::start(launch_spec(1, capacity), addresses_);
}

/// One fresh process at work.
struct Executor::FreshRun {
  std::size_t index;
  std::unique_ptr<TargetProcess> process;
  Plan plan;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Watchdog> watchdog;
  std::unique_ptr<PlanProgress> progress;
  Clock::time_point started = Clock::now();
};

Result<std::vector<OrderRun>> Executor::run_fresh(std::span<const Order> orders,
                                                  RunListener& listener) {
  std::vector<OrderRun> results(orders.size());
  std::size_t total = 0, done = 0, next = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    results[i].order = orders[i];
    for (TestId test : orders[i]) {
      TestRun run;
      run.test = test;
      results[i].runs.push_back(run);
    }
    total += orders[i].size();
  }
  std::vector<std::unique_ptr<FreshRun>> running;

  auto finish = [&](FreshRun& run) {
    bool exited = run.process->state() == TargetProcess::State::gone;
    ProcessState state{true, exited, run.process->exit_status()};
    run.progress->advance(state);
    OrderRun& result = results[run.index];
    for (std::size_t p = 0; p < result.runs.size(); ++p) {
      result.runs[p] = *run.decoder->result(run.plan.positions(0)[p], state);
    }
    done += run.progress->done();
    if (!result.runs.empty()) result.runs.back().leaks.children = run.process->leaked_children();
    run.process.reset();
  };

  while (next < orders.size() || !running.empty()) {
    if (options_.should_stop()) {
      for (auto& run : running) {
        run->watchdog->stop_all();
        run->process->kill();
        finish(*run);
      }
      break;
    }
    while (next < orders.size() && running.size() < static_cast<std::size_t>(options_.jobs)) {
      const Order& order = orders[next];
      auto run = std::make_unique<FreshRun>();
      run->index = next++;
      run->plan = Plan::in_process(order);
      auto process = start_fresh(run->plan);
      if (!process) return process.error();
      run->process = std::move(*process);
      WireMemory& memory = run->process->memory();
      run->decoder = std::make_unique<Decoder>(memory, run->plan);
      run->watchdog =
          std::make_unique<Watchdog>(memory, run->plan, *run->decoder, options_.limits);
      run->progress = std::make_unique<PlanProgress>(run->plan, *run->decoder, listener, 256);
      running.push_back(std::move(run));
    }
    std::vector<pollfd> fds;
    for (const auto& run : running) {
      auto more = run->process->descriptors();
      fds.insert(fds.end(), more.begin(), more.end());
    }
    wait_for(fds);
    std::vector<RunningTest> now;
    std::size_t progressed = done;
    for (auto& run : running) {
      run->process->pump();
      if (run->process->state() == TargetProcess::State::ready) run->process->run_inline(run->plan);
      if (run->process->state() == TargetProcess::State::inlined) {
        run->watchdog->check();
        run->progress->advance({});
        for (const RunningTest& test : run->watchdog->running()) now.push_back(test);
      } else if (run->process->state() != TargetProcess::State::gone &&
                 Clock::now() - run->started > options_.start_timeout) {
        run->process->kill();
      }
      progressed += run->progress->done();
    }
    for (auto& run : running) {
      if (run->process->state() == TargetProcess::State::gone) finish(*run);
    }
    std::erase_if(running, [](const auto& run) { return run->process == nullptr; });
    listener.tick(now, progressed, total);
  }
  return results;
}

std::vector<StackFrame> Executor::crash_stack(const Order& order) {
  LaunchSpec spec = launch_spec(1, static_cast<std::uint32_t>(4 * order.size() + 16));
  spec.stop_on_crash = true;
  auto process = start_ready(spec);
  if (!process) return {};
  Plan plan = Plan::in_process(order);
  Decoder decoder((*process)->memory(), plan);
  Watchdog watchdog((*process)->memory(), plan, decoder, options_.limits);
  (*process)->run_inline(plan);
  std::vector<StackFrame> stack;
  while ((*process)->state() == TargetProcess::State::inlined && !options_.should_stop()) {
    wait_for((*process)->descriptors(), std::chrono::milliseconds(2));
    (*process)->pump();
    gordian_wire::WorkerState& worker = (*process)->memory().header().worker[0];
    if (__atomic_load_n(&worker.crashed, __ATOMIC_ACQUIRE) != 0) {
      auto frames = read_stack((*process)->pid(), (*process)->pid());
      if (frames) stack = std::move(*frames);
      __atomic_store_n(&worker.crashed, 0u, __ATOMIC_RELEASE);
    }
    watchdog.check();
  }
  return stack;
}

}  // namespace gordian
