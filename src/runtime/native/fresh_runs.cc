// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Executor's runs in fresh processes: the reference that all others must agree with.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/native/decode.h"
#include "runtime/native/executor.h"
#include "runtime/native/target_process.h"
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
  bool alone = true;  ///< no other was at work meanwhile

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
  if (run.process->state() == TargetProcess::State::ready) {
    run.process->run_inline(run.plan);
    run.watchdog->start_over();
  }
  if (run.process->state() == TargetProcess::State::inlined) {
    run.watchdog->check();
    if (run.watchdog->stuck()) run.process->kill();
    run.progress->advance({});
    return;
  }
  if (run.gone()) return;
  run.watchdog->wake_above(run.process->pid());
  if (Clock::now() - run.started > options_.start_timeout) run.process->kill();
}

/// A test that wrote over our memory took the results of those before it with it. They are had
/// again, from the same order up to it.
void Executor::recover_results(OrderRun& result) {
  const auto culprit = std::find_if(result.runs.begin(), result.runs.end(), [](const TestRun& run) {
    return has_overwritten(run.outcome);
  });
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

/// Its process vanished, which may be the doing of a test that ran beside it. Keeps what the
/// listener knows already.
Executor::Vanished Executor::keep_told(const FreshRun& run, OrderRun& result) {
  Vanished vanished{run.index, std::vector<bool>(result.runs.size())};
  for (std::size_t p = 0; p < result.runs.size(); ++p) {
    const std::uint32_t token = run.plan.positions(0)[p];
    if (!run.progress->told(token)) continue;
    vanished.told[p] = true;
    result.runs[p] = run.progress->result(token, {}, true);
  }
  return vanished;
}

/// Once more, with nobody beside it: if it vanishes again, that is its own doing.
Status Executor::run_again_alone(const Vanished& vanished, OrderRun& result,
                                 RunListener& listener) {
  RunListener silent;
  auto begun = begin_fresh(vanished.index, result.order, silent);
  if (!begun) return begun.error();
  FreshRun& run = **begun;
  while (!run.gone() && !options_.should_stop()) {
    wait_for(run.process->descriptors());
    step_fresh(run);
  }
  if (!run.gone()) run.watchdog->stop_all();
  run.process->kill();
  OrderRun again = result;
  end_fresh(run, again);
  for (std::size_t p = 0; p < result.runs.size(); ++p) {
    if (vanished.told[p]) continue;
    result.runs[p] = std::move(again.runs[p]);
    if (listener.wants_results()) listener.test_finished(result.runs[p]);
  }
  return {};
}

/// Begins with further orders until as many as wanted are at work.
Status Executor::begin_more(std::span<const Order> orders, std::size_t& next, FreshRuns& running,
                            RunListener& listener) {
  while (next < orders.size() && running.size() < static_cast<std::size_t>(options_.jobs)) {
    for (std::size_t skipped = next % 4; skipped > 0; --skipped) skip_process_number();
    auto begun = begin_fresh(next, orders[next], listener);
    if (!begun) return begun.error();
    running.push_back(std::move(*begun));
    ++next;
    for (const auto& run : running) run->alone = run->alone && running.size() == 1;
  }
  return {};
}

Result<std::vector<OrderRun>> Executor::run_fresh(std::span<const Order> orders,
                                                  RunListener& listener) {
  std::vector<OrderRun> results = unrun(orders);
  FreshRuns running;
  std::vector<Vanished> vanished;
  std::size_t total = 0, done = 0, next = 0;
  for (const Order& order : orders) total += order.size();

  while (next < orders.size() || !running.empty()) {
    const bool stop = options_.should_stop();
    if (!stop) {
      if (Status begun = begin_more(orders, next, running, listener); !begun) return begun.error();
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
      OrderRun& result = results[run->index];
      if (run->process->vanished() && !run->alone && !stop) {
        vanished.push_back(keep_told(*run, result));
      } else {
        end_fresh(*run, result);
      }
      done += run->progress->done();
    }
    std::erase_if(running, [](const auto& run) { return run->gone(); });
    listener.tick(now, progressed, total);
    if (stop) break;
  }
  for (const Vanished& order : vanished) {
    if (options_.should_stop()) break;
    Status ran = run_again_alone(order, results[order.index], listener);
    if (!ran) return ran.error();
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
