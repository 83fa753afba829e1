// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/search.h"

#include <algorithm>

#include "runtime/interrupt.h"

namespace gordian {
namespace {

/// A batch should take about this long, so that the budget is kept and the display alive.
constexpr auto kBatchTime = std::chrono::milliseconds(400);
/// Orders without a result that are named in the report.
constexpr std::size_t kMostReported = 100;

}  // namespace

Search::Search(const DetectRequest& request, OrderRunner& runner, DetectFacts& facts,
               SearchListener& listener, std::shared_ptr<Budget> budget)
    : request_(request),
      budget_(budget ? std::move(budget) : std::make_shared<Budget>(request.budget)),
      facts_(facts),
      listener_(listener),
      knowledge_(runner.suite()),
      lab_(
          runner, request.isolation == Isolation::process || !runner.fork_problems().empty(),
          [this] { beat(); }, [this] { return should_stop(); }),
      judge_(lab_, knowledge_, request.confirmations) {
  progress_.budget = request.budget;
}

void Search::beat() {
  progress_.orders = lab_.orders();
  progress_.tests_run = lab_.tests_run();
  progress_.dependents = static_cast<int>(facts_.dependences.size());
  progress_.elapsed = budget_->used();
  listener_.progress(progress_);
}

std::chrono::nanoseconds Search::left() const {
  return budget_->left();
}

bool Search::should_stop() const {
  return interrupted() || left().count() <= 0;
}

Status Search::begin(Order tests) {
  knowledge_.set_tests(std::move(tests));
  progress_.algorithm = to_string(PhaseKind::default_order);
  auto since = budget_->now();
  if (Status known = establish_expected(lab_, knowledge_, request_.confirmations, facts_); !known) {
    return known;
  }
  test_cost_ = (budget_->now() - since) / std::max<std::uint64_t>(1, lab_.tests_run());
  for (const NondeterministicTest& test : facts_.nondeterministic) {
    listener_.found_nondeterministic(test);
  }
  SearchPhase phase{PhaseKind::default_order, lab_.orders(), lab_.tests_run(), 0,
                    budget_->now() - since,   !should_stop()};
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
  return {};
}

std::chrono::nanoseconds Search::cost_of(std::uint64_t orders, std::uint64_t tests_each) const {
  return order_cost_ * orders + test_cost_ * (orders * tests_each);
}

Status Search::explore(OrderSource& source) {
  const PhaseKey key = source.key();
  const Counts before = counts();
  progress_.algorithm = to_string(key.kind);
  progress_.phase_done = 0;
  progress_.phase_total = source.total();
  const PhaseRecord* left_at = journal_.left_at(key);
  if (left_at != nullptr) source.go_on_behind(left_at->mark);
  if (finished_before_.contains(key)) source.leave_out_settled();
  source.stop_when([this] { return should_stop(); });
  each_counts_ = source.complete_for() > 0;
  if (facts_.search.resumed) progress_.phase_total = 0;  // how many of them are left is not known
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
    const auto batch_since = budget_->now();
    Suspects suspects;
    if (Status ran = explore_batch(source, batch, suspects); !ran) return ran;
    const auto took = budget_->now() - batch_since;
    progress_.phase_done += batch.size();
    if (batch.front().size() == 1) {
      order_cost_ = took / batch.size();
      journal_.set_order_cost(order_cost_);
    }
    // Grow or shrink towards the wanted time; never by more than a factor of four.
    double factor =
        std::chrono::duration<double>(kBatchTime) / (took + std::chrono::microseconds(1));
    batch_size = static_cast<std::size_t>(
        std::clamp(static_cast<double>(batch.size()) * std::clamp(factor, 0.25, 4.0), 4.0, 1e5));
    if (Status done = judge(suspects); !done) return done;
    // The next search goes on after the mark: it stays where the first order without a result is.
    const bool seen = lost_ == before.lost && open_.empty() && !is_hidden(source.complete_for());
    if (!should_stop() && seen) journal_.reached(key, source.mark(), false);
    journal_.store_if_due(knowledge_, facts_);
    budget_->reserve(journal_.store_cost());
  }
  if (!more && source.complete_for() >= 2) {
    if (Status done = look_behind_nondeterministic_enders(key.kind); !done) return done;
  }
  source_finished_ = !more && !should_stop();
  source_seen_ = source_finished_ && lost_ == before.lost && open_.empty() &&
                 !is_hidden(source.complete_for());
  if (source_finished_) run_through_ = std::max(run_through_, source.complete_for());
  each_counts_ = false;
  if (source_seen_) journal_.reached(key, source.mark(), true);
  end_phase(key.kind, before, source_finished_, left_at != nullptr);
  return {};
}

Search::Counts Search::counts() const {
  return {lab_.orders(), lab_.tests_run(), lost_, facts_.dependences.size(), budget_->now()};
}

void Search::end_phase(PhaseKind kind, const Counts& before, bool finished, bool continued) {
  const Counts now = counts();
  const SearchPhase phase{kind,
                          now.orders - before.orders,
                          now.tests_run - before.tests_run,
                          static_cast<int>(now.found - before.found),
                          now.time - before.time,
                          finished,
                          now.lost - before.lost};
  if (continued && phase.orders == 0) return;  // nothing was left of it
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
}

Status Search::explore_batch(OrderSource& source, std::vector<Order>& batch, Suspects& suspects) {
  auto runs = lab_.run(batch, best_shape(source, test_cost_));
  if (!runs) return runs.error();
  const PhaseKind phase = source.key().kind;
  for (const OrderRun& run : *runs) note(run, phase, suspects);
  return {};
}

Status Search::shorten_witnesses() {
  for (const auto& [at, order] : shorter_) {
    if (should_stop()) break;
    if (Status done = judge_.shorten(facts_.dependences[at], order); !done) return done;
  }
  shorter_.clear();
  return {};
}

Status Search::complete_lists() {
  if (request_.all) budget_->lift();
  for (std::size_t i = 0; i < facts_.dependences.size(); ++i) {
    if (should_stop()) return {};
    Dependence& dependence = facts_.dependences[i];
    const TestId test = dependence.test;
    const bool was_complete = dependence.singles_complete && dependence.cleaners_complete;
    progress_.algorithm = "completing";
    progress_.doing = "polluters and cleaners of " + lab_.suite().test(test).full_name();
    Status done;
    if (!dependence.singles_complete) done = judge_.complete_singles(dependence);
    if (!done) return done;
    if (should_stop()) return {};
    if (!dependence.cleaners_complete) done = judge_.complete_cleaners(dependence);
    if (!done) return done;
    if (should_stop()) return {};
    // What turns out to be nondeterministic takes back all that was told of its test.
    const auto others_before = static_cast<std::size_t>(std::count_if(
        facts_.dependences.begin(), facts_.dependences.begin() + static_cast<std::ptrdiff_t>(i),
        [test](const Dependence& one) { return one.test != test; }));
    if (done = find_more_of(dependence); !done) return done;
    if (knowledge_.standing(test) == Knowledge::Standing::nondeterministic) i = others_before - 1;
    if (!was_complete) journal_.store_if_due(knowledge_, facts_);
  }
  lists_done_ = !should_stop();
  progress_.doing.clear();
  return {};
}

Status Search::find_more_of(Dependence& known) {
  auto verdict = [&]() -> Result<Judge::Verdict> {
    if (known.role == Role::brittle) return judge_.find_spoilers(known);
    const bool crash = known.witnessed.kind == OutcomeKind::crash;
    if (!crash || !known.witnessed.message.empty()) return Judge::Verdict{};
    return judge_.tell_crashes_apart(known);
  }();
  if (!verdict) return verdict.error();
  if (interrupted()) return {};
  for (Dependence& found : verdict->dependences) add(std::move(found));
  leave_open(verdict->open);
  return verdict->nondeterministic ? note_nondeterministic(*verdict->nondeterministic) : Status();
}

void Search::put_in_order() {
  int number = 0;
  for (Dependence& one : facts_.dependences) one.id = DependenceId{++number};
  for (const auto& [test, suspected] : suspected_) {
    if (knowledge_.standing(test) == Knowledge::Standing::open) {
      facts_.suspected.push_back(suspected);
    }
  }
}

/// What is declared is taken as given by the search, and looked at here: is it needed at all?
Status Search::check_declared() {
  for (TestId test : knowledge_.tests()) {
    const auto& expected = knowledge_.expected(test);
    Order needed = lab_.declared().needed_by(test);
    const bool open = knowledge_.standing(test) != Knowledge::Standing::nondeterministic;
    if (needed.empty() || !expected || !open || should_stop()) continue;
    progress_.doing = "what " + lab_.suite().test(test).full_name() + " does without others";
    auto outcomes = lab_.repeat_bare({test}, request_.confirmations);
    if (!outcomes) return outcomes.error();
    const bool known = std::all_of(outcomes->begin(), outcomes->end(), is_known);
    if (!known) continue;
    auto differs = [&](const Outcome& outcome) { return !same_result(outcome, *expected); };
    facts_.declared.push_back({test, std::move(needed), *expected, outcomes->front(),
                               std::all_of(outcomes->begin(), outcomes->end(), differs)});
  }
  progress_.doing.clear();
  return {};
}

/// Of what lost orders were to show, much may have shown in others.
void Search::report_unseen() {
  SearchFacts& search = facts_.search;
  std::erase_if(unseen_, [this](const auto& entry) {
    const Order& order = entry.first;
    if (order.size() == 1) return knowledge_.alone(order[0]).has_value();
    return order.size() == 2 && knowledge_.pair_covered(order[0], order[1]);
  });
  const std::uint64_t more = lost_ > kMostUnseen ? lost_ - kMostUnseen : 0;
  for (const auto& [test, open] : open_) {
    for (const OpenResult& one : open) search.unseen.push_back(one.order);
  }
  for (const auto& [order, why] : unseen_) search.unseen.push_back({order, why});
  for (Order& pair : run_through_ >= 2 ? hidden_pairs() : std::vector<Order>()) {
    const std::string first = lab_.suite().test(pair.front()).full_name();
    if (unseen_.contains(pair)) continue;
    search.unseen.push_back(
        {std::move(pair), first + " is not deterministic, and ended the process before it"});
  }
  search.unseen_total = search.unseen.size() + more;
  if (search.unseen.size() > kMostReported) search.unseen.resize(kMostReported);
}

std::vector<Order> Search::hidden_pairs(std::size_t most) const {
  std::vector<Order> hidden;
  for (TestId first : knowledge_.nondeterministic_enders()) {
    for (TestId second : knowledge_.tests()) {
      const bool seen = first == second || knowledge_.pair_covered(first, second);
      if (!seen) hidden.push_back({first, second});
      if (hidden.size() == most) return hidden;
    }
  }
  return hidden;
}

/// What such a test hides by chance shows by chance, too.
Status Search::look_behind_nondeterministic_enders(PhaseKind phase) {
  constexpr int kMostRounds = 8;
  std::size_t before = SIZE_MAX;
  for (int round = 0; round < kMostRounds && !should_stop(); ++round) {
    const std::vector<Order> hidden = hidden_pairs();
    if (hidden.empty() || hidden.size() == before) break;
    before = hidden.size();
    auto runs = lab_.run(hidden, OrderRunner::Shape::flat);
    if (!runs) return runs.error();
    Suspects suspects;
    for (const OrderRun& run : *runs) note(run, phase, suspects);
    if (Status done = judge(suspects); !done) return done;
  }
  return {};
}

/// Which longer orders such a test has hidden nobody counts.
bool Search::is_hidden(std::size_t length) const {
  if (length < 2 || knowledge_.nondeterministic_enders().empty()) return false;
  return length > 2 || !hidden_pairs(1).empty();
}

/// What claims that all orders of a length were seen is gone through anew.
void Search::distrust_phases() {
  auto claims = [](const PhaseKey& phase) {
    return phase.kind == PhaseKind::automatic || phase.kind == PhaseKind::exhaustive ||
           phase.kind == PhaseKind::aware;
  };
  journal_.take_back(claims);
  std::erase_if(finished_before_, claims);
}

/// From what was seen alone. A result that is not confirmed speaks against all orders of its
/// length.
int Search::complete_k() const {
  const Order& tests = knowledge_.tests();
  const bool alone_known = std::all_of(
      tests.begin(), tests.end(), [this](TestId t) { return knowledge_.alone(t).has_value(); });
  int k = alone_known ? 1 : 0;
  if (alone_known && facts_.search.pairs_covered == facts_.search.pairs_total) k = 2;
  for (const auto& [length, done] : exhausted_) {
    if (done) k = std::max(k, length);
  }
  while (k > 1 && is_hidden(static_cast<std::size_t>(k))) --k;
  for (const auto& [test, open] : open_) {
    for (const OpenResult& one : open) {
      k = std::min(k, static_cast<int>(one.order.order.size()) - 1);
    }
  }
  // What makes a brittle test fail after all shows in orders of three, and is looked for last.
  const bool brittle = std::any_of(facts_.dependences.begin(), facts_.dependences.end(),
                                   [](const Dependence& one) { return one.role == Role::brittle; });
  return brittle && !lists_done_ ? std::min(k, 2) : k;
}

/// Not one test has an expected result.
bool Search::is_nothing_to_compare() const {
  return std::none_of(knowledge_.tests().begin(), knowledge_.tests().end(),
                      [this](TestId t) { return knowledge_.expected(t).has_value(); });
}

Status Search::finish() {
  const bool out_of_budget = left().count() <= 0;
  Status completed = shorten_witnesses();
  drop_what_brittle_implies(facts_.dependences);
  if (completed.ok()) completed = complete_lists();
  put_in_order();
  if (completed.ok()) completed = check_declared();
  SearchFacts& search = facts_.search;
  search.orders = lab_.orders();
  search.tests_run = lab_.tests_run();
  search.wall = budget_->used();
  search.budget = request_.budget;
  search.out_of_budget = out_of_budget;
  search.pairs_total = knowledge_.pairs_total();
  search.pairs_covered = knowledge_.pairs_covered();
  search.complete_k = complete_k();
  report_unseen();
  facts_.end = interrupted() ? RunEnd::interrupted : RunEnd::finished;
  auto ran_now = [](const SearchPhase& phase) {
    return phase.kind != PhaseKind::default_order && phase.kind != PhaseKind::known_dependences &&
           phase.tests_run > 0;
  };
  const bool none_ran = std::none_of(search.phases.begin(), search.phases.end(), ran_now);
  const bool nothing_left = facts_.end == RunEnd::finished && !out_of_budget && none_ran;
  search.nothing_searched =
      is_nothing_to_compare() || (out_of_budget && none_ran) || known_unchecked_ > 0;
  if (search.resumed && search.resumed->kind == ResumedFrom::Kind::continued && nothing_left) {
    search.resumed->kind = ResumedFrom::Kind::finished;
  }
  journal_.store_now(knowledge_, facts_);
  if (std::string trouble = journal_.take_trouble(); !trouble.empty()) {
    facts_.notices.push_back(
        {Notice::Level::warning, "the next search will not continue this one: " + trouble});
  }
  return completed;
}

}  // namespace gordian
