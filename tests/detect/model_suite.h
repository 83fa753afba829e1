// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A suite that exists in memory only: each test is a list of steps over a few small numbers, which
// are 0 in the state before the first test. ModelRunner runs its orders as Executor runs those of
// a binary, starts no process, and keeps a log of what it was asked for.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "runtime/order_runner.h"
#include "tests/detect/samples.h"

namespace gordian::detect_test {

/// One test, told as a story: ModelTest("V").expects(0, 0).
class ModelTest {
 public:
  static constexpr std::size_t kCells = 4;
  using State = std::array<int, kCells>;

  explicit ModelTest(std::string name) : name_(std::move(name)) {}

  ModelTest& sets(std::size_t cell, int value) { return add({Do::set, cell, value}); }
  ModelTest& adds(std::size_t cell, int value) { return add({Do::add, cell, value}); }
  /// Sets `other` if the cell holds `value`.
  ModelTest& sets_if(std::size_t cell, int value, std::size_t other, int other_value) {
    return add({Do::set_if, cell, value, other, other_value});
  }
  /// Fails, and goes on, unless the cell holds this.
  ModelTest& expects(std::size_t cell, int value) { return add({Do::expect, cell, value}); }
  /// Fails, and goes on, once the cell holds this or more.
  ModelTest& expects_below(std::size_t cell, int value) { return add({Do::below, cell, value}); }
  /// Looks at `other` only if the cell holds `value`; fails, and goes on, unless it holds that.
  ModelTest& expects_if(std::size_t cell, int value, std::size_t other, int other_value) {
    return add({Do::expect_if, cell, value, other, other_value});
  }
  ModelTest& crashes_if(std::size_t cell, int value) { return add({Do::crash, cell, value}); }
  ModelTest& skips_if(std::size_t cell, int value) { return add({Do::skip, cell, value}); }
  /// Noise: so often in a hundred runs, whatever ran before.
  ModelTest& fails_in_percent(int rate) { return add({Do::maybe_fail, 0, rate}); }
  ModelTest& crashes_in_percent(int rate) { return add({Do::maybe_crash, 0, rate}); }
  /// It passes all the same.
  ModelTest& sets_in_percent(std::size_t cell, int value, int rate) {
    return add({Do::maybe_set, cell, rate, cell, value});
  }

  /// By where its process has its memory and which number it has, together with what the cell
  /// holds: always the same in forks of one process, in so many of a hundred fresh ones a failure.
  ModelTest& fails_in_layouts(std::size_t cell, int percent) {
    return add({Do::fail_in_layout, cell, percent});
  }

  const std::string& name() const { return name_; }

  /// `reads`: cells read before they were written are noted there.
  using Reads = std::array<bool, kCells>;
  Outcome run(State& state, Random& noise, Reads* reads = nullptr, std::uint64_t layout = 0) const {
    Outcome result = outcome(OutcomeKind::pass);
    Reads written{};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto [what, cell, value, other, other_value] = steps_[i];
      if (reads != nullptr && what != Do::set && !noisy(what) && !written[cell]) {
        (*reads)[cell] = true;
      }
      if (what == Do::set || what == Do::add) written[cell] = true;
      if (what == Do::set_if && state[cell] == value) written[other] = true;
      const bool holds = state[cell] == value, hit = noisy(what) && by_chance(value, noise);
      bool failed = hit && what == Do::maybe_fail;
      if (what == Do::fail_in_layout) {
        Random address(layout * 1000 + static_cast<std::uint64_t>(state[cell]));
        failed = by_chance(value, address);
      }
      if (what == Do::set) state[cell] = value;
      if (what == Do::maybe_set && hit) state[cell] = other_value;
      if (what == Do::set_if && holds) state[other] = other_value;
      if (what == Do::add) state[cell] += value;
      if (what == Do::expect) failed = !holds;
      if (what == Do::expect_if && holds) {
        failed = state[other] != other_value;
        if (reads != nullptr && !written[other]) (*reads)[other] = true;
      }
      if (what == Do::below) failed = state[cell] >= value;
      if ((what == Do::crash && holds) || (what == Do::maybe_crash && hit)) {
        return crash(static_cast<int>(i) + 1);
      }
      if (what == Do::skip && holds) {
        return result.kind == OutcomeKind::fail ? result : outcome(OutcomeKind::skip);
      }
      if (failed && result.kind == OutcomeKind::pass) {
        result = outcome(OutcomeKind::fail, static_cast<int>(i) + 1);
      }
    }
    return result;
  }

 private:
  enum class Do {
    set,
    set_if,
    add,
    expect,
    expect_if,
    below,
    crash,
    skip,
    maybe_fail,
    maybe_crash,
    maybe_set,
    fail_in_layout
  };
  struct Step {
    Do what;
    std::size_t cell;
    int value;
    std::size_t other = 0;
    int other_value = 0;
  };
  ModelTest& add(Step step) {
    steps_.push_back(step);
    return *this;
  }
  static bool noisy(Do what) {
    return what == Do::maybe_fail || what == Do::maybe_crash || what == Do::maybe_set;
  }
  static bool by_chance(int percent, Random& noise) {
    return noise.below(100) < static_cast<std::uint64_t>(percent);
  }
  static Outcome crash(int step) {
    Outcome result = outcome(OutcomeKind::crash);
    result.signal = 11;
    result.line = step;  // which the search has to ask for: see crash_stack()
    return result;
  }

  std::string name_;
  std::vector<Step> steps_;
};

class ModelRunner : public OrderRunner {
 public:
  /// Names with a dot are full names; the others get the suite "S".
  explicit ModelRunner(std::vector<ModelTest> tests, std::uint64_t noise_seed = 1)
      : tests_(std::move(tests)),
        suite_(suite_from(tests_)),
        noise_(noise_seed),
        layouts_(noise_seed * 1'000'000) {}

  const Suite& suite() const override { return suite_; }
  const std::vector<std::string>& fork_problems() const override { return fork_problems_; }

  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener&) override {
    shapes_[shape] += orders.size();
    return run_all(orders, false);
  }
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders, RunListener&) override {
    fresh_ += orders.size();
    std::vector<OrderRun> runs;
    for (const Order& order : orders) {
      layout_ = ++layouts_;
      runs.push_back(std::move(run_all({&order, 1}, true).front()));
    }
    layout_ = layout_of_forks_;
    return runs;
  }
  std::vector<StackFrame> crash_stack(const Order& order) override {
    const Outcome last = outcomes(order, noise_).back();
    if (last.kind != OutcomeKind::crash) return {};
    StackFrame frame;
    frame.function = "step";
    frame.file = "model.cc";
    frame.line = last.line + (moves_crashes_ ? ++crash_stacks_ : 0);
    return {frame};
  }
  /// Crashes show in another place each time.
  void move_crashes() { moves_crashes_ = true; }

  /// From the initial state. `noise` decides about tests that have some.
  std::vector<Outcome> outcomes(const Order& order, Random& noise) const {
    std::vector<Outcome> results;
    ModelTest::State state{};
    bool ended = false;
    for (TestId test : order) {
      results.push_back(ended ? Outcome{}
                              : tests_[test.value()].run(state, noise, nullptr, layout_));
      ended = ended || results.back().kind == OutcomeKind::crash;
    }
    return results;
  }

  const ModelTest& test(TestId id) const { return tests_[id.value()]; }

  /// What the last test does; of models without noise.
  Outcome after(Order before, TestId test) const {
    Random unused(0);
    before.push_back(test);
    return outcomes(before, unused).back();
  }

  TestId id(const std::string& name) const {
    return suite_.find(name.find('.') == std::string::npos ? "S." + name : name).value();
  }
  Order order(const std::vector<std::string>& names) const {
    Order result;
    for (const std::string& name : names) result.push_back(id(name));
    return result;
  }

  /// Says of a test that others have to run before it. Before the first search.
  void declare(const std::string& test, const std::vector<std::string>& on) {
    std::vector<Test> tests = suite_.tests();
    for (const std::string& name : on) {
      tests[id(test).value()].declared.push_back(suite_.test(id(name)).full_name());
    }
    suite_ = Suite(suite_.framework(), suite_.framework_version(), std::move(tests));
  }
  void add_fork_problem(std::string text) { fork_problems_.push_back(std::move(text)); }
  /// From then on nothing is run any more, as after an interrupt.
  void stop_after(std::size_t orders) { stop_after_ = orders; }
  /// Asked before each test, as the engine does: true ends all runs, and what is not begun is not.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }
  /// Called for each test that begins.
  void at_each_test(std::function<void()> begins) { begins_ = std::move(begins); }
  /// Orders whose last result is lost, in forks or (`fresh`) in a process of their own.
  void lose(std::function<bool(const Order& order, bool fresh)> loses) {
    loses_ = std::move(loses);
  }
  /// The next runs report tear-down failures of this test where it passes.
  void fail_tear_down_of(TestId test) { tear_down_ = test; }

  const std::vector<Order>& log() const { return log_; }
  std::size_t forked(Shape shape) { return shapes_[shape]; }
  std::size_t fresh() const { return fresh_; }

 private:
  static Suite suite_from(const std::vector<ModelTest>& tests) {
    std::vector<std::string> names;
    for (const ModelTest& test : tests) {
      bool full = test.name().find('.') != std::string::npos;
      names.push_back(full ? test.name() : "S." + test.name());
    }
    return suite_of(names);
  }

  /// What ends while an order runs leaves the rest of it without a result.
  void cut(std::vector<Outcome>& results) {
    bool stopped = false;
    for (Outcome& result : results) {
      stopped = stopped || (stop_ && stop_());
      if (!stopped && begins_ && result.kind != OutcomeKind::not_run) begins_();
      if (stopped) result = Outcome{};
    }
  }

  std::vector<OrderRun> run_all(std::span<const Order> orders, bool fresh) {
    std::vector<OrderRun> runs;
    for (const Order& order : orders) {
      const bool stopped = log_.size() >= stop_after_ || (stop_ && stop_());
      std::vector<Outcome> results =
          stopped ? std::vector<Outcome>(order.size()) : outcomes(order, noise_);
      if (!stopped) log_.push_back(order);
      cut(results);
      if (!stopped && loses_ && loses_(order, fresh)) {
        results.back() = outcome(OutcomeKind::lost);
        results.back().message = "it vanished";
      }
      OrderRun run{order, {}};
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] == tear_down_ && results[i].kind == OutcomeKind::pass) {
          results[i] = outcome(OutcomeKind::fail, 99);
          results[i].in_tear_down = true;
        }
        TestRun test;
        test.test = order[i];
        test.outcome = results[i];
        test.output = "said something";
        run.runs.push_back(std::move(test));
      }
      runs.push_back(std::move(run));
    }
    return runs;
  }

  std::vector<ModelTest> tests_;
  Suite suite_;
  Random noise_;
  std::vector<std::string> fork_problems_;
  std::vector<Order> log_;
  std::map<Shape, std::size_t> shapes_;
  std::uint64_t layouts_, layout_of_forks_ = layouts_, layout_ = layouts_;
  std::size_t fresh_ = 0, stop_after_ = SIZE_MAX;
  bool moves_crashes_ = false;
  int crash_stacks_ = 0;
  std::function<bool()> stop_;
  std::function<void()> begins_;
  std::function<bool(const Order&, bool)> loses_;
  std::optional<TestId> tear_down_;
};

}  // namespace gordian::detect_test
