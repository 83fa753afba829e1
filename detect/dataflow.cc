// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The algorithms that know what tests read and write: `dataflow` breaks data dependences one by one
// (trace/refinement.h says which and when), `aware` leaves out what is needless
// (trace/needless.h says why it is).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "detect/search.h"
#include "engine/interrupt.h"
#include "trace/other_writers.h"

namespace gordian {

/// Dependences tested at a time. Where each order leaves the common beginning at another test, a
/// process waits for the next at every one of them: that many, and no more.
static constexpr std::size_t kTogether = 64;
/// Orders of two or little more tests: those run at a time.
static constexpr std::size_t kOtherWriters = 1024;

static Order to_order(const Order& reference, const std::vector<Place>& places) {
  Order order;
  for (Place place : places) order.push_back(reference[place]);
  return order;
}

Result<std::unique_ptr<FlowCollector>> Search::open_flow_collector() {
  if (!request_.collector) return target_error("nobody collects what tests read and write");
  auto collector = request_.collector();
  if (!collector) return collector;
  (*collector)->should_stop = [this] { return should_stop(); };
  (*collector)->progress = [this](const CollectProgress& progress) {
    progress_.phase_done = progress.done;
    progress_.phase_total = progress.total;
    progress_.doing = progress.doing;
    beat();
  };
  progress_.algorithm = "data flow";
  return collector;
}

// ---- aware ----

/// A test that declares others never runs without them in a search: what it does then is not what
/// was seen of it alone.
static void distrust_declaring(DataFlow& flow, const Declared& declared) {
  if (!declared.any()) return;
  for (TestFlow& test : flow.tests) {
    if (!test.unsure.empty() || declared.needed_by(test.test).empty()) continue;
    test.unsure = "it runs behind tests that it declares";
  }
}

/// Without a collection nothing is needless, and the search is as it would be without this.
void Search::collect_alone() {
  if (facts_.search.pruning) return;  // once
  PruningFacts& pruning = facts_.search.pruning.emplace();
  pruning.source = request_.flow_source;
  auto collector = open_flow_collector();
  auto flow =
      collector ? (*collector)->alone(knowledge_.tests()) : Result<DataFlow>(collector.error());
  progress_.doing.clear();
  if (!flow) {
    pruning.no_reason = flow.error().message;
    return;
  }
  distrust_declaring(*flow, lab_.declared());
  needless_.emplace(*flow, lab_.suite().size());
  pruning.sound = needless_->is_sound();
  pruning.source = flow->source;
  pruning.misses = flow->misses;
  pruning.passes = flow->passes;
  pruning.seconds = flow->seconds;
}

/// Half of what it could save, and half of the time there is, at most: the relation may turn out to
/// save nothing.
bool Search::collection_pays(std::chrono::nanoseconds pairs) const {
  if (!request_.collector || facts_.search.pruning) return false;
  auto collector = request_.collector();
  if (!collector) return false;
  const std::uint64_t tests = knowledge_.tests().size();
  const auto cost = cost_of(tests * (*collector)->expected_passes(), 1);
  return cost < pairs / 2 && cost < left() / 2;
}

Status Search::run_aware(int k) {
  auto source = aware_source(knowledge_, k, needless_ ? &*needless_ : nullptr);
  Status done = explore(*source);
  if (needless_) {
    facts_.search.pruning->needless += source->needless();
    facts_.search.pruning->needed += progress_.phase_done;
  }
  if (!needless_ || needless_->is_sound()) exhausted_[k] = source_finished_;
  return done;
}

// ---- dataflow ----

struct Search::Refining {
  FlowFacts facts;
  std::vector<Outcome> reference;  ///< by test: its result in the reference order
  Refinement refinement;
};

/// The default order, or its reverse, without what ends the process.
Status Search::run_dataflow() {
  Order order = knowledge_.tests();
  std::erase_if(order, [this](TestId test) {
    return knowledge_.ends_process(test) || knowledge_.ends_default_order(test);
  });
  Status done = refine(order, false);
  if (!done || !request_.both_ways || should_stop()) return done;
  std::reverse(order.begin(), order.end());
  return refine(lab_.declared().lawful(order), true);
}

Result<std::vector<Outcome>> Search::reference_results(const Order& order, bool backwards) {
  std::vector<Outcome> results(lab_.suite().size());
  for (TestId test : order) {
    if (const auto& expected = knowledge_.expected(test)) results[test.value()] = *expected;
  }
  if (!backwards) return results;
  auto runs = lab_.run(std::vector<Order>{order}, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  std::map<TestId, Suspicion> suspects;
  note(runs->front(), "dataflow", suspects);
  if (Status judged = judge(suspects); !judged) return judged.error();
  for (std::size_t i = 0; i < order.size(); ++i) {
    results[order[i].value()] = runs->front().runs[i].outcome;
  }
  return results;
}

Status Search::refine(const Order& order, bool backwards) {
  SearchPhase phase;
  phase.algorithm = backwards ? "dataflow backwards" : "dataflow";
  const std::uint64_t orders_before = lab_.orders(), tests_before = lab_.tests_run();
  const auto found_before = facts_.dependences.size();
  const auto since = Clock::now();
  auto collector = open_flow_collector();
  if (!collector) return collector.error();
  auto flow = (*collector)->in_order(order);
  progress_.doing.clear();
  if (!flow && flow.error().kind == ErrorKind::interrupted) return {};
  if (!flow) return flow.error();

  FlowFacts facts = without_ignored(std::move(*flow), request_.ignore);
  facts.backwards = backwards;
  FlowGraph graph = FlowGraph::of(facts.flow);
  facts.components = graph.groups().size();
  facts.tested.resize(graph.size());
  auto reference = reference_results(order, backwards);
  if (!reference) return reference.error();
  Refining refining{std::move(facts), std::move(*reference), Refinement(std::move(graph))};
  progress_.algorithm = phase.algorithm;
  const auto refined_since = Clock::now();
  Status done = refine(refining);
  refining.facts.refined_seconds =
      std::chrono::duration<double>(Clock::now() - refined_since).count();
  const bool finished = refining.facts.count(FlowVerdict::untested) == 0;
  facts_.flows.push_back(std::move(refining.facts));
  if (!done) return done;

  phase.orders = lab_.orders() - orders_before;
  phase.tests_run = lab_.tests_run() - tests_before;
  phase.found = static_cast<int>(facts_.dependences.size() - found_before);
  phase.wall = Clock::now() - since;
  phase.finished = finished;
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
  return {};
}

Status Search::refine(Refining& refining) {
  progress_.phase_done = 0;
  progress_.phase_total = refining.facts.flow.dependences.size();
  while (!should_stop()) {
    const auto experiments = refining.refinement.next(kBatchTests);
    if (experiments.empty()) break;
    for (std::size_t at = 0; at < experiments.size() && !should_stop(); at += kTogether) {
      const auto first = experiments.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = static_cast<std::ptrdiff_t>(std::min(kTogether, experiments.size() - at));
      if (Status done = test_edges(refining, {first, first + count}); !done) return done;
      progress_.phase_done += static_cast<std::uint64_t>(count);
      journal_.store_if_due(knowledge_, facts_);
    }
  }
  for (std::uint32_t i = 0; i < refining.facts.tested.size(); ++i) {
    if (!refining.refinement.is_demanded_otherwise(EdgeId(i))) continue;
    refining.facts.tested[i] = {
        FlowVerdict::untestable, "manifest ones demand the same sequence", {}, {}};
  }
  if (should_stop()) return {};
  if (Status done = run_untestable_alone(refining.facts); !done) return done;
  return run_other_writers(refining);
}

/// A dependence is on what was written last. What else a test could have read, no order that breaks
/// dependences shows: a writer that stands behind it, or one whose work another one undoes.
Status Search::run_other_writers(Refining& refining) {
  const Order& reference = refining.facts.flow.order;
  std::vector<Order> orders;
  for (const OtherWriter& pair : other_writers(refining.facts.flow)) {
    const TestId reader = reference[pair.reader], writer = reference[pair.writer];
    const bool open = knowledge_.standing(reader) == Knowledge::Standing::open;
    if (!open || !other_writers_tried_.insert({reader, writer}).second) continue;
    orders.push_back(to_order(reference, order_of(refining.refinement.graph(), pair)));
  }
  progress_.phase_done = 0;
  progress_.phase_total = orders.size();
  for (std::size_t at = 0; at < orders.size() && !should_stop(); at += kOtherWriters) {
    const auto part = std::span(orders).subspan(at, std::min(kOtherWriters, orders.size() - at));
    auto runs = lab_.run(std::vector<Order>(part.begin(), part.end()), OrderRunner::Shape::flat);
    if (!runs) return runs.error();
    std::map<TestId, Suspicion> suspects;
    for (const OrderRun& run : *runs) note(run, "dataflow", suspects);
    if (Status judged = judge(suspects); !judged) return judged;
    progress_.phase_done += part.size();
    journal_.store_if_due(knowledge_, facts_);
  }
  return {};
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
  if (readers.empty()) return {};
  std::vector<Order> orders;
  for (TestId reader : readers) orders.push_back({reader});
  auto runs = lab_.run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  std::map<TestId, Suspicion> suspects;
  for (const OrderRun& run : *runs) note(run, "dataflow", suspects);
  return judge(suspects);
}

Status Search::test_edges(Refining& refining,
                          const std::vector<Refinement::Experiment>& experiments) {
  const Order& reference = refining.facts.flow.order;
  std::vector<Order> orders;
  for (const auto& experiment : experiments) {
    const Inverted inverted = refining.refinement.orders_of(experiment);
    if (inverted.bare) orders.push_back(to_order(reference, *inverted.bare));
    orders.push_back(to_order(reference, inverted.with_writer));
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
  std::map<TestId, Suspicion> suspects;
  for (const OrderRun& run : *runs) note(run, "dataflow", suspects);
  if (Status judged = judge(suspects); !judged) return judged;

  std::size_t at = 0;
  for (const auto& experiment : experiments) {
    const std::size_t count = experiment.bare ? 2 : 1;
    if (interrupted()) return {};  // runs that were cut off tell nothing
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
        why = "the process ends before both have run";
      } else if (!same_result(outcome, reference)) {
        Order schedule(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(i + 1));
        auto again = lab_.repeat(schedule, request_.confirmations);
        if (!again) return again.error();
        if (interrupted()) return TestedFlow{};
        const bool stable = std::all_of(again->begin(), again->end(),
                                        [&](const Outcome& o) { return same_result(o, outcome); });
        if (stable) return TestedFlow{FlowVerdict::manifest, {}, test, std::move(schedule)};
        why = "the result of " + name + " wavers";
      }
    }
  }
  if (why.empty()) return TestedFlow{FlowVerdict::not_manifest, {}, {}, {}};
  return TestedFlow{FlowVerdict::untestable, std::move(why), {}, {}};
}

}  // namespace gordian
