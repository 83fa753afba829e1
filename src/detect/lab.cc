// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/lab.h"

#include <algorithm>
#include <map>
#include <optional>
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

/// Up to here trying every single predecessor is cheaper than halving.
constexpr std::size_t kFewEnough = 64;
constexpr std::size_t kTestsAtATime = 1u << 17;

class Minimiser {
 public:
  Minimiser(Lab& lab, TestId test, const Outcome& wanted)
      : lab_(lab), test_(test), wanted_(wanted) {}

  Result<std::optional<Order>> run(Order before) {
    auto whole = holding({before, {}});
    if (!whole) return whole.error();
    if (!(*whole)[0]) return std::optional<Order>();
    if ((*whole)[1]) return std::optional(Order{});
    for (std::size_t parts = 2; before.size() > 1;) {
      if (lab_.should_stop()) return std::optional<Order>();
      if (before.size() <= kFewEnough && !singles_tried_) {
        auto single = try_singles(before);
        if (!single) return single.error();
        if (*single) return single;
      }
      auto smaller = reduce(before, parts);
      if (!smaller) return smaller.error();
      if (*smaller) {
        before = **smaller;
        parts = std::max<std::size_t>(2, std::min(parts - 1, before.size()));
        continue;
      }
      if (parts >= before.size()) break;
      parts = std::min(before.size(), 2 * parts);
    }
    return std::optional(before);
  }

 private:
  /// Most dependences need one predecessor only.
  Result<std::optional<Order>> try_singles(const Order& before) {
    singles_tried_ = true;
    std::vector<Order> candidates;
    for (TestId id : before) candidates.push_back({id});
    return first_that_holds(candidates);
  }

  /// One of `parts` slices, or what is left without one of them.
  Result<std::optional<Order>> reduce(const Order& before, std::size_t parts) {
    std::vector<Order> slices, complements;
    for (std::size_t i = 0; i < parts; ++i) {
      auto from = before.begin() + static_cast<std::ptrdiff_t>(before.size() * i / parts);
      auto to = before.begin() + static_cast<std::ptrdiff_t>(before.size() * (i + 1) / parts);
      slices.emplace_back(from, to);
      Order rest(before.begin(), from);
      rest.insert(rest.end(), to, before.end());
      complements.push_back(std::move(rest));
    }
    std::vector<Order> candidates = std::move(slices);
    if (parts > 2) candidates.insert(candidates.end(), complements.begin(), complements.end());
    return first_that_holds(candidates);
  }

  /// Some at a time: results take much more room than orders.
  Result<std::optional<Order>> first_that_holds(const std::vector<Order>& candidates) {
    for (std::size_t at = 0; at < candidates.size() && !lab_.should_stop();) {
      std::vector<Order> some;
      for (std::size_t tests = 0; at < candidates.size() && tests < kTestsAtATime; ++at) {
        tests += candidates[at].size() + 1;
        some.push_back(candidates[at]);
      }
      auto holds = holding(some);
      if (!holds) return holds.error();
      auto first = std::find(holds->begin(), holds->end(), true);
      if (first != holds->end()) {
        return std::optional(some[static_cast<std::size_t>(first - holds->begin())]);
      }
    }
    return std::optional<Order>();
  }

  /// Which of the candidates give the result.
  Result<std::vector<bool>> holding(const std::vector<Order>& candidates) {
    std::vector<Order> orders;
    for (Order candidate : candidates) {
      candidate.push_back(test_);
      orders.push_back(std::move(candidate));
    }
    auto outcomes = lab_.last_outcomes(orders);
    if (!outcomes) return outcomes.error();
    std::vector<bool> holds;
    for (const Outcome& outcome : *outcomes) holds.push_back(same_result(outcome, wanted_));
    return holds;
  }

  Lab& lab_;
  TestId test_;
  const Outcome& wanted_;
  bool singles_tried_ = false;
};

/// What one order, repeated, gave.
struct Observed {
  std::map<TestId, std::vector<Outcome>> outcomes;
  std::optional<TestId> ender;         ///< the first that ended the process in any of the runs
  std::size_t seen_by_all = SIZE_MAX;  ///< its position: the tests up to it were seen by every run

  void add(const Suite& suite, const std::vector<OrderRun>& runs) {
    for (const OrderRun& run : runs) {
      for (std::size_t i = 0; i < run.runs.size(); ++i) {
        const Outcome& outcome = run.runs[i].outcome;
        if (is_known(outcome)) outcomes[run.order[i]].push_back(outcome);
        if (ends_its_order(suite, outcome) && i < seen_by_all) {
          ender = run.order[i], seen_by_all = i;
        }
      }
    }
  }
};

/// Forks of one process share its address layout and much else; what depends on that shows only
/// between fresh processes.
Status observe(Lab& lab, const Order& order, int repeats, Observed& observed) {
  std::vector<Order> orders(static_cast<std::size_t>(repeats), order);
  auto runs = lab.run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  observed.add(lab.suite(), *runs);
  orders.resize(kFreshRepeats);
  auto fresh = lab.run_in_fresh_processes(orders);
  if (!fresh) return fresh.error();
  observed.add(lab.suite(), *fresh);
  return {};
}

void settle(TestId test, const std::vector<Outcome>& outcomes, Knowledge& knowledge,
            DetectFacts& facts) {
  NondeterministicTest seen = describe_nondeterministic(test, {}, outcomes);
  if (!knowledge.expected(test)) knowledge.set_expected(test, seen.usual);
  if (seen.differ == 0) return;
  knowledge.set_standing(test, Knowledge::Standing::nondeterministic);
  facts.nondeterministic.push_back(seen);
}

/// Gives their expected results to the tests that every run has reached. What stands
/// after a test that ended only some of the runs has to wait for an order without it: else its
/// result would come from an order that is not always the same.
void settle_all(const Order& order, const Observed& observed, Knowledge& knowledge,
                DetectFacts& facts) {
  for (std::size_t i = 0; i < order.size() && i <= observed.seen_by_all; ++i) {
    auto known = observed.outcomes.find(order[i]);
    if (known == observed.outcomes.end() || knowledge.expected(order[i])) continue;
    settle(order[i], known->second, knowledge, facts);
  }
  if (!observed.ender) return;
  knowledge.set_ends_default_order(*observed.ender);
  // It had lived through an earlier round: now it is nondeterministic.
  if (knowledge.standing(*observed.ender) != Knowledge::Standing::open) return;
  std::vector<Outcome> outcomes = observed.outcomes.at(*observed.ender);
  outcomes.push_back(*knowledge.expected(*observed.ender));
  settle(*observed.ender, outcomes, knowledge, facts);
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

Result<std::optional<Order>> minimise(Lab& lab, const Order& before, TestId test,
                                      const Outcome& wanted) {
  return Minimiser(lab, test, wanted).run(before);
}

NondeterministicTest describe_nondeterministic(TestId test, const Order& order,
                                               const std::vector<Outcome>& outcomes) {
  NondeterministicTest found;
  found.test = test;
  found.order = order;
  std::size_t best = 0, best_count = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    auto same = [&](const Outcome& o) { return same_result(o, outcomes[i]); };
    auto count = static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(), same));
    if (count > best_count) best = i, best_count = count;
  }
  found.usual = outcomes[best];
  for (const Outcome& outcome : outcomes) {
    if (same_result(outcome, found.usual)) continue;
    ++found.differ;
    found.other = outcome;
  }
  found.runs = static_cast<int>(outcomes.size());
  return found;
}

NondeterministicTest describe_nondeterministic_in_fresh(TestId test, const Order& order,
                                                        const std::vector<Outcome>& after,
                                                        const std::vector<Outcome>& alone) {
  std::vector<Outcome> all = after;
  all.insert(all.end(), alone.begin(), alone.end());
  NondeterministicTest found = describe_nondeterministic(test, order, all);
  auto differing = [&found](const std::vector<Outcome>& outcomes) {
    return static_cast<int>(std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
      return !same_result(o, found.usual);
    }));
  };
  found.in_fresh = true;
  found.runs = static_cast<int>(after.size());
  found.differ = differing(after);
  found.alone_runs = static_cast<int>(alone.size());
  found.alone_differ = differing(alone);
  return found;
}

Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts) {
  constexpr int kMostEnders = 100;
  const Order& tests = knowledge.tests();
  auto unsettled = [&knowledge](TestId test) { return !knowledge.expected(test); };
  bool more = true;
  for (int round = 0; round < kMostEnders && more; ++round) {
    // The default order without the tests that are known to end the process.
    Order order;
    for (TestId test : tests) {
      if (!knowledge.ends_default_order(test)) order.push_back(test);
    }
    Observed observed;
    if (Status ran = observe(lab, order, repeats, observed); !ran) return ran;
    if (lab.should_stop()) return {};  // runs that were cut off tell nothing
    settle_all(order, observed, knowledge, facts);
    more = observed.ender && std::any_of(tests.begin(), tests.end(), unsettled);
  }
  for (TestId test : tests) {
    if (!unsettled(test)) continue;
    knowledge.set_standing(test, Knowledge::Standing::left_out);
    facts.left_out.push_back({test, "it could not be run in the default order"});
  }
  return {};
}

}  // namespace gordian
