// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "process/process_runner.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "engine/children.h"

namespace gordian {
namespace {

constexpr int kTickMs = 50;

/// Waits until one of them has something to tell.
void wait_for_news(const std::map<std::size_t, std::unique_ptr<OrderProcess>>& running) {
  std::vector<pollfd> waits;
  for (const auto& [index, process] : running) {
    waits.push_back({process->event_fd(), POLLIN, 0});
    if (process->channel_fd() >= 0) waits.push_back({process->channel_fd(), POLLIN, 0});
  }
  ::poll(waits.data(), waits.size(), kTickMs);
}

}  // namespace

Result<std::unique_ptr<ProcessRunner>> ProcessRunner::open(ProcessSuite suite,
                                                           ExecutorOptions options) {
  adopt_orphans();
  auto locks = ResourceLocks::make(suite);
  if (!locks) return locks.error();
  std::unique_ptr<ProcessRunner> runner(
      new ProcessRunner(std::move(suite), std::move(options), std::move(*locks)));
  runner->notices_ = runner->suite_.notices();
  if (Status prepared = runner->prepare_view(); !prepared) return prepared.error();
  return runner;
}

Status ProcessRunner::prepare_view() {
  if (options_.private_fs) {
    auto view =
        ProcessView::prepare(suite_.build_dir(), suite_.directories(), options_.private_dirs);
    if (!view) {
      return target_error("no private file system for the tests: " + view.error().message,
                          "without one, what an order leaves behind changes the next; --private-fs "
                          "off runs them in "
                          "the real directories all the same, one order at a time");
    }
    for (const std::string& sentence : view->left_out()) {
      notices_.push_back({Notice::Level::warning, sentence});
    }
    view_.emplace(std::move(*view));
    return {};
  }
  options_.jobs = 1;
  notices_.push_back(
      {Notice::Level::warning,
       "without a private file system the tests change your real files, and what one "
       "order leaves behind is there for the next: results may be wrong"});
  return {};
}

OrderPlan ProcessRunner::plan_for(const Order& order) const {
  return {suite_, order, view(), locks_, options_.limits, nullptr, std::nullopt, false};
}

Result<std::vector<OrderRun>> ProcessRunner::run_forked(std::span<const Order> orders, Shape,
                                                        RunListener& listener) {
  return run_fresh(orders, listener);
}

Result<std::vector<OrderRun>> ProcessRunner::run_fresh(std::span<const Order> orders,
                                                       RunListener& listener) {
  std::vector<OrderRun> results;
  std::size_t total = 0, done = 0, next = 0;
  for (const Order& order : orders) {
    OrderRun unrun{order, {}};
    for (TestId test : order) unrun.runs.emplace_back(test);
    results.push_back(std::move(unrun));
    total += order.size();
  }
  std::map<std::size_t, std::unique_ptr<OrderProcess>> running;
  const auto jobs = static_cast<std::size_t>(std::max(1, options_.jobs));
  while (next < orders.size() || !running.empty()) {
    const bool stop = options_.should_stop();
    while (!stop && next < orders.size() && running.size() < jobs) {
      auto process = OrderProcess::start(plan_for(orders[next]));
      if (!process) return process.error();
      running.emplace(next++, std::move(*process));
    }
    if (!stop) wait_for_news(running);
    std::vector<RunningTest> now;
    for (auto it = running.begin(); it != running.end();) {
      OrderProcess& process = *it->second;
      process.take_events();
      for (std::size_t position : process.take_finished()) {
        ++done;
        if (listener.wants_results()) listener.test_finished(process.run().runs[position]);
      }
      if (auto test = process.running()) now.push_back(*test);
      if (!process.trouble().empty()) return internal_error(process.trouble());
      if (!process.is_over() && !stop) {
        ++it;
        continue;
      }
      results[it->first] = process.run();
      it = running.erase(it);
    }
    listener.tick(now, done, total);
    if (stop) break;
  }
  return results;
}

Result<OrderRun> ProcessRunner::run_one(const Order& order, const Extras& extras) {
  OrderPlan plan = plan_for(order);
  plan.watch = extras.watch;
  plan.put_back = extras.put_back;
  plan.holds = static_cast<bool>(extras.at_hold);
  std::map<std::size_t, std::unique_ptr<OrderProcess>> running;
  auto process = OrderProcess::start(plan);
  if (!process) return process.error();
  OrderProcess& order_process = **process;
  running.emplace(0, std::move(*process));
  while (!order_process.is_over()) {
    if (options_.should_stop()) return Error{ErrorKind::interrupted, "stopped", ""};
    wait_for_news(running);
    order_process.take_events();
    if (!order_process.trouble().empty()) return internal_error(order_process.trouble());
    if (!order_process.is_held()) continue;
    if (extras.at_hold) extras.at_hold(order_process.held_position(), order_process.keeper());
    order_process.go_on();
  }
  return order_process.run();
}

}  // namespace gordian
