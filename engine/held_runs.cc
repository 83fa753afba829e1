// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Executor's runs that stop before chosen tests.
#include <algorithm>

#include "engine/executor.h"
#include "engine/waiting.h"

namespace gordian {
namespace {

void choose_holds(WireMemory& memory, const Plan& plan, std::span<const Executor::HoldPoint> points,
                  std::uint32_t every) {
  gordian_wire::Hold& hold = memory.header().hold;
  hold.state = gordian_wire::kNotHeld;
  hold.every = every;
  std::fill(std::begin(hold.before), std::end(hold.before), 0u);
  std::fill(std::begin(hold.inside), std::end(hold.inside), 0u);
  for (std::size_t i = 0; i < std::min(points.size(), std::size(hold.before)); ++i) {
    auto& chosen = points[i].inside ? hold.inside : hold.before;
    chosen[i] = plan.positions(0).at(points[i].position) + 1;
  }
}

/// The position of the test before which a process waits.
std::size_t held_position(const WireMemory& memory, const Plan& plan) {
  const auto& tokens = plan.positions(0);
  auto at = std::find(tokens.begin(), tokens.end(), memory.header().hold.token);
  return static_cast<std::size_t>(at - tokens.begin());
}

bool at_work(const TargetProcess& process) {
  return process.state() == TargetProcess::State::busy ||
         process.state() == TargetProcess::State::inlined;
}

}  // namespace

OrderRun Executor::drive_held(TargetProcess& process, const Plan& plan, const Order& order,
                              const AtHold& at_hold) {
  WireMemory& memory = process.memory();
  Decoder decoder(memory, plan);
  Watchdog watchdog(memory, plan, decoder, options_.limits);
  while (at_work(process)) {
    wait_for(process.descriptors(), std::chrono::milliseconds(1));
    process.pump();
    if (!at_work(process)) break;
    if (options_.should_stop()) {
      watchdog.stop_all();
      process.kill();
      break;
    }
    if (is_held(memory)) {
      bool forked = process.state() == TargetProcess::State::busy;
      HeldProcess held(memory, held_position(memory, plan), forked ? process.pid() : -1);
      at_hold(held);
      if (!held.let_go_already()) held.let_go();
    }
    watchdog.check();
  }
  bool exited = process.state() == TargetProcess::State::gone;
  ProcessState state{true, exited, exited ? process.exit_status() : 0};
  OrderRun result{order, {}};
  for (std::uint32_t token : plan.positions(0))
    result.runs.push_back(*decoder.result(token, state));
  return result;
}

Result<OrderRun> Executor::run_held(const Order& order, std::span<const HoldPoint> points,
                                    const AtHold& at_hold, std::uint32_t every) {
  if (fork_problems_.empty()) {
    if (Status ready = ensure_server(); !ready) return ready.error();
    Plan plan = Plan::flat({&order, 1});
    choose_holds(server_->memory(), plan, points, every);
    server_untouched_ = false;
    server_->run(plan);
    return drive_held(*server_, plan, order, at_hold);
  }
  auto process = start_ready(launch_spec(1, static_cast<std::uint32_t>(4 * order.size() + 16)));
  if (!process) return process.error();
  Plan plan = Plan::in_process(order);
  choose_holds((*process)->memory(), plan, points, every);
  (*process)->run_inline(plan);
  return drive_held(**process, plan, order, at_hold);
}

}  // namespace gordian
