// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The base loop that all algorithms share: take orders from a source, run them, compare each result
// with the expected one, judge what differs. And `auto`, which combines the sources.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/budget.h"
#include "detect/detect.h"
#include "detect/journal.h"
#include "detect/judge.h"
#include "detect/knowledge.h"
#include "detect/lab.h"
#include "detect/order_source.h"
#include "flow/needless.h"
#include "flow/refinement.h"

namespace gordian {

class Search {
 public:
  /// Lost orders that are kept with their names.
  static constexpr std::size_t kMostUnseen = 1000;
  /// Results held in memory at a time, apart from those of one more order.
  static constexpr std::size_t kBatchTests = 1u << 17;

  /// `budget`: the one that the runner asks when to stop; null: of its own, from now on.
  Search(const DetectRequest& request, OrderRunner& runner, DetectFacts& facts,
         SearchListener& listener, std::shared_ptr<Budget> budget = nullptr);

  /// Of these tests: establishes the expected results. Call first.
  Status begin(Order tests);
  /// What an earlier search has found out need not be found out again. Call second, or not at all;
  /// from then on the state of this one is stored as it grows.
  Status take_over(const Memory& memory);
  /// Everything the source offers, or until the budget is spent.
  Status explore(OrderSource& source);
  /// The algorithm that was asked for.
  Status run_algorithm();
  /// Completes lists, counts pairs. Call last.
  Status finish();

  Knowledge& knowledge() { return knowledge_; }
  /// The user or the budget wants an end.
  bool should_stop() const;

 private:
  using Clock = Budget::Clock;

  /// What a phase is measured by: taken when it begins, and again when it ends.
  struct Counts {
    std::uint64_t orders, tests_run, lost;
    std::size_t found;
    Clock::time_point time;
  };
  Counts counts() const;
  /// `continued`: of an earlier search; it is not told of where nothing was left of it.
  void end_phase(PhaseKind kind, const Counts& before, bool finished, bool continued);

  /// By test; of each result of it the shortest order seen.
  using Suspects = std::map<TestId, std::vector<Suspicion>>;
  Status explore_batch(OrderSource& source, std::vector<Order>& batch, Suspects& suspects);
  void note(const OrderRun& run, PhaseKind phase, Suspects& suspects);
  /// At this place of its order a test did what nothing known of it accounts for.
  bool is_suspect(const Order& order, std::size_t position, const Outcome& outcome) const;
  /// Other tests are nondeterministic there, and it with them.
  bool is_excused(std::span<const TestId> before, TestId test) const;
  bool is_judged(const Order& order, const Outcome& outcome) const;
  void note_pair(TestId first, TestId second, const Outcome& outcome, bool suspect);
  /// Something was judged of what the test did: pairs with that result are covered now, and it is
  /// not open any more.
  void note_judged(TestId test);
  /// Nothing, if it is known.
  void add(Dependence found);
  void add(const NondeterministicTest& found);
  /// A known dependence showed in a shorter order than its witness.
  void note_shorter(const OrderRun& run, std::size_t position);
  Status shorten_witnesses();
  Status judge(Suspects& suspects);
  Status judge(const Suspicion& suspicion);
  Status judge_others(const Suspicion& suspicion);
  /// It is nondeterministic: by itself, or because of what runs before it. The latter takes nothing
  /// back.
  Status note_nondeterministic(const NondeterministicTest& found);
  void leave_open(const Order& order, const Outcome& observed, std::string why);
  void leave_open(const std::vector<Judge::Open>& open);
  void note_unseen(const OrderRun& run);
  void report_unseen();
  /// Pairs whose first test is not deterministic and ends its process at times, not seen.
  std::vector<Order> hidden_pairs(std::size_t most = SIZE_MAX) const;
  bool is_hidden(std::size_t length) const;
  Status look_behind_nondeterministic_enders(PhaseKind phase);
  void distrust_phases();
  int complete_k() const;
  bool is_nothing_to_compare() const;
  /// What is known only when the lists are: see Judge.
  Status find_more_of(Dependence& known);
  void put_in_order();
  struct Earlier;
  Earlier look_back(const SearchRecord& record, bool same_build,
                    const std::vector<std::string>& hashes) const;
  std::vector<TestId> changed_results(const Earlier& earlier) const;
  bool comparable(const Earlier& earlier, const Memory& memory, const CodeHashes& hashes);
  std::optional<Dependence> translate(const Earlier& earlier, const Dependence& then) const;
  Status check_known(Earlier& earlier);
  Status check_again(Earlier& earlier, Dependence known, std::span<const Outcome> seen);
  void take_over_lists(const Earlier& earlier, Dependence& known, bool as_before);
  void take_over_nondeterministic(Earlier& earlier);
  void take_over_results(const Earlier& earlier);
  bool settle(const Earlier& earlier);
  SearchRecord snapshot(const Memory& memory, const std::vector<std::string>& hashes) const;
  void tell(std::string text);
  void note_exhausted();
  bool automatic_is_finished() const;

  Status run_lengths(const AlgorithmTraits& traits);
  Status run_aware(int k);
  Result<std::unique_ptr<FlowCollector>> open_flow_collector(CollectionLimit* limit = nullptr);
  void collect_alone(CollectionLimit* limit = nullptr);
  std::optional<CollectionLimit> limit_of_collection(std::chrono::nanoseconds pairs) const;

  /// The refinement of one graph.
  struct Refining;
  Status run_dataflow();
  Status run_dataflow_if_affordable();
  /// The time for this part of the search is over.
  bool should_leave() const;
  Result<std::optional<FlowFacts>> collect_in_order(const Order& order, CollectionLimit* limit);
  Status refine(const Order& order, bool backwards, CollectionLimit* limit = nullptr);
  void go_on(Refining& refining);
  void reached(const Refining& refining, std::uint64_t other_writers, bool finished);
  std::vector<Refinement::Experiment> next_experiments(Refining& refining);
  Result<bool> refine(Refining& refining);
  Status run_untestable_alone(const FlowFacts& facts);
  Result<bool> run_other_writers(Refining& refining);
  Status run_and_judge(const std::vector<Order>& orders);
  Status test_edges(Refining& refining, const std::vector<Refinement::Experiment>& experiments);
  Result<TestedFlow> verdict_of(const Refining& refining, const Refinement::Experiment& experiment,
                                std::span<const OrderRun> runs);
  Result<std::vector<Outcome>> reference_results(const Order& order, bool backwards);
  Status run_automatic();
  Status explore_pairs_if_affordable();
  Status complete_lists();
  Status check_declared();
  std::chrono::nanoseconds left() const;
  std::chrono::nanoseconds cost_of(std::uint64_t orders, std::uint64_t tests_each) const;
  void beat();

  const DetectRequest& request_;
  std::shared_ptr<Budget> budget_;
  DetectFacts& facts_;
  SearchListener& listener_;
  Knowledge knowledge_;
  Lab lab_;
  Judge judge_;
  SearchProgress progress_;
  std::map<std::size_t, Order> shorter_;  ///< by place among the dependences
  std::map<TestId, SuspectedTest> suspected_;
  std::chrono::nanoseconds order_cost_{0}, test_cost_{0};  ///< measured: per fork, per test
  std::map<int, bool> exhausted_;                          ///< k -> every order of k tests was run
  bool source_finished_ = false;  ///< the last one explored: all its orders were run,
  bool source_seen_ = false;      ///< and what they did was seen and judged
  std::size_t run_through_ = 0;   ///< every order of so many tests was run, seen or not
  bool each_counts_ = false;      ///< of the source that is explored: it claims to be complete
  bool lists_done_ = false;
  std::size_t known_unchecked_ = 0;  ///< dependences of an earlier search that were not run again
  Journal journal_;
  std::optional<Needless> needless_;  ///< once it was collected what tests do alone
  std::set<std::pair<TestId, TestId>> other_writers_tried_;  ///< reader, writer
  bool flow_tried_ = false;                    ///< automatic breaks data dependences once, or not
  std::optional<Clock::time_point> leave_at_;  ///< see should_leave()
  std::set<PhaseKey> finished_before_;         ///< by an earlier search, over the settled tests
  /// Orders up to a test whose result was lost, with the reason; the first ones.
  std::map<Order, std::string> unseen_;
  std::uint64_t lost_ = 0;  ///< orders with such a test
  /// A result that is not expected, and what it means could not be found out.
  struct OpenResult {
    Outcome observed;
    UnseenOrder order;
  };
  std::map<TestId, std::vector<OpenResult>> open_;  ///< no list is empty
  /// By test: after these its result differs from run to run, and by itself it does not.
  std::map<TestId, std::vector<Order>> excused_;
  /// Pairs with a result that is not judged yet, by second test.
  std::map<TestId, std::vector<std::pair<TestId, Outcome>>> unjudged_;
};

}  // namespace gordian
