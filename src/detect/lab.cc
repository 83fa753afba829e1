// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/lab.h"

#include <algorithm>
#include <utility>

#include "detect/knowledge.h"
#include "model/stack.h"

namespace gordian {
namespace {

/// Keeps the terminal alive while a batch runs.
class Heartbeat : public RunListener {
 public:
  explicit Heartbeat(const std::function<void()>& beat) : beat_(beat) {}
  bool wants_results() const override { return false; }
  void tick(const std::vector<RunningTest>&, std::size_t, std::size_t) override { beat_(); }

 private:
  const std::function<void()>& beat_;
};

/// A test that is skipped because one that it declares did not pass says nothing about itself.
void forget_skips(const Declared& declared, OrderRun& run) {
  for (std::size_t i = 0; i < run.runs.size(); ++i) {
    if (run.runs[i].outcome.kind != OutcomeKind::skip) continue;
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const bool passed = run.runs[earlier].outcome.kind == OutcomeKind::pass;
      if (passed || !declared.before(run.order[earlier], run.order[i])) continue;
      run.runs[i].outcome = {};
      run.runs[i].outcome.message = "a test that it declares did not pass";
      break;
    }
  }
}

/// Whoever ended the process is known where a test after it did not run: else nobody knows what
/// became of it.
void name_lost(const Suite& suite, OrderRun& run) {
  for (TestRun& test : run.runs) {
    if (ends_its_order(suite, test.outcome) || test.outcome.kind == OutcomeKind::lost) return;
    if (test.outcome.kind != OutcomeKind::not_run) continue;
    test.outcome.kind = OutcomeKind::lost;
    test.outcome.message = "its process ended before it, and no test has ended it";
    return;
  }
}

bool is_worth_repeating(const OrderRunner& runner, const OrderRun& run) {
  return std::any_of(run.runs.begin(), run.runs.end(), [&runner](const TestRun& test) {
    return test.outcome.kind == OutcomeKind::lost && !runner.is_final(test.outcome);
  });
}

std::vector<OrderRun> unrun(std::span<const Order> orders) {
  std::vector<OrderRun> runs;
  for (const Order& order : orders) {
    runs.push_back({order, std::vector<TestRun>(order.size())});
    for (std::size_t i = 0; i < order.size(); ++i) runs.back().runs[i].test = order[i];
  }
  return runs;
}

/// Only what was asked for, at its place.
OrderRun without_added(OrderRun run, Order asked, const std::vector<std::size_t>& places) {
  OrderRun result{std::move(asked), {}};
  for (std::size_t place : places) result.runs.push_back(std::move(run.runs[place]));
  return result;
}

}  // namespace

Result<std::vector<OrderRun>> Lab::run(std::span<const Order> orders, OrderRunner::Shape shape) {
  if (!declared_.any()) return run_exactly(orders, shape);
  std::vector<Order> lawful, complete;
  std::vector<std::vector<std::size_t>> places;
  for (const Order& order : orders) {
    lawful.push_back(declared_.lawful(order));
    auto completed = declared_.complete(lawful.back());
    complete.push_back(std::move(completed.order));
    places.push_back(std::move(completed.places));
  }
  auto runs = run_exactly(complete, shape);
  if (!runs) return runs;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    forget_skips(declared_, (*runs)[i]);
    (*runs)[i] = without_added(std::move((*runs)[i]), std::move(lawful[i]), places[i]);
  }
  return runs;
}

Result<std::vector<OrderRun>> Lab::run_exactly(std::span<const Order> orders,
                                               OrderRunner::Shape shape) {
  if (should_stop_()) return unrun(orders);
  Heartbeat heartbeat(heartbeat_);
  auto runs =
      fresh_ ? runner_.run_fresh(orders, heartbeat) : runner_.run_forked(orders, shape, heartbeat);
  if (!runs) return runs;
  for (OrderRun& run : *runs) take(run);
  if (Status repeated = repeat_lost(orders, *runs); !repeated) return repeated.error();
  heartbeat_();
  return runs;
}

void Lab::take(OrderRun& run) {
  const std::uint64_t before = tests_run_;
  for (TestRun& test : run.runs) {
    test.output.clear();
    if (test.outcome.in_tear_down) test.outcome = passed();
    tests_run_ += test.outcome.kind != OutcomeKind::not_run;
  }
  orders_ += tests_run_ > before;
  if (!should_stop_()) name_lost(suite(), run);
}

/// A test that ends the process which all orders are forked from takes the results of others with
/// it; in a process of its own it reaches nobody else.
Status Lab::repeat_lost(std::span<const Order> orders, std::vector<OrderRun>& runs) {
  std::vector<Order> again;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!is_worth_repeating(runner_, runs[i])) continue;
    again.push_back(orders[i]);
    places.push_back(i);
  }
  if (again.empty() || should_stop_()) return {};
  Heartbeat heartbeat(heartbeat_);
  auto repeated = runner_.run_fresh(again, heartbeat);
  if (!repeated) return repeated.error();
  for (std::size_t i = 0; i < places.size(); ++i) {
    take((*repeated)[i]);
    runs[places[i]] = std::move((*repeated)[i]);
  }
  return {};
}

Result<std::vector<OrderRun>> Lab::run_in_fresh_processes(std::span<const Order> orders) {
  const bool fresh = std::exchange(fresh_, true);
  auto runs = run(orders, OrderRunner::Shape::flat);
  fresh_ = fresh;
  return runs;
}

Result<std::vector<Outcome>> Lab::last_outcomes_in_fresh(std::span<const Order> orders) {
  const bool fresh = std::exchange(fresh_, true);
  auto outcomes = last_outcomes(orders);
  fresh_ = fresh;
  return outcomes;
}

Outcome Lab::with_crash_place(const Order& order, Outcome crash) {
  const std::vector<StackFrame> stack = runner_.crash_stack(declared_.complete(order).order);
  heartbeat_();
  if (stack.empty()) return crash;
  const StackFrame& frame = stack[shown_frame(stack)];
  crash.file = frame.file;
  crash.line = frame.line;
  if (!frame.function.empty()) crash.message = "in " + frame.function;
  return crash;
}

Result<std::vector<Outcome>> Lab::last_outcomes(std::span<const Order> orders) {
  auto runs = run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const bool as_asked = (*runs)[i].order == orders[i];
    outcomes.push_back(as_asked ? std::move((*runs)[i].runs.back().outcome) : Outcome{});
  }
  return outcomes;
}

Result<std::vector<Outcome>> Lab::repeat_bare(const Order& order, int times) {
  auto runs = run_exactly(std::vector<Order>(static_cast<std::size_t>(times), order),
                          OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  std::vector<Outcome> outcomes;
  for (OrderRun& run : *runs) outcomes.push_back(std::move(run.runs.back().outcome));
  return outcomes;
}

Result<std::vector<Outcome>> Lab::repeat(const Order& order, int times) {
  return last_outcomes(std::vector<Order>(static_cast<std::size_t>(times), order));
}

}  // namespace gordian
