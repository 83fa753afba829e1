// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Executor's runs in forks of the snapshot.
#include <algorithm>

#include "runtime/native/decode.h"
#include "runtime/native/executor.h"
#include "runtime/native/target_process.h"

namespace gordian {

std::vector<OrderRun> Executor::unrun(std::span<const Order> orders) {
  std::vector<OrderRun> results;
  for (const Order& order : orders) {
    OrderRun result{order, {}};
    for (TestId test : order) result.runs.emplace_back(test);
    results.push_back(std::move(result));
  }
  return results;
}

ProcessState Executor::drive(const Plan& plan, Decoder& decoder, PlanProgress& progress,
                             const Telling& telling) {
  TargetProcess& server = *server_;
  Watchdog watchdog(server.memory(), server.guard(), plan, decoder, options_.limits);
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
    if (watchdog.stuck()) server.kill();
    progress.advance({});
    telling.listener.tick(watchdog.running(), telling.done + progress.done(), telling.total);
  }
  bool exited = server.state() == TargetProcess::State::gone;
  ProcessState state{true, exited, exited ? server.exit_status() : 0};
  progress.advance(state);
  return state;
}

/// As many jobs of one shape as fit into one plan and may; taken from the front of `jobs`.
std::vector<Executor::ForkJob> Executor::take_batch(std::span<const Order> orders,
                                                    std::vector<ForkJob>& jobs) const {
  std::size_t taken = 0, tokens = 1;
  for (; taken < jobs.size() && jobs[taken].flat == jobs.front().flat; ++taken) {
    if (taken >= std::min(jobs.front().most, jobs[taken].most)) break;
    std::size_t need = 3 + 4 * orders[jobs[taken].index].size();
    if (taken > 0 && tokens + need > kServerTokens) break;
    tokens += need;
  }
  auto end = jobs.begin() + static_cast<std::ptrdiff_t>(taken);
  std::vector<ForkJob> batch(jobs.begin(), end);
  jobs.erase(jobs.begin(), end);
  return batch;
}

/// Runs a batch; what has to be run again is returned. A test that ends the process which all are
/// forked from takes the results of those with it that share its plan: half as many may do so next
/// time, until it is alone with what it does.
Result<std::vector<Executor::ForkJob>> Executor::run_batch(std::span<const Order> orders,
                                                           const std::vector<ForkJob>& batch,
                                                           std::vector<OrderRun>& results,
                                                           Telling& telling) {
  constexpr int kMostTries = 2;
  std::vector<Order> wanted;
  for (const ForkJob& job : batch) wanted.push_back(orders[job.index]);
  const bool flat = batch.front().flat;  // in a tree, orders share what they begin with
  Plan plan = flat ? Plan::flat(wanted) : Plan::tree(wanted);
  if (plan.tokens().size() > kServerTokens) return usage_error("an order is too long");
  Decoder decoder(server_->memory(), plan);
  PlanProgress progress(plan, decoder, telling.listener,
                        256 + 64 * static_cast<std::size_t>(options_.jobs),
                        PlanProgress::Repeats::maybe);
  ProcessState state = drive(plan, decoder, progress, telling);
  if (options_.verify_snapshots) take_differences(plan);

  std::vector<ForkJob> again;
  bool any_lost = false;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    OrderRun& result = results[batch[i].index];
    result = {wanted[i], {}};
    bool refused = false, lost = false;
    for (std::uint32_t token : plan.positions(i)) {
      const bool unsafe = decoder.refused_branch(token).has_value();
      refused = refused || (unsafe && !flat);
      lost = lost || (unsafe && flat);  // there is nothing to refuse: somebody else wrote that
      result.runs.push_back(progress.result(token, state, flat));
      const Outcome& outcome = result.runs.back().outcome;
      lost = lost || (outcome.kind == OutcomeKind::lost && !is_refusal(outcome));
    }
    any_lost = any_lost || lost;
    const int tries = batch[i].tries + (batch.size() == 1 ? 1 : 0);
    const std::size_t most = lost ? (batch.size() + 1) / 2 : batch[i].most;
    if (options_.should_stop() || !(refused || lost)) {
      progress.settle(i, result.runs);
    } else if (refused || tries < kMostTries) {
      again.push_back({batch[i].index, true, tries, most});
    } else {
      telling.lost.push_back(batch[i].index);
    }
  }
  telling.done += progress.done();
  if (any_lost) server_->kill();  // what a test has done to its memory must not stay there
  return again;
}

/// Orders whose results no fork brings back, each in a process and memory of its own: there it is
/// their own doing, and nobody else's.
Status Executor::run_lost(std::span<const Order> orders, std::vector<OrderRun>& results,
                          Telling& telling) {
  std::vector<Order> lost;
  for (std::size_t index : telling.lost) lost.push_back(orders[index]);
  RunListener silent;
  if (lost.empty()) return {};
  auto fresh = run_fresh(lost, silent);
  if (!fresh) return options_.should_stop() ? Status{} : Status{fresh.error()};
  for (std::size_t i = 0; i < lost.size(); ++i) {
    OrderRun& result = results[telling.lost[i]];
    result = std::move((*fresh)[i]);
    for (const TestRun& run : result.runs) telling.listener.test_finished(run);
    telling.done += result.runs.size();
  }
  return {};
}

Result<std::vector<OrderRun>> Executor::run_forked(std::span<const Order> orders, Shape shape,
                                                   RunListener& listener) {
  std::vector<OrderRun> results = unrun(orders);
  std::vector<ForkJob> jobs;
  for (std::size_t i = 0; i < orders.size(); ++i) jobs.push_back({i, shape == Shape::flat, 0});
  Telling telling{listener};
  for (const Order& order : orders) telling.total += order.size();
  while (!jobs.empty() && !options_.should_stop()) {
    if (Status ready = ensure_server(); !ready) {
      if (options_.should_stop()) break;  // it was being started; what was run before is kept
      return ready.error();
    }
    std::vector<ForkJob> batch = take_batch(orders, jobs);
    auto again = run_batch(orders, batch, results, telling);
    if (!again) return again.error();
    jobs.insert(jobs.end(), again->begin(), again->end());
  }
  if (Status ran = run_lost(orders, results, telling); !ran) return ran.error();
  return results;
}

}  // namespace gordian
