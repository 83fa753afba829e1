// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Executor's runs that stop before chosen tests.
#include <algorithm>

#include "runtime/native/children.h"
#include "runtime/native/executor.h"

namespace gordian {
namespace {

void choose_holds(WireMemory& memory, const Plan& plan, std::span<const Executor::HoldPoint> points,
                  std::uint32_t every) {
  gordian_wire::HoldOrders& hold = memory.header().hold;
  memory.report().hold.state = gordian_wire::kNotHeld;
  hold.every = every;
  std::fill(std::begin(hold.before), std::end(hold.before), 0u);
  std::fill(std::begin(hold.inside), std::end(hold.inside), 0u);
  for (std::size_t i = 0; i < std::min(points.size(), std::size(hold.before)); ++i) {
    auto& chosen = points[i].inside ? hold.inside : hold.before;
    chosen[i] = plan.positions(0).at(points[i].position) + 1;
  }
}

void hold_everywhere(WireMemory& memory, std::uint32_t more) {
  choose_holds(memory, Plan(), {}, gordian_wire::kHoldBeforeEach | gordian_wire::kHoldAtEnd | more);
}

/// What a token of a flat plan stands for; also those at which orders end.
struct EachPlace {
  std::size_t order = 0, position = 0;
};
std::vector<EachPlace> places_of(const Plan& plan) {
  std::vector<EachPlace> places(plan.tokens().size());
  for (std::size_t order = 0; order < plan.orders(); ++order) {
    const auto& tokens = plan.positions(order);
    for (std::size_t i = 0; i < tokens.size(); ++i) places[tokens[i]] = {order, i};
    if (!tokens.empty()) places[tokens.back() + 1] = {order, tokens.size()};
  }
  return places;
}

/// The position of the test before which a process waits.
std::size_t held_position(std::uint32_t token, const Plan& plan) {
  const auto& tokens = plan.positions(0);
  auto at = std::find(tokens.begin(), tokens.end(), token);
  return static_cast<std::size_t>(at - tokens.begin());
}

bool at_work(const TargetProcess& process) {
  return process.state() == TargetProcess::State::busy ||
         process.state() == TargetProcess::State::inlined;
}

}  // namespace

std::vector<OrderRun> Executor::drive_held(TargetProcess& process, const Plan& plan,
                                           std::span<const Order> orders, const AtToken& at_hold,
                                           const std::function<void()>& at_each_look) {
  WireMemory& memory = process.memory();
  Decoder decoder(memory, plan);
  Watchdog watchdog(memory, process.guard(), plan, decoder, options_.limits);
  constexpr int kMostHoldsOfToken = 2;  // before its suite is set up, and after that
  std::vector<int> holds(plan.tokens().size());
  while (at_work(process)) {
    wait_until_held(memory, std::chrono::milliseconds(1));
    process.pump();
    if (!at_work(process)) break;
    at_each_look();
    if (options_.should_stop()) {
      watchdog.stop_all();
      process.kill();
      break;
    }
    if (is_held(memory)) {
      bool forked = process.state() == TargetProcess::State::busy;
      const std::uint32_t token = memory.report().hold.token;
      const auto pid = static_cast<pid_t>(memory.report().hold.pid);
      if (token >= plan.tokens().size() || ++holds[token] > kMostHoldsOfToken ||
          !descends_from(pid, process.guard())) {
        process.kill();  // a test has written there: what else it says is worth nothing
        break;
      }
      HeldProcess held(memory, pid, held_position(token, plan), forked ? process.pid() : -1,
                       options_.should_stop);
      at_hold(held, token);
      if (held.is_silent() && options_.should_stop()) continue;
      if (held.is_silent() && !held.let_go_already()) {
        process.kill();  // stopped, or scribbled over: it would not hear that it may go on
        break;
      }
      if (!held.let_go_already()) held.let_go();
      watchdog.start_over();
    }
    watchdog.check();
    if (watchdog.stuck()) process.kill();
  }
  bool exited = process.state() == TargetProcess::State::gone;
  ProcessState state{true, exited, exited ? process.exit_status() : 0};
  std::vector<OrderRun> results;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    results.push_back({orders[i], {}});
    for (std::uint32_t token : plan.positions(i))
      results.back().runs.push_back(*decoder.result(token, state));
  }
  return results;
}

Result<OrderRun> Executor::run_held(const Order& order, std::span<const HoldPoint> points,
                                    const AtHold& at_hold, std::uint32_t every) {
  const AtToken at_token = [&](HeldProcess& held, std::uint32_t) { at_hold(held); };
  if (fork_problems_.empty()) {
    if (Status ready = ensure_server(); !ready) return ready.error();
    Plan plan = Plan::flat({&order, 1});
    choose_holds(server_->memory(), plan, points, every);
    server_untouched_ = false;
    server_->run(plan);
    return drive_held(*server_, plan, {&order, 1}, at_token).front();
  }
  auto process = start_ready(launch_spec(1, static_cast<std::uint32_t>(4 * order.size() + 16)));
  if (!process) return process.error();
  Plan plan = Plan::in_process(order);
  choose_holds((*process)->memory(), plan, points, every);
  (*process)->run_inline(plan);
  return drive_held(**process, plan, {&order, 1}, at_token).front();
}

Result<std::vector<OrderRun>> Executor::run_held_each(std::span<const Order> orders,
                                                      const AtEachHold& at_hold,
                                                      std::uint32_t more) {
  if (!fork_problems_.empty()) return run_held_fresh(orders, at_hold, more);
  if (Status ready = ensure_server(); !ready) return ready.error();
  Plan plan = Plan::flat(orders);
  if (plan.tokens().size() > server_->memory().capacity()) {
    return internal_error("too many tests for one plan");
  }
  const std::vector<EachPlace> places = places_of(plan);
  hold_everywhere(server_->memory(), more);
  server_untouched_ = false;
  server_->run(plan);
  auto results = drive_held(*server_, plan, orders, [&](HeldProcess& held, std::uint32_t token) {
    at_hold({held, places.at(token).order, places.at(token).position});
  });
  server_->memory().header().hold.every = 0;
  return results;
}

Result<std::vector<OrderRun>> Executor::run_held_fresh(std::span<const Order> orders,
                                                       const AtEachHold& at_hold,
                                                       std::uint32_t more) {
  std::vector<OrderRun> results;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Order& order = orders[i];
    auto process = start_ready(launch_spec(1, static_cast<std::uint32_t>(4 * order.size() + 16)));
    if (!process) return process.error();
    Plan plan = Plan::in_process(order);
    hold_everywhere((*process)->memory(), more);
    (*process)->run_inline(plan);
    results.push_back(
        drive_held(**process, plan, {&order, 1}, [&](HeldProcess& held, std::uint32_t) {
          at_hold({held, i, held.position()});
        }).front());
  }
  return results;
}

Result<pid_t> Executor::standing_process() {
  if (Status ready = ensure_server(); !ready) return ready.error();
  return server_->pid();
}

Result<bool> Executor::run_to_crash(const Order& order,
                                    const std::function<void(pid_t)>& before_last,
                                    const std::function<void(pid_t)>& at_crash) {
  LaunchSpec spec = launch_spec(1, static_cast<std::uint32_t>(4 * order.size() + 16));
  spec.stop_on_crash = true;
  auto process = start_ready(spec);
  if (!process) return process.error();
  Plan plan = Plan::in_process(order);
  const HoldPoint last{order.size() - 1};
  choose_holds((*process)->memory(), plan, {&last, 1}, 0);
  (*process)->run_inline(plan);
  bool crashed = false;
  auto look = [&] {
    std::uint32_t& signal = (*process)->memory().report().worker[0].crashed;
    if (__atomic_load_n(&signal, __ATOMIC_ACQUIRE) == 0) return;
    crashed = true;
    at_crash((*process)->pid());
    __atomic_store_n(&signal, 0u, __ATOMIC_RELEASE);
  };
  drive_held(
      **process, plan, {&order, 1},
      [&](HeldProcess& held, std::uint32_t) { before_last(held.pid()); }, look);
  return crashed;
}

}  // namespace gordian
