// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/search.h"

#include <algorithm>
#include <utility>

#include "engine/interrupt.h"

namespace gordian {
namespace {

/// A batch should take about this long, so that the budget is kept and the display alive.
constexpr auto kBatchTime = std::chrono::milliseconds(400);

}  // namespace

Search::Search(const DetectRequest& request, OrderRunner& runner, DetectFacts& facts,
               SearchListener& listener)
    : request_(request),
      facts_(facts),
      listener_(listener),
      knowledge_(runner.suite()),
      lab_(runner, request.isolation == Isolation::process || !runner.fork_problems().empty(),
           [this] { beat(); }),
      judge_(lab_, knowledge_, request.confirmations) {
  progress_.budget = request.budget;
}

void Search::beat() {
  progress_.orders = lab_.orders();
  progress_.tests_run = lab_.tests_run();
  progress_.dependents = static_cast<int>(facts_.dependences.size());
  progress_.elapsed = Clock::now() - started_;
  listener_.progress(progress_);
}

std::chrono::nanoseconds Search::left() const {
  if (request_.budget.count() == 0) return std::chrono::hours(1000);
  return request_.budget - (Clock::now() - started_);
}

bool Search::should_stop() const {
  return interrupted() || left().count() <= 0;
}

Status Search::begin(Order tests) {
  knowledge_.set_tests(std::move(tests));
  progress_.algorithm = "default order";
  auto since = Clock::now();
  if (Status known = establish_expected(lab_, knowledge_, request_.confirmations, facts_); !known) {
    return known;
  }
  test_cost_ = (Clock::now() - since) / std::max<std::uint64_t>(1, lab_.tests_run());
  for (const NondeterministicTest& test : facts_.nondeterministic) {
    listener_.found_nondeterministic(test);
  }
  SearchPhase phase{"default order",      lab_.orders(), lab_.tests_run(), 0,
                    Clock::now() - since, true};
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
  return {};
}

std::chrono::nanoseconds Search::cost_of(std::uint64_t orders, std::uint64_t tests_each) const {
  return order_cost_ * orders + test_cost_ * (orders * tests_each);
}

Status Search::explore(OrderSource& source) {
  SearchPhase phase;
  phase.algorithm = source.name();
  const std::uint64_t orders_before = lab_.orders(), tests_before = lab_.tests_run();
  const auto found_before = facts_.dependences.size();
  const auto since = Clock::now();
  progress_.algorithm = phase.algorithm;
  progress_.phase_done = 0;
  progress_.phase_total = source.total();
  std::size_t batch_size = 64;
  bool more = true;
  while (more && !should_stop()) {
    std::vector<Order> batch;
    std::size_t tests = 0;
    while (batch.size() < batch_size && tests < kBatchTests) {
      auto order = source.next();
      if (!order) {
        more = false;
        break;
      }
      tests += order->size();
      batch.push_back(std::move(*order));
    }
    if (batch.empty()) break;
    const auto batch_since = Clock::now();
    std::map<TestId, Suspicion> suspects;
    if (Status ran = explore_batch(source, batch, suspects); !ran) return ran;
    const auto took = Clock::now() - batch_since;
    progress_.phase_done += batch.size();
    if (batch.front().size() == 1) order_cost_ = took / batch.size();
    // Grow or shrink towards the wanted time; never by more than a factor of four.
    double factor =
        std::chrono::duration<double>(kBatchTime) / (took + std::chrono::microseconds(1));
    batch_size = static_cast<std::size_t>(
        std::clamp(static_cast<double>(batch.size()) * std::clamp(factor, 0.25, 4.0), 4.0, 1e5));
    if (Status judged = judge(suspects); !judged) return judged;
  }
  phase.orders = lab_.orders() - orders_before;
  phase.tests_run = lab_.tests_run() - tests_before;
  phase.found = static_cast<int>(facts_.dependences.size() - found_before);
  phase.wall = Clock::now() - since;
  phase.finished = !more && !should_stop();
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
  return {};
}

Status Search::explore_batch(OrderSource& source, std::vector<Order>& batch,
                             std::map<TestId, Suspicion>& suspects) {
  auto runs = lab_.run(batch, best_shape(source, test_cost_));
  if (!runs) return runs.error();
  for (const OrderRun& run : *runs) note(run, source.name(), suspects);
  return {};
}

void Search::note(const OrderRun& run, std::string_view algorithm,
                  std::map<TestId, Suspicion>& suspects) {
  for (std::size_t i = 0; i < run.runs.size(); ++i) {
    const TestId test = run.order[i];
    const Outcome& outcome = run.runs[i].outcome;
    if (!is_known(outcome)) break;  // the process has ended: nothing is known of the rest
    if (i == 0 && !knowledge_.alone(test)) knowledge_.set_alone(test, outcome);
    if (i == 1) knowledge_.note_pair(run.order[0], test, outcome);
    if (knowledge_.standing(test) == Knowledge::Standing::dependent) note_shorter(run, i);
    if (knowledge_.standing(test) != Knowledge::Standing::open) continue;
    const auto& expected = knowledge_.expected(test);
    if (!expected || same_result(outcome, *expected)) continue;
    auto known = suspects.find(test);
    if (known != suspects.end() && known->second.order.size() <= i + 1) continue;
    Order prefix(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(i + 1));
    suspects.insert_or_assign(test, Suspicion{prefix, outcome, std::string(algorithm)});
  }
}

void Search::note_shorter(const OrderRun& run, std::size_t position) {
  const TestId test = run.order[position];
  for (const Dependence& known : facts_.dependences) {
    if (known.test != test) continue;
    auto it = shorter_.find(test);
    std::size_t best = it == shorter_.end() ? known.witness.size() : it->second.size();
    bool better = position > 0 && position + 1 < best &&
                  same_result(run.runs[position].outcome, known.witnessed);
    if (!better) return;
    auto end = run.order.begin() + static_cast<std::ptrdiff_t>(position + 1);
    shorter_.insert_or_assign(test, Order(run.order.begin(), end));
  }
}

Status Search::shorten_witnesses() {
  for (Dependence& known : facts_.dependences) {
    auto it = shorter_.find(known.test);
    if (it == shorter_.end() || interrupted()) continue;
    if (Status done = judge_.shorten(known, it->second); !done) return done;
  }
  shorter_.clear();
  return {};
}

Status Search::judge(std::map<TestId, Suspicion>& suspects) {
  if (Status done = shorten_witnesses(); !done) return done;
  for (auto& [test, suspicion] : suspects) {
    if (interrupted()) return {};
    if (knowledge_.standing(test) != Knowledge::Standing::open) continue;
    progress_.doing = "confirming " + lab_.suite().test(test).full_name();
    beat();
    auto verdict = judge_.examine(suspicion);
    if (!verdict) return verdict.error();
    if (verdict->dependence) {
      Dependence& found = *verdict->dependence;
      found.id = static_cast<int>(facts_.dependences.size()) + 1;
      knowledge_.set_standing(test, Knowledge::Standing::dependent);
      facts_.dependences.push_back(found);
      listener_.found(found);
    } else if (verdict->nondeterministic && !interrupted()) {
      knowledge_.set_standing(test, Knowledge::Standing::nondeterministic);
      facts_.nondeterministic.push_back(*verdict->nondeterministic);
      listener_.found_nondeterministic(*verdict->nondeterministic);
    }
  }
  progress_.doing.clear();
  return {};
}

Status Search::complete_lists() {
  for (Dependence& dependence : facts_.dependences) {
    if (interrupted() || (!request_.all && left().count() <= 0)) return {};
    progress_.algorithm = "completing";
    progress_.doing = "polluters and cleaners of " + lab_.suite().test(dependence.test).full_name();
    if (Status done = judge_.complete_singles(dependence); !done) return done;
    if (interrupted()) return {};
    if (Status done = judge_.complete_cleaners(dependence); !done) return done;
  }
  progress_.doing.clear();
  return {};
}

Status Search::finish() {
  const bool out_of_budget = left().count() <= 0;
  Status completed = complete_lists();
  SearchFacts& search = facts_.search;
  search.orders = lab_.orders();
  search.tests_run = lab_.tests_run();
  search.wall = Clock::now() - started_;
  search.budget = request_.budget;
  search.out_of_budget = out_of_budget;
  search.pairs_total = knowledge_.pairs_total();
  search.pairs_covered = knowledge_.pairs_covered();
  bool alone_known = std::all_of(knowledge_.tests().begin(), knowledge_.tests().end(),
                                 [this](TestId t) { return knowledge_.alone(t).has_value(); });
  search.complete_k = alone_known ? 1 : 0;
  if (alone_known && search.pairs_covered == search.pairs_total) search.complete_k = 2;
  for (const auto& [k, done] : exhausted_) {
    if (done) search.complete_k = std::max(search.complete_k, k);
  }
  facts_.end = interrupted() ? RunEnd::interrupted : RunEnd::finished;
  return completed;
}

}  // namespace gordian
