// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_runner.h"

#include <poll.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/declared.h"
#include "runtime/native/children.h"

namespace gordian {

OrderForest::OrderForest(std::span<const Order> orders) {
  std::map<TestId, std::size_t> by_first;
  for (const Order& order : orders) {
    Path path;
    if (!order.empty()) {
      auto [found, is_new] = by_first.emplace(order.front(), trees_.size());
      if (is_new) trees_.push_back({{order.front()}, {{}}});
      path.tree = found->second;
      path.positions.push_back(0);
      for (std::size_t i = 1; i < order.size(); ++i) {
        path.positions.push_back(
            position_behind(trees_[path.tree], path.positions.back(), order[i]));
      }
    }
    paths_.push_back(std::move(path));
  }
}

std::uint32_t OrderForest::position_behind(OrderTree& tree, std::uint32_t position, TestId test) {
  for (std::uint32_t next : tree.branches[position]) {
    if (tree.tests[next] == test) return next;
  }
  const auto fresh = static_cast<std::uint32_t>(tree.tests.size());
  tree.branches[position].push_back(fresh);
  tree.tests.push_back(test);
  tree.branches.emplace_back();
  return fresh;
}

OrderRun OrderForest::run_of(std::size_t number, const Order& order,
                             const std::vector<OrderRun>& trees) const {
  const Path& path = paths_[number];
  OrderRun run{order, {}};
  for (std::uint32_t position : path.positions) {
    run.runs.push_back(trees[path.tree].runs[position]);
  }
  return run;
}

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

ProcessRunner::ProcessRunner(const SessionRequest& request, ProcessSuite suite, ResourceLocks locks)
    : target_(request.target),
      isolation_(request.isolation == Isolation::none ? Isolation::none : Isolation::process),
      suite_(std::move(suite)),
      identity_(suite_.identity()),
      options_(request.engine),
      locks_(std::move(locks)),
      notices_(suite_.notices()) {
  options_.limits.own_timeouts = own_timeouts(suite_.suite(), options_.overrides);
}

Result<std::unique_ptr<ProcessRunner>> ProcessRunner::open(const SessionRequest& request) {
  auto suite = ProcessSuite::open(request.target, request.also_disabled);
  if (!suite) return suite.error();
  adopt_orphans();
  auto locks = ResourceLocks::make(*suite);
  if (!locks) return locks.error();
  std::unique_ptr<ProcessRunner> runner(
      new ProcessRunner(request, std::move(*suite), std::move(*locks)));
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
  return {suite_, order, view(), locks_, options_.limits, nullptr, std::nullopt, false, nullptr};
}

Result<std::vector<OrderRun>> ProcessRunner::run_forked(std::span<const Order> orders, Shape shape,
                                                        RunListener& listener) {
  const bool shared = shape == Shape::tree && view_ && orders.size() > 1;
  return shared ? run_trees(orders, listener) : run_fresh(orders, listener);
}

/// What a tree could not run (a test has left processes, or a layer could not be made) is run by
/// itself.
Result<std::vector<OrderRun>> ProcessRunner::run_trees(std::span<const Order> orders,
                                                       RunListener& listener) {
  const OrderForest forest(orders);
  std::vector<OrderPlan> plans;
  for (const OrderTree& tree : forest.trees()) {
    plans.push_back(plan_for(tree.tests));
    plans.back().branches = &tree.branches;
  }
  auto trees = run_plans(plans, false, listener);
  if (!trees) return trees;
  std::vector<OrderRun> results;
  std::vector<Order> again;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    results.push_back(forest.run_of(i, orders[i], *trees));
    const auto& runs = results.back().runs;
    if (runs.empty() || runs.back().outcome.kind != OutcomeKind::not_run) continue;
    again.push_back(orders[i]);
    places.push_back(i);
  }
  if (again.empty() || options_.should_stop()) return results;
  auto flat = run_fresh(again, listener);
  if (!flat) return flat;
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move((*flat)[i]);
  return results;
}

Result<std::vector<OrderRun>> ProcessRunner::run_fresh(std::span<const Order> orders,
                                                       RunListener& listener) {
  return run_all(orders, false, listener);
}

Result<std::vector<TestRun>> ProcessRunner::run_apart(std::span<const TestId> tests,
                                                      RunListener& listener) {
  const Declared declared(suite());
  std::vector<Order> orders;
  for (TestId test : tests) orders.push_back(declared.complete({test}).order);
  auto runs = run_all(orders, true, listener);
  if (!runs) return runs.error();
  std::vector<TestRun> results;
  for (OrderRun& run : *runs) results.push_back(std::move(run.runs.back()));
  return results;
}

Result<std::unique_ptr<FlowCollector>> ProcessRunner::collector(FlowSource source) {
  const Refusal& refusal = kProcessRuntime.no_traces;
  if (source == FlowSource::trace) {
    return usage_error(std::string(refusal.why), std::string(refusal.instead));
  }
  return std::unique_ptr<FlowCollector>(std::make_unique<ProcessCollector>(*this));
}

Result<std::vector<OrderRun>> ProcessRunner::run_all(std::span<const Order> orders, bool last_only,
                                                     RunListener& listener) {
  std::vector<OrderPlan> plans;
  for (const Order& order : orders) plans.push_back(plan_for(order));
  return run_plans(plans, last_only, listener);
}

Result<std::vector<OrderRun>> ProcessRunner::run_plans(std::span<const OrderPlan> plans,
                                                       bool last_only, RunListener& listener) {
  std::vector<OrderRun> results;
  std::size_t total = 0, done = 0, next = 0;
  for (const OrderPlan& plan : plans) {
    OrderRun unrun{plan.order, {}};
    for (TestId test : plan.order) unrun.runs.emplace_back(test);
    results.push_back(std::move(unrun));
    total += last_only ? 1 : plan.order.size();
  }
  std::map<std::size_t, std::unique_ptr<OrderProcess>> running;
  const auto jobs = static_cast<std::size_t>(std::max(1, options_.jobs));
  while (next < plans.size() || !running.empty()) {
    const bool stop = options_.should_stop();
    while (!stop && next < plans.size() && running.size() < jobs) {
      auto process = OrderProcess::start(plans[next]);
      if (!process) return process.error();
      running.emplace(next++, std::move(*process));
    }
    if (!stop) wait_for_news(running);
    std::vector<RunningTest> now;
    for (auto it = running.begin(); it != running.end();) {
      OrderProcess& process = *it->second;
      process.take_events();
      process.look_after();
      for (std::size_t position : process.take_finished()) {
        if (last_only && position + 1 < process.run().runs.size()) continue;
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
    order_process.look_after();
    if (!order_process.trouble().empty()) return internal_error(order_process.trouble());
    if (!order_process.is_held()) continue;
    if (extras.at_hold) extras.at_hold(order_process.held_position(), order_process.keeper());
    order_process.go_on();
  }
  return order_process.run();
}

}  // namespace gordian
