// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/detect.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "base/text.h"
#include "detect/budget.h"
#include "detect/lab.h"
#include "detect/sampler.h"
#include "detect/search.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

using Source = std::unique_ptr<OrderSource>;

constexpr auto kBaselineTime = std::chrono::milliseconds(2000);
constexpr auto kSlice = std::chrono::milliseconds(350);
constexpr auto kFlowTime = std::chrono::milliseconds(1500);

std::chrono::nanoseconds nanoseconds(double ns) {
  constexpr double kMost = 9.2e18;  // some 290 years
  return std::chrono::nanoseconds(std::llround(std::clamp(ns, 0.0, kMost)));
}

TimeEstimate time_of(double tests, const SampledRate& rate) {
  return {nanoseconds(tests * rate.ns), nanoseconds(tests * rate.low),
          nanoseconds(tests * rate.high)};
}

class Estimator {
 public:
  Estimator(OrderRunner& runner, Deadline& deadline, const Order& tests,
            const DetectRequest& request, SearchListener& listener)
      : request_(request),
        deadline_(deadline),
        listener_(listener),
        knowledge_(runner.suite()),
        lab_(runner, request.isolation == Isolation::process || !runner.fork_problems().empty(),
             [this] { beat(); }),
        sampler_(lab_, deadline, request.seed, request.engine.jobs) {
    knowledge_.set_tests(tests);
    progress_.budget = kEstimateTime;
  }

  /// The expected results, as far as there is time, and what they cost.
  Status measure_default_order();
  Result<SearchEstimate> estimate(const AskedSearch& asked);

  const Lab& lab() const { return lab_; }
  std::chrono::nanoseconds elapsed() const { return Deadline::Clock::now() - started_; }

 private:
  void beat();
  Result<PhaseEstimate> phase(const OrderSource& source, const std::string& kind);
  Result<std::optional<SampledRate>> rate(const OrderSource& source, const std::string& kind);
  double tests_really_run(const OrderSource& source) const;
  Status add(SearchEstimate& search, const Source& source, const std::string& kind);
  Status add(SearchEstimate& search, const AutomaticStep& step);
  Status add_lengths(SearchEstimate& search, const AlgorithmTraits& traits, int k);
  Result<bool> add_pairs_if_affordable(SearchEstimate& search);
  Status add_automatic(SearchEstimate& search);
  Status add_dataflow(SearchEstimate& search);
  Status collect_flow();
  Result<std::optional<DataFlow>> collect(const Order& order, std::chrono::nanoseconds allowed);
  std::uint64_t memory(const SearchEstimate& search) const;
  static double left(const SearchEstimate& search);

  const DetectRequest& request_;
  Deadline& deadline_;
  SearchListener& listener_;
  Knowledge knowledge_;
  Lab lab_;
  Sampler sampler_;
  Deadline::Clock::time_point started_ = Deadline::Clock::now();
  SearchProgress progress_;
  PhaseEstimate default_order_;
  std::chrono::nanoseconds test_cost_{0};
  std::map<std::string, std::optional<SampledRate>> rates_;  ///< by kind of orders
  bool flow_asked_ = false;
  std::optional<DataFlow> flow_;     ///< of all tests, or of the first ones
  std::uint64_t tests_of_flow_ = 0;  ///< that all of it would be about
};

void Estimator::beat() {
  progress_.orders = lab_.orders();
  progress_.tests_run = lab_.tests_run();
  progress_.elapsed = elapsed();
  listener_.progress(progress_);
}

Status Estimator::measure_default_order() {
  progress_.algorithm = to_string(PhaseKind::default_order);
  deadline_.at = started_ + kBaselineTime;
  DetectFacts unused;
  Status ran = establish_expected(lab_, knowledge_, request_.confirmations, unused);
  const bool cut = deadline_.passed();
  if (!ran && !(cut && ran.error().kind == ErrorKind::interrupted)) return ran;
  const std::uint64_t n = knowledge_.tests().size();
  const std::uint64_t repeats = static_cast<std::uint64_t>(request_.confirmations) + kFreshRepeats;
  SampleBatch batch{elapsed(), lab_.orders(), lab_.tests_run(), cut};
  default_order_ = {PhaseKind::default_order, repeats, repeats * n, std::nullopt, lab_.orders()};
  if (!cut && batch.tests > 0) {
    // It was run as the search will do it: that is the number, and no extrapolation.
    default_order_.orders = lab_.orders();
    default_order_.tests = lab_.tests_run();
    default_order_.time = TimeEstimate{batch.took, batch.took, batch.took};
  } else if (auto seen = rate_of({batch})) {
    default_order_.time = time_of(static_cast<double>(default_order_.tests), *seen);
  }
  sampler_.add(batch);
  sampler_.was_cut(cut);
  test_cost_ = batch.took / std::max<std::uint64_t>(1, batch.tests);
  return {};
}

Result<std::optional<SampledRate>> Estimator::rate(const OrderSource& source,
                                                   const std::string& kind) {
  auto known = rates_.find(kind);
  if (known != rates_.end()) return known->second;
  progress_.algorithm = "sample of " + std::string(to_string(source.key().kind));
  auto measured =
      sampler_.measure(source, best_shape(source, test_cost_), kSlice, started_ + kEstimateTime);
  if (measured) rates_[kind] = *measured;
  return measured;
}

/// Where prefixes are shared, those of each length once.
double Estimator::tests_really_run(const OrderSource& source) const {
  if (best_shape(source, test_cost_) == OrderRunner::Shape::flat || source.total() == 0) {
    return static_cast<double>(source.total_tests());
  }
  const auto n = static_cast<double>(knowledge_.tests().size());
  const std::uint64_t length = source.total_tests() / source.total();
  double sum = 0, orders = 1;
  for (std::uint64_t i = 0; i < length; ++i) sum += orders *= n - static_cast<double>(i);
  return sum;
}

Result<PhaseEstimate> Estimator::phase(const OrderSource& source, const std::string& kind) {
  PhaseEstimate phase{source.key().kind, source.total(), source.total_tests(), {}, 0};
  auto sampled = rate(source, kind);
  if (!sampled) return sampled.error();
  if (*sampled) {
    phase.time = time_of(static_cast<double>(phase.tests), **sampled);
    phase.sampled_orders = (*sampled)->orders;
  } else if (auto overall = sampler_.overall()) {
    phase.time = time_of(tests_really_run(source), *overall);
  }
  return phase;
}

Status Estimator::add(SearchEstimate& search, const Source& source, const std::string& kind) {
  auto next = phase(*source, kind);
  if (!next) return next.error();
  search.phases.push_back(std::move(*next));
  return {};
}

Status Estimator::add(SearchEstimate& search, const AutomaticStep& step) {
  return add(search, source_of(step, {lab_.suite(), knowledge_, request_}),
             std::string(traits_of(step.algorithm).sample));
}

/// Every order of up to k tests, shorter ones first.
Status Estimator::add_lengths(SearchEstimate& search, const AlgorithmTraits& traits, int k) {
  const int longest = std::min(k, static_cast<int>(knowledge_.tests().size()));
  for (int length = 1; length <= longest; ++length) {
    Source source = traits.source({lab_.suite(), knowledge_, request_, length});
    const std::string kind = std::string(traits.sample) + std::to_string(length);
    if (Status added = add(search, source, kind); !added) return added;
  }
  return {};
}

/// Of the budget, in nanoseconds, after what is estimated already.
double Estimator::left(const SearchEstimate& search) {
  if (search.budget.count() == 0) return INFINITY;
  auto time = search.time();
  auto budget = std::chrono::duration<double, std::nano>(search.budget).count();
  return time ? budget - static_cast<double>(time->expected.count()) : 0;
}

/// Every pair if that fits into what is left, and every triple if that costs next to nothing: as
/// Search::explore_pairs_if_affordable(), with times that are estimated instead of measured. True:
/// it is the last step.
Result<bool> Estimator::add_pairs_if_affordable(SearchEstimate& search) {
  const auto n = static_cast<double>(knowledge_.tests().size());
  auto alone = rates_["1"] ? rates_["1"] : sampler_.overall();
  const double order_cost = alone ? alone->ns : INFINITY;
  auto cost = [&](double orders, double length) {
    return orders * (order_cost + static_cast<double>(test_cost_.count()) * length);
  };
  if (n < 2) return true;
  if (cost(n * (n - 1), 2) > left(search)) return false;
  if (Status added = add(search, exhaustive_source(knowledge_, 2), "2"); !added) {
    return added.error();
  }
  search.at_most = n > 2 && cost(n * (n - 1) * (n - 2), 3) <= left(search) / 10;
  if (!search.at_most) return true;
  Status added = add_lengths(search, traits_of(Algorithm::exhaustive), 3);
  return added ? Result<bool>(true) : added.error();
}

/// Data flow, and what fills the budget in the end, are not counted.
Status Estimator::add_automatic(SearchEstimate& search) {
  for (const AutomaticStep& step : automatic_steps()) {
    const AlgorithmTraits& traits = traits_of(step.algorithm);
    if (traits.course == Course::by_length) {
      auto last = add_pairs_if_affordable(search);
      if (!last) return last.error();
      if (*last) return {};
      continue;
    }
    if (traits.source == nullptr || step.when == AutomaticStep::When::to_the_end) continue;
    if (Status added = add(search, step); !added) return added;
  }
  search.out_of_budget = search.budget.count() > 0;
  return {};
}

/// nullopt: it takes longer than it may.
Result<std::optional<DataFlow>> Estimator::collect(const Order& order,
                                                   std::chrono::nanoseconds allowed) {
  if (!request_.collector) return target_error("nobody collects what tests read and write");
  auto collector = request_.collector();
  if (!collector) return collector.error();
  CollectionLimit limit(allowed);
  (*collector)->should_stop = [&] { return interrupted() || limit.is_exceeded(); };
  (*collector)->progress = [&](const CollectProgress& progress) {
    limit.note(progress);
    beat();
  };
  auto flow = (*collector)->in_order(order);
  if (flow) return std::optional(std::move(*flow));
  if (flow.error().kind == ErrorKind::interrupted) return std::optional<DataFlow>();
  return flow.error();
}

/// Of all tests, if they are few or it is known already. Else of some of the first ones, and then
/// of as many as there is time for by what those have taken.
Status Estimator::collect_flow() {
  constexpr std::size_t kFew = 32;
  progress_.algorithm = to_string(PhaseKind::collection);
  Order order = knowledge_.tests_that_go_on();
  tests_of_flow_ = order.size();
  auto known = collect(order, std::chrono::nanoseconds(0));  // it is there at once, or not at all
  if (!known) return known.error();
  flow_ = std::move(*known);
  if (flow_) return {};
  const Order few(order.begin(),
                  order.begin() + static_cast<std::ptrdiff_t>(std::min(kFew, order.size())));
  const auto since = Deadline::Clock::now();
  auto first = collect(few, 2 * kFlowTime);
  if (!first) return first.error();
  if (!*first) {
    return target_error("collecting data flow takes longer than an estimate may",
                        "'gordian graph' collects and keeps it, and the estimate knows it then");
  }
  flow_ = std::move(*first);
  const auto took = Deadline::Clock::now() - since, left = kFlowTime - took;
  const auto more =
      static_cast<std::size_t>(0.8 * static_cast<double>(few.size()) *
                               std::max(0.0, left / std::chrono::duration<double>(took)));
  if (few.size() == order.size() || more < 2 * few.size()) return {};
  order.resize(std::min(order.size(), more));
  auto second = collect(order, left);
  if (!second) return second.error();
  if (*second) flow_ = std::move(*second);
  return {};
}

Status Estimator::add_dataflow(SearchEstimate& search) {
  if (!std::exchange(flow_asked_, true)) {
    if (Status collected = collect_flow(); !collected) return collected;
  }
  if (!flow_) return target_error("the data flow of the tests is not known");
  const std::uint64_t n = tests_of_flow_, seen = flow_->order.size();
  search.at_most = seen == n;
  PhaseEstimate collecting{
      PhaseKind::collection, flow_->passes, flow_->passes * n, {}, flow_->passes};
  const double ns = flow_->seconds * 1e9;
  collecting.time = TimeEstimate{nanoseconds(ns), nanoseconds(ns), nanoseconds(ns)};
  if (seen == n) {
    search.phases.push_back(collecting);
    return add(search, dataflow_source(*flow_), std::string(traits_of(Algorithm::dataflow).sample));
  }
  // More tests may leave more changed, and that takes more passes: as many more, at most. Who reads
  // from whom among all of them, a part does not tell.
  const double more = static_cast<double>(n) / static_cast<double>(seen);
  collecting.time =
      TimeEstimate{nanoseconds(ns * more), nanoseconds(ns * more), nanoseconds(ns * more * more)};
  collecting.part = seen;
  search.phases.push_back(collecting);
  search.phases.push_back({PhaseKind::dataflow, UINT64_MAX, UINT64_MAX, std::nullopt, 0});
  return {};
}

std::uint64_t Estimator::memory(const SearchEstimate& search) const {
  const std::uint64_t n = lab_.suite().size();
  std::uint64_t largest = 0;
  for (const PhaseEstimate& phase : search.phases) largest = std::max(largest, phase.tests);
  largest = std::min<std::uint64_t>(largest, Search::kBatchTests + n);
  return n * n / 8 + largest * (sizeof(TestRun) + sizeof(TestId));
}

Result<SearchEstimate> Estimator::estimate(const AskedSearch& asked) {
  const AlgorithmTraits& traits = traits_of(asked.algorithm);
  SearchEstimate search;
  search.algorithm = traits.word;
  search.budget = asked.budget;
  search.phases.push_back(default_order_);
  Status added;
  switch (traits.course) {
    case Course::one_source:
      added = add(search, AutomaticStep{traits.algorithm});
      break;
    case Course::by_length:
    case Course::aware:
      search.k = asked.k;
      search.at_most = traits.course == Course::aware;
      added = add_lengths(search, traits, asked.k);
      break;
    case Course::dataflow:
      added = add_dataflow(search);
      break;
    case Course::automatic:
      added = add_automatic(search);
      break;
  }
  if (!added) return added.error();
  if (left(search) < 0) search.out_of_budget = true;
  search.memory_bytes = memory(search);
  return search;
}

}  // namespace

std::vector<AskedSearch> all_searches(std::chrono::milliseconds automatic,
                                      std::chrono::milliseconds others) {
  std::vector<const AlgorithmTraits*> cheap_first;
  for (const AlgorithmTraits& traits : algorithms()) cheap_first.push_back(&traits);
  std::sort(cheap_first.begin(), cheap_first.end(),
            [](const auto* a, const auto* b) { return a->price < b->price; });
  std::vector<AskedSearch> all;
  for (const AlgorithmTraits* traits : cheap_first) {
    const bool lengths = has_word(traits->options, "k");
    const auto budget = traits->course == Course::automatic ? automatic : others;
    if (!lengths) all.push_back({traits->algorithm, 0, budget});
    for (int k = 1; lengths && k <= 3; ++k) all.push_back({traits->algorithm, k, budget});
  }
  return all;
}

Status estimate_with(OrderRunner& runner, Deadline& deadline, const Order& tests,
                     const DetectRequest& request, const std::vector<AskedSearch>& asked,
                     SearchListener& listener, EstimateFacts& facts) {
  Estimator estimator(runner, deadline, tests, request, listener);
  if (Status ran = estimator.measure_default_order(); !ran) return ran;
  // The first pass samples, the second runs nothing: all searches are told from the same sample.
  for (int pass = 0; pass < 2; ++pass) {
    facts.searches.clear();
    for (const AskedSearch& search : asked) {
      if (interrupted()) break;
      auto estimated = estimator.estimate(search);
      if (!estimated && asked.size() > 1 && search.algorithm == Algorithm::dataflow) {
        if (pass > 0) continue;
        facts.notices.push_back({Notice::Level::info, "what dataflow would cost is not known: " +
                                                          estimated.error().message});
        continue;
      }
      if (!estimated) return estimated.error();
      facts.searches.push_back(std::move(*estimated));
    }
  }
  facts.tests = tests.size();
  facts.jobs = request.engine.jobs;
  facts.seed = request.seed;
  facts.sampled_orders = estimator.lab().orders();
  facts.sampled_tests = estimator.lab().tests_run();
  facts.wall = estimator.elapsed();
  facts.end = interrupted() ? RunEnd::interrupted : RunEnd::finished;
  return {};
}

Result<EstimateFacts> estimate(const DetectRequest& wanted, const std::vector<AskedSearch>& asked,
                               SearchListener& listener) {
  DetectRequest request = wanted;
  Deadline deadline;
  auto open = open_target(request, [&] { return interrupted() || deadline.passed(); });
  if (!open) return open.error();
  EstimateFacts facts;
  facts.binary = open->facts.binary;
  facts.target = open->facts.target;
  facts.suite = open->facts.suite;
  facts.isolation = open->facts.isolation;
  facts.private_fs = open->facts.private_fs;
  facts.notices = open->facts.notices;
  FlowMemory flows = flow_memory(request, open->facts);
  flows.keep = false;
  request.collector = [&flows, open_inner = collector_for(wanted, *open)] {
    return Result<std::unique_ptr<FlowCollector>>(remembering_collector(flows, open_inner));
  };
  open->facts.search.budget = kEstimateTime;
  listener.search_begins(open->facts);
  for (const Notice& notice : facts.notices) listener.notice(notice);
  Status done =
      estimate_with(*open->session, deadline, open->tests, request, asked, listener, facts);
  deadline.at = Deadline::Clock::time_point::max();
  if (!done) return done.error();
  return facts;
}

}  // namespace gordian
