// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One collection of WatchCollector, from the first run to the finished DataFlow.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_builder.h"
#include "flow/watch/collected_states.h"
#include "flow/watch/watch_collector.h"
#include "state/memory_history.h"

namespace gordian {

class WatchWork {
 public:
  WatchWork(Executor& executor, ProgramMemory& program, StackCache& stacks,
            const WatchOptions& options, std::function<bool()> should_stop,
            std::function<void(const CollectProgress&)> progress);

  Result<DataFlow> in_order(const Order& order);
  Result<DataFlow> alone(const Order& tests);

 private:
  using Clock = std::chrono::steady_clock;

  bool out_of_time() const;
  void say(std::string doing);
  void test_done();
  std::string name_of(TestId test) const { return executor_.suite().test(test).full_name(); }

  /// The first run: what each test leaves changed.
  Status read_effects(std::span<const Order> orders);
  void at_hold(const Executor::EachHold& hold);
  void hold_alone(const Executor::EachHold& hold);
  void hold_in_order(const Executor::EachHold& hold);
  void take_effect(std::size_t position, NetEffect effect);

  /// The other runs: who reads it.
  Status watch(std::span<const Order> orders, const CollectedStates& states);
  std::vector<WordWatch> words_to_watch(const CollectedStates& states) const;
  Status run_passes(std::span<const Order> orders, const CollectedStates& states,
                    const WatchPlan& plan);
  void take(const std::vector<PositionReads>& pass);

  // What alone() must add to be on the safe side.
  void read_by_all(const CollectedStates& states);
  void add_first_uses(const FirstUses& uses, CollectedStates& states);
  void add_suite_fixtures(const Order& tests, CollectedStates& states);

  /// Everything that was seen, test by test. Whoever records accesses to files adds them here,
  /// behind begin() of the test; until then readers of files are a miss, and in alone() everybody.
  void tell_tests(const Order& tests, const CollectedStates& states, FlowBuilder& builder);
  void tell_misses(const CollectedStates& states, FlowBuilder& builder) const;
  Site with_test(Site site, TestId test) const;
  DataFlow finish(FlowBuilder& builder);

  Executor& executor_;
  ProgramMemory& program_;
  StackCache& stacks_;
  const WatchOptions& options_;
  std::function<bool()> should_stop_;
  std::function<void(const CollectProgress&)> progress_;
  Clock::time_point begin_ = Clock::now();
  CollectProgress told_;

  bool alone_ = false;
  bool loaded_ = false;
  EffectReader reader_;
  MemoryHistory history_;  ///< in_order()
  std::optional<StateMoment> before_;
  std::vector<NetEffect> effects_;  ///< by position
  std::vector<bool> effect_seen_;
  std::vector<PositionReads> reads_;
  std::set<std::size_t> unwatched_;  ///< states of which a word was left out
  std::uint64_t passes_ = 0;
};

}  // namespace gordian
