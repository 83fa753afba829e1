// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Executor's runs in fresh processes: the reference that all others must agree with.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "engine/executor.h"
#include "engine/plan_progress.h"
#include "engine/waiting.h"
#include "symbols/backtrace.h"

namespace gordian {

using Clock = std::chrono::steady_clock;

/// On a quiet machine each start uses up as many process numbers as the last one, so a test that
/// looks at its number would see the same remainder every time: one is left out in between.
static void skip_process_number() {
  const pid_t child = ::vfork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
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
  std::size_t index = 0;
  Plan plan;
  std::unique_ptr<TargetProcess> process;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Watchdog> watchdog;
  std::unique_ptr<PlanProgress> progress;
  Clock::time_point started = Clock::now();

  bool gone() const { return process->state() == TargetProcess::State::gone; }
};

Result<std::unique_ptr<Executor::FreshRun>> Executor::begin_fresh(std::size_t index,
                                                                  const Order& order,
                                                                  RunListener& listener) {
  auto run = std::make_unique<FreshRun>();
  run->index = index;
  run->plan = Plan::in_process(order);
  auto process = start_fresh(run->plan);
  if (!process) return process.error();
  run->process = std::move(*process);
  WireMemory& memory = run->process->memory();
  run->decoder = std::make_unique<Decoder>(memory, run->plan);
  run->watchdog = std::make_unique<Watchdog>(memory, run->process->guard(), run->plan,
                                             *run->decoder, options_.limits);
  run->progress = std::make_unique<PlanProgress>(run->plan, *run->decoder, listener, 256,
                                                 PlanProgress::Repeats::of_lost);
  step_fresh(*run);
  return run;
}

/// Takes what has arrived and does what is due.
void Executor::step_fresh(FreshRun& run) {
  run.process->pump();
  if (run.process->state() == TargetProcess::State::ready) run.process->run_inline(run.plan);
  if (run.process->state() == TargetProcess::State::inlined) {
    run.watchdog->check();
    if (run.watchdog->stuck()) run.process->kill();
    run.progress->advance({});
  } else if (!run.gone() && Clock::now() - run.started > options_.start_timeout) {
    run.process->kill();
  }
}

/// A test that wrote over our memory took the results of those before it with it. They are had
/// again, from the same order up to it.
void Executor::recover_results(OrderRun& result) {
  const auto culprit = std::find_if(result.runs.begin(), result.runs.end(),
                                    [](const TestRun& run) { return has_overwritten(run.outcome); });
  const auto lost = [](const TestRun& run) { return run.outcome.kind == OutcomeKind::lost; };
  if (culprit == result.runs.end() || std::none_of(result.runs.begin(), culprit, lost)) return;
  if (options_.should_stop()) return;
  const Order before(result.order.begin(), result.order.begin() + (culprit - result.runs.begin()));
  RunListener silent;
  auto again = run_fresh({&before, 1}, silent);
  if (!again) return;
  for (std::size_t p = 0; p < before.size(); ++p) {
    if (lost(result.runs[p])) result.runs[p] = std::move(again->front().runs[p]);
  }
}

void Executor::end_fresh(FreshRun& run, OrderRun& result) {
  ProcessState state{true, run.gone(), run.process->exit_status(), run.process->leaked_children()};
  run.progress->advance(state);
  for (std::size_t p = 0; p < result.runs.size(); ++p) {
    result.runs[p] = run.progress->result(run.plan.positions(0)[p], state, true);
  }
  recover_results(result);
  run.progress->settle(0, result.runs);
}

Result<std::vector<OrderRun>> Executor::run_fresh(std::span<const Order> orders,
                                                  RunListener& listener) {
  std::vector<OrderRun> results = unrun(orders);
  std::vector<std::unique_ptr<FreshRun>> running;
  std::size_t total = 0, done = 0, next = 0;
  for (const Order& order : orders) total += order.size();

  while (next < orders.size() || !running.empty()) {
    const bool stop = options_.should_stop();
    while (!stop && next < orders.size() &&
           running.size() < static_cast<std::size_t>(options_.jobs)) {
      for (std::size_t skipped = next % 4; skipped > 0; --skipped) skip_process_number();
      auto begun = begin_fresh(next, orders[next], listener);
      if (!begun) return begun.error();
      running.push_back(std::move(*begun));
      ++next;
    }
    std::vector<pollfd> fds;
    for (const auto& run : running) {
      auto more = run->process->descriptors();
      fds.insert(fds.end(), more.begin(), more.end());
    }
    if (!stop) wait_for(fds);
    std::vector<RunningTest> now;
    std::size_t progressed = done;
    for (auto& run : running) {
      if (stop) {
        run->watchdog->stop_all();
        run->process->kill();
      }
      step_fresh(*run);
      for (const RunningTest& test : run->watchdog->running()) now.push_back(test);
      progressed += run->progress->done();
      if (!run->gone()) continue;
      end_fresh(*run, results[run->index]);
      done += run->progress->done();
    }
    std::erase_if(running, [](const auto& run) { return run->gone(); });
    listener.tick(now, progressed, total);
    if (stop) break;
  }
  return results;
}

std::vector<StackFrame> Executor::crash_stack(const Order& order) {
  std::vector<StackFrame> stack;
  auto read = [&stack](pid_t pid) {
    if (auto frames = read_stack(pid, pid)) stack = std::move(*frames);
  };
  if (!run_to_crash(
          order, [](pid_t) {}, read))
    return {};
  return stack;
}

}  // namespace gordian
