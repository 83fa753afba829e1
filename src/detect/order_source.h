// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An algorithm, as far as it differs from the others: which orders to try next. The base loop
// (detect/search.h) runs them, compares, confirms and minimises. One small file each.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "detect/knowledge.h"
#include "model/search_phase.h"
#include "runtime/order_runner.h"

namespace gordian {

class Needless;
struct DataFlow;

class OrderSource {
 public:
  virtual ~OrderSource() = default;
  /// The kind of its orders, and what else decides which it offers: what an earlier search
  /// remembers it by.
  virtual PhaseKey key() const = 0;
  /// nullopt: no more.
  virtual std::optional<Order> next() = 0;
  /// How many orders there are in all, and how many tests they hold together, as far as is known
  /// before the first of them; UINT64_MAX: that many or more. 0: unknown.
  virtual std::uint64_t total() const { return 0; }
  virtual std::uint64_t total_tests() const { return 0; }
  /// One of them drawn at random, with up to `most` - 1 neighbours that share all but their last
  /// test with it, if the source has such: each of its orders is as likely as any other. Does not
  /// count as next(). Empty: there are none, or none can be drawn.
  virtual std::vector<Order> draw(Random& random, std::size_t most) const {
    (void)random, (void)most;
    return {};
  }
  /// Orders left out so far because they can show nothing new, by what tests read and write.
  virtual std::uint64_t needless() const { return 0; }
  /// Whether common prefixes are worth sharing, if tests are slow enough.
  virtual bool shares_prefixes() const { return false; }
  /// To have seen all its orders is to have seen every order of up to so many tests; 0: no claim.
  virtual std::size_t complete_for() const { return 0; }

  /// Asked while orders are left out, of which there may be more than there is time for; next() is
  /// nullopt once it says yes.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }

  /// Where it stands, after the orders given out so far.
  virtual std::string mark() const = 0;
  /// Goes on after a mark of a source with the same key over the same tests. A
  /// mark that makes no sense is ignored: the source begins at its beginning.
  virtual void go_on_behind(std::string_view mark) = 0;
  /// An earlier search has been through the same source: from the settled tests alone
  /// (detect/knowledge.h) nothing new can come. Not every source can make use of it.
  virtual void leave_out_settled() {}

 protected:
  /// To be called for each order that is left out; the clock is not looked at each time.
  bool should_stop() { return ++left_out_ % 1024 == 0 && stop_ && stop_(); }

 private:
  std::function<bool()> stop_;
  std::uint64_t left_out_ = 0;
};

template <class Place>
Order tests_at(const Order& tests, const std::vector<Place>& places) {
  Order order;
  for (Place place : places) order.push_back(tests[place]);
  return order;
}

/// How its orders are best run, where a test costs so much.
OrderRunner::Shape best_shape(const OrderSource& source, std::chrono::nanoseconds test_cost);

/// Every test alone.
std::unique_ptr<OrderSource> isolation_source(const Knowledge& knowledge);
/// The default order, backwards.
std::unique_ptr<OrderSource> reversal_source(const Knowledge& knowledge);
/// Every test twice in a row.
std::unique_ptr<OrderSource> self_source(const Knowledge& knowledge);

enum class Shuffling { suites, free, both };
/// `trials` shuffled orders; trial i depends on the seed and i alone.
std::unique_ptr<OrderSource> random_source(const Suite& suite, const Knowledge& knowledge,
                                           std::uint64_t seed, std::uint64_t trials,
                                           Shuffling shuffling);

/// Every order of k different tests. Their prefixes are all the shorter ones. Pairs taken over from
/// an earlier search are left out.
std::unique_ptr<OrderSource> exhaustive_source(const Knowledge& knowledge, int k);

/// The same findings as exhaustive with fewer orders: by rising length, without orders whose last
/// test is known to be non-deterministic, or that continue after a first one which ends the
/// process; and without those that are `needless`, if it is known what tests read and write. If
/// that is not proved (Needless::is_sound) the source has another identity: to have been through it
/// is not to have been through all orders.
std::unique_ptr<OrderSource> aware_source(const Knowledge& knowledge, int k,
                                          const Needless* needless = nullptr);

/// About n orders in which every ordered pair stands side by side once.
std::unique_ptr<OrderSource> pairs_source(const Knowledge& knowledge);

/// For each test A: A, then all the others. Round 0 has them in the default order, later rounds
/// shuffled, because a cleaner in between can mask.
std::unique_ptr<OrderSource> screen_source(const Knowledge& knowledge, std::uint64_t seed,
                                           int rounds);

/// What the search by data flow takes, at most: two orders for each data dependence, as long as
/// they are while none was found to be harmless, and one for each of the other writers. Nothing is
/// offered, but orders can be drawn.
std::unique_ptr<OrderSource> dataflow_source(const DataFlow& flow);

/// Exactly these.
std::unique_ptr<OrderSource> fixed_source(PhaseKind kind, std::vector<Order> orders);

}  // namespace gordian
