// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The algorithm that breaks data dependences one by one; flow/refinement.h says which and when.

#include <algorithm>
#include <utility>

#include "detect/journal.h"
#include "detect/search.h"
#include "flow/flow_graph.h"

namespace gordian {

/// Dependences tested at a time. Where each order leaves the common beginning at another test, a
/// process waits for the next at every one of them: that many, and no more.
static constexpr std::size_t kTogether = 64;
/// Orders of two or little more tests: those run at a time.
static constexpr std::size_t kOtherWriters = 1024;

struct Search::Refining {
  PhaseKey phase;
  FlowFacts facts;
  std::vector<Outcome> reference;  ///< by test: its result in the reference order
  Refinement refinement;
  RefiningMark before;            ///< what an earlier search has left; empty: nothing
  std::uint64_t lost_before = 0;  ///< orders whose results were lost until it began
};

Status Search::run_dataflow() {
  Order order = knowledge_.tests_that_go_on();
  Status done = refine(order, false);
  if (!done || !request_.both_ways || should_stop()) return done;
  std::reverse(order.begin(), order.end());
  return refine(lab_.declared().lawful(order), true);
}

/// Half of the time that is left, at most, and of that half for collecting: what it finds, chance
/// may find, too.
Status Search::run_dataflow_if_affordable() {
  constexpr auto kWorthIt = std::chrono::seconds(1);
  const PhaseRecord* then = journal_.left_at({PhaseKind::dataflow});
  const bool done_before = then != nullptr && then->finished;
  if (should_stop() || !request_.collector || done_before || flow_tried_) return {};
  flow_tried_ = true;
  const auto allowed = left() / 2;
  const auto least = test_cost_ * (3 * knowledge_.tests().size());
  if (allowed < kWorthIt || least > allowed / 2) return {};
  CollectionLimit limit(allowed / 2);
  leave_at_ = budget_->now() + allowed;
  Status done = refine(knowledge_.tests_that_go_on(), false, &limit);
  leave_at_.reset();
  return done;
}

bool Search::should_leave() const {
  return should_stop() || (leave_at_ && budget_->now() >= *leave_at_);
}

Result<std::vector<Outcome>> Search::reference_results(const Order& order, bool backwards) {
  std::vector<Outcome> results(lab_.suite().size());
  for (TestId test : order) {
    if (const auto& expected = knowledge_.expected(test)) results[test.value()] = *expected;
  }
  if (!backwards) return results;
  auto runs = lab_.run(std::vector<Order>{order}, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  Suspects suspects;
  note(runs->front(), PhaseKind::dataflow, suspects);
  if (Status judged = judge(suspects); !judged) return judged.error();
  for (std::size_t i = 0; i < order.size(); ++i) {
    results[order[i].value()] = runs->front().runs[i].outcome;
  }
  return results;
}

/// nullopt: it was ended.
Result<std::optional<FlowFacts>> Search::collect_in_order(const Order& order,
                                                          CollectionLimit* limit) {
  auto collector = open_flow_collector(limit);
  if (!collector) return collector.error();
  auto flow = (*collector)->in_order(order);
  progress_.doing.clear();
  if (!flow && flow.error().kind == ErrorKind::interrupted) return std::optional<FlowFacts>();
  if (!flow) return flow.error();
  return std::optional(without_ignored(std::move(*flow), request_.ignore, facts_.suite));
}

/// `limit`: of the collection, for a search that can do without it.
Status Search::refine(const Order& order, bool backwards, CollectionLimit* limit) {
  const PhaseKind kind = backwards ? PhaseKind::dataflow_backwards : PhaseKind::dataflow;
  const Counts before = counts();
  auto collected = collect_in_order(order, limit);
  if (!collected) return limit != nullptr ? Status() : Status(collected.error());
  if (!*collected) return {};

  FlowFacts& facts = **collected;
  facts.backwards = backwards;
  FlowGraph graph = FlowGraph::of(facts.flow);
  facts.components = graph.groups().size();
  facts.tested.resize(graph.size());
  auto reference = reference_results(order, backwards);
  if (!reference) return reference.error();
  Refining refining{{kind}, std::move(facts), std::move(*reference), Refinement(std::move(graph)),
                    {},     before.lost};
  go_on(refining);
  progress_.algorithm = to_string(kind);
  const auto refined_since = budget_->now();
  auto finished = refine(refining);
  refining.facts.refined_seconds =
      std::chrono::duration<double>(budget_->now() - refined_since).count();
  facts_.flows.push_back(std::move(refining.facts));
  if (!finished) return finished.error();

  end_phase(kind, before, *finished, journal_.left_at({kind}) != nullptr);
  return {};
}

/// What an earlier search has found out of the same dependences.
void Search::go_on(Refining& refining) {
  const PhaseRecord* then = journal_.left_at(refining.phase);
  auto mark = then == nullptr ? std::nullopt : RefiningMark::parse(then->mark, refining.facts);
  if (!mark) return;
  refining.facts.schedules = mark->schedules;
  refining.facts.tests_run = mark->tests_run;
  refining.before = std::move(*mark);
}

void Search::reached(const Refining& refining, std::uint64_t other_writers, bool finished) {
  if (should_stop() || lost_ > refining.lost_before || !open_.empty()) return;
  journal_.reached(refining.phase, RefiningMark::of(refining.facts, other_writers).text(),
                   finished);
  journal_.store_if_due(knowledge_, facts_);
}

/// Those that were found to be harmless before are not run again.
std::vector<Refinement::Experiment> Search::next_experiments(Refining& refining) {
  while (true) {
    auto experiments = refining.refinement.next(kBatchTests);
    const auto& harmless = refining.before.harmless;
    const auto known = [&](const Refinement::Experiment& experiment) {
      return !harmless.empty() && harmless[experiment.edge.value()];
    };
    for (const auto& experiment : experiments) {
      if (!known(experiment)) continue;
      refining.refinement.decide(experiment.edge, FlowVerdict::not_manifest);
      refining.facts.tested[experiment.edge.value()].verdict = FlowVerdict::not_manifest;
      ++progress_.phase_done;
    }
    if (std::erase_if(experiments, known) == 0 || !experiments.empty()) return experiments;
  }
}

/// Whether all was run.
Result<bool> Search::refine(Refining& refining) {
  progress_.phase_done = 0;
  progress_.phase_total = refining.facts.flow.dependences.size();
  while (!should_leave()) {
    const auto experiments = next_experiments(refining);
    if (experiments.empty()) break;
    for (std::size_t at = 0; at < experiments.size() && !should_leave(); at += kTogether) {
      const auto first = experiments.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = static_cast<std::ptrdiff_t>(std::min(kTogether, experiments.size() - at));
      if (Status done = test_edges(refining, {first, first + count}); !done) return done.error();
      progress_.phase_done += static_cast<std::uint64_t>(count);
      reached(refining, refining.before.other_writers, false);
    }
  }
  for (std::uint32_t i = 0; i < refining.facts.tested.size(); ++i) {
    if (!refining.refinement.is_demanded_otherwise(EdgeId(i))) continue;
    refining.facts.tested[i] = {
        FlowVerdict::untestable, "manifest ones demand the same sequence", {}, {}};
  }
  if (should_leave()) return false;
  if (Status done = run_untestable_alone(refining.facts); !done) return done.error();
  return run_other_writers(refining);
}

/// A dependence is on what was written last. What else a test could have read, no order that breaks
/// dependences shows: a writer that stands behind it, or one whose work another one undoes.
Result<bool> Search::run_other_writers(Refining& refining) {
  const Order& reference = refining.facts.flow.order;
  const auto pairs = other_writers(refining.facts.flow);
  std::size_t at = std::min<std::size_t>(refining.before.other_writers, pairs.size());
  progress_.phase_done = at;
  progress_.phase_total = pairs.size();
  while (at < pairs.size() && !should_leave()) {
    std::vector<Order> orders;
    for (; at < pairs.size() && orders.size() < kOtherWriters; ++at) {
      const TestId reader = reference[pairs[at].reader], writer = reference[pairs[at].writer];
      const bool open = knowledge_.standing(reader) == Knowledge::Standing::open;
      if (!open || !other_writers_tried_.insert({reader, writer}).second) continue;
      orders.push_back(tests_at(reference, order_of(refining.refinement.graph(), pairs[at])));
    }
    if (Status done = run_and_judge(orders); !done) return done.error();
    progress_.phase_done = at;
    reached(refining, at, false);
  }
  const bool finished = at == pairs.size() && !should_leave();
  if (finished) reached(refining, at, true);
  return finished;
}

/// From the state before the first test, each; what they show is judged.
Status Search::run_and_judge(const std::vector<Order>& orders) {
  if (orders.empty()) return {};
  auto runs = lab_.run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  Suspects suspects;
  for (const OrderRun& run : *runs) note(run, PhaseKind::dataflow, suspects);
  return judge(suspects);
}

/// What no schedule can break, a run without any other test does. It says nothing about that one
/// dependence, but everything about the reader.
Status Search::run_untestable_alone(const FlowFacts& facts) {
  std::set<TestId> readers;
  for (std::size_t i = 0; i < facts.tested.size(); ++i) {
    const TestId reader = facts.flow.dependences[i].reader;
    const bool open = knowledge_.standing(reader) == Knowledge::Standing::open;
    if (facts.tested[i].verdict == FlowVerdict::untestable && open) readers.insert(reader);
  }
  std::vector<Order> orders;
  for (TestId reader : readers) orders.push_back({reader});
  return run_and_judge(orders);
}

Status Search::test_edges(Refining& refining,
                          const std::vector<Refinement::Experiment>& experiments) {
  const Order& reference = refining.facts.flow.order;
  std::vector<Order> orders;
  for (const auto& experiment : experiments) {
    const Inverted inverted = refining.refinement.orders_of(experiment);
    if (inverted.bare) orders.push_back(tests_at(reference, *inverted.bare));
    orders.push_back(tests_at(reference, inverted.with_writer));
  }
  // Schedules follow the reference order up to the reader: neighbours share long beginnings.
  constexpr auto kWorthSharing = std::chrono::microseconds(200);
  std::size_t tests = 0;
  for (const Order& order : orders) tests += order.size();
  const auto shape = test_cost_ * tests / orders.size() > kWorthSharing ? OrderRunner::Shape::tree
                                                                        : OrderRunner::Shape::flat;
  const std::uint64_t tests_before = lab_.tests_run();
  auto runs = lab_.run(orders, shape);
  if (!runs) return runs.error();
  refining.facts.schedules += orders.size();
  refining.facts.tests_run += lab_.tests_run() - tests_before;
  Suspects suspects;
  for (const OrderRun& run : *runs) note(run, PhaseKind::dataflow, suspects);
  if (Status judged = judge(suspects); !judged) return judged;

  std::size_t at = 0;
  for (const auto& experiment : experiments) {
    const std::size_t count = experiment.bare ? 2 : 1;
    if (should_stop()) return {};  // runs that were cut off tell nothing
    auto tested = verdict_of(refining, experiment, std::span(*runs).subspan(at, count));
    if (!tested) return tested.error();
    if (tested->verdict == FlowVerdict::untested) return {};
    refining.refinement.decide(experiment.edge, tested->verdict);
    refining.facts.tested[experiment.edge.value()] = std::move(*tested);
    at += count;
  }
  return {};
}

/// Only reader and writer count: what else changes is a dependence of its own, and judged as such.
Result<TestedFlow> Search::verdict_of(const Refining& refining,
                                      const Refinement::Experiment& experiment,
                                      std::span<const OrderRun> runs) {
  const DataDependence& edge = refining.facts.flow.dependences[experiment.edge.value()];
  std::string why;  // it cannot be told
  for (const OrderRun& run : runs) {
    for (std::size_t i = 0; i < run.order.size(); ++i) {
      const TestId test = run.order[i];
      if (test != edge.reader && test != edge.writer) continue;
      const std::string name = lab_.suite().test(test).full_name();
      const Outcome &outcome = run.runs[i].outcome, &reference = refining.reference[test.value()];
      if (knowledge_.standing(test) == Knowledge::Standing::nondeterministic) {
        why = name + " is not deterministic";
      } else if (!is_known(reference)) {
        why = name + " has no result in the reference order";
      } else if (!is_known(outcome)) {
        why = outcome.kind == OutcomeKind::lost ? "the result of " + name + " was lost"
                                                : "the process ends before both have run";
      } else if (!same_result(outcome, reference)) {
        Order schedule(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(i + 1));
        auto again = lab_.repeat(schedule, request_.confirmations);
        if (!again) return again.error();
        if (should_stop()) return TestedFlow{};
        if (all_like(*again, outcome))
          return TestedFlow{FlowVerdict::manifest, {}, test, std::move(schedule)};
        why = "the result of " + name + " wavers";
      }
    }
  }
  if (why.empty()) return TestedFlow{FlowVerdict::not_manifest, {}, {}, {}};
  return TestedFlow{FlowVerdict::untestable, std::move(why), {}, {}};
}

}  // namespace gordian
