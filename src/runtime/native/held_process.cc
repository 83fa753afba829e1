// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/held_process.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/native/children.h"
#include "runtime/native/executor.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

std::uint32_t state_of(const wire::HoldAnswer& hold) {
  return __atomic_load_n(&hold.state, __ATOMIC_ACQUIRE);
}

void enter_state(wire::HoldAnswer& hold, std::uint32_t state) {
  __atomic_store_n(&hold.state, state, __ATOMIC_RELEASE);
  ::syscall(SYS_futex, &hold.state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Until it answers, is gone, or has had much more time than anything that is asked for takes.
bool wait_for_answer(wire::HoldAnswer& hold, pid_t pid, const std::function<bool()>& should_stop) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (state_of(hold) == wire::kRequested) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    timespec patience{0, 100'000'000};
    ::syscall(SYS_futex, &hold.state, FUTEX_WAIT, wire::kRequested, &patience, nullptr, 0);
    if (should_stop() || (::kill(pid, 0) != 0 && errno == ESRCH)) return false;
  }
  return state_of(hold) == wire::kAnswered;
}

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

bool is_held(const WireMemory& memory) {
  return state_of(memory.report().hold) == wire::kHeld;
}

void wait_until_held(const WireMemory& memory, std::chrono::microseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  const wire::HoldAnswer& hold = memory.report().hold;
  for (std::uint32_t state; (state = state_of(hold)) != wire::kHeld;) {
    const auto left = std::chrono::nanoseconds(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    timespec patience{0, std::min<long>(left.count(), 999'999'999)};
    ::syscall(SYS_futex, &hold.state, FUTEX_WAIT, state, &patience, nullptr, 0);
  }
}

std::int64_t HeldProcess::ask(wire::HoldRequest what, std::int64_t number) {
  if (silent_) return -ESRCH;
  orders().request = what;
  orders().number = number;
  enter_state(answer(), wire::kRequested);
  silent_ = !wait_for_answer(answer(), pid_, should_stop_);
  return silent_ ? -ESRCH : answer().number;
}

std::int64_t HeldProcess::system_call(long number, std::initializer_list<Argument> arguments) {
  std::size_t index = 0, used = 0;
  orders().in_text = 0;
  std::memset(orders().text, 0, sizeof orders().text);
  for (const Argument& argument : arguments) {
    if (const auto* value = std::get_if<std::int64_t>(&argument)) {
      orders().argument[index++] = static_cast<std::uint64_t>(*value);
      continue;
    }
    const std::string& bytes = std::get<std::string>(argument);
    if (used + bytes.size() + 1 > wire::kHoldText) return -ENAMETOOLONG;
    std::memcpy(orders().text + used, bytes.data(), bytes.size());
    orders().argument[index] = used;
    orders().in_text |= 1u << index++;
    used += (bytes.size() + 1 + 15) / 16 * 16;
  }
  return ask(wire::kSystemCall, number);
}

std::int64_t HeldProcess::request(wire::HoldRequest what, std::int64_t number,
                                  std::string_view text, std::array<std::uint64_t, 2> arguments) {
  if (text.size() >= wire::kHoldText) return -ENAMETOOLONG;
  std::memset(orders().text, 0, sizeof orders().text);
  std::memcpy(orders().text, text.data(), text.size());
  orders().in_text = 0;
  std::copy(arguments.begin(), arguments.end(), orders().argument);
  return ask(what, number);
}

std::string HeldProcess::text(std::size_t size) const {
  return std::string(answer().text, std::min<std::size_t>(size, wire::kHoldText));
}

void HeldProcess::let_go() {
  gone_on_ = true;
  enter_state(answer(), wire::kLetGo);
}

bool HeldProcess::held_again() const {
  return state_of(answer()) == wire::kHeld;
}

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
