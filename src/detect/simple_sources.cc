// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sources whose orders are few enough to be written down at once.
#include "detect/order_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <utility>

#include "flow/flow_graph.h"
#include "flow/refinement.h"

namespace gordian {
namespace {

/// "3/40": three of forty.
bool read_mark(std::string_view mark, std::size_t& at, std::size_t& total) {
  const char *begin = mark.data(), *end = begin + mark.size();
  auto first = std::from_chars(begin, end, at);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return false;
  auto second = std::from_chars(first.ptr + 1, end, total);
  return second.ec == std::errc() && second.ptr == end;
}

/// Orders that have numbers.
class NumberedSource : public OrderSource {
 public:
  std::optional<Order> next() override {
    if (at_ == total()) return std::nullopt;
    return order(at_++);
  }
  std::vector<Order> draw(Random& random, std::size_t) const override {
    if (total() == 0) return {};
    return {order(random.below(total()))};
  }
  std::string mark() const override { return fmt::format("{}/{}", at_, total()); }
  void go_on_behind(std::string_view mark) override {
    std::size_t at = 0, count = 0;
    if (read_mark(mark, at, count) && count == total() && at <= count) at_ = at;
  }

 private:
  virtual Order order(std::size_t number) const = 0;

  std::size_t at_ = 0;
};

class FixedSource : public NumberedSource {
 public:
  FixedSource(PhaseKind kind, std::vector<Order> orders)
      : kind_(kind), orders_(std::move(orders)) {}

  PhaseKey key() const override { return {kind_}; }
  std::uint64_t total() const override { return orders_.size(); }
  std::uint64_t total_tests() const override {
    return std::accumulate(
        orders_.begin(), orders_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Order& order) { return sum + order.size(); });
  }

 protected:
  template <class Predicate>
  void erase_if(Predicate unwanted) {
    std::erase_if(orders_, unwanted);
  }

 private:
  Order order(std::size_t number) const override { return orders_[number]; }

  PhaseKind kind_;
  std::vector<Order> orders_;
};

class SelfSource : public FixedSource {
 public:
  SelfSource(const Knowledge& knowledge, std::vector<Order> orders)
      : FixedSource(PhaseKind::self, std::move(orders)), knowledge_(knowledge) {}

  void leave_out_settled() override {
    erase_if([this](const Order& order) { return knowledge_.settled(order.front()); });
  }

 private:
  const Knowledge& knowledge_;
};

/// Row-complete Latin square (Williams): 0, 1, n-1, 2, n-2, ... and its rotations. Every ordered
/// pair of different numbers stands side by side in exactly one row. n must be even.
std::vector<std::size_t> zigzag(std::size_t n) {
  std::vector<std::size_t> row = {0};
  for (std::size_t low = 1, high = n - 1; row.size() < n; ++low, --high) {
    row.push_back(low);
    if (row.size() < n) row.push_back(high);
  }
  return row;
}

/// The rows one at a time: all of them would be n * n numbers.
class PairsSource : public NumberedSource {
 public:
  explicit PairsSource(Order tests) : tests_(std::move(tests)) {
    if (tests_.size() < 2) return;
    row_ = zigzag(tests_.size() + tests_.size() % 2);  // an odd number gets a blank, left out
  }

  PhaseKey key() const override { return {PhaseKind::pairs}; }
  std::uint64_t total() const override { return row_.size(); }
  std::uint64_t total_tests() const override { return row_.size() * tests_.size(); }

 private:
  Order order(std::size_t shift) const override {
    Order shifted;
    for (std::size_t place : row_) {
      std::size_t index = (place + shift) % row_.size();
      if (index < tests_.size()) shifted.push_back(tests_[index]);
    }
    return shifted;
  }

  Order tests_;
  std::vector<std::size_t> row_;
};

constexpr std::size_t kMostKept = 512;  // orders to draw from

class DataflowSource : public OrderSource {
 public:
  explicit DataflowSource(const DataFlow& flow) {
    const FlowGraph graph = FlowGraph::of(flow);
    count_dependences(graph);
    count_other_writers(flow, graph);
    keep_some(flow, graph);
  }

  PhaseKey key() const override { return {PhaseKind::dataflow}; }
  std::optional<Order> next() override { return std::nullopt; }
  std::uint64_t total() const override { return total_; }
  std::uint64_t total_tests() const override { return tests_; }
  std::vector<Order> draw(Random& random, std::size_t) const override {
    if (kept_.empty()) return {};
    return {kept_[random.below(kept_.size())]};
  }
  std::string mark() const override { return {}; }
  void go_on_behind(std::string_view) override {}

 private:
  /// Reader, writer and what they need are all that the reader needs, and itself; the order without
  /// the writer has one less.
  void count_dependences(const FlowGraph& graph) {
    for (Place reader = 0; reader < graph.places(); ++reader) {
      const std::size_t edges = graph.edges_of(reader).size();
      if (edges == 0) continue;
      const std::size_t needed = graph.needed_by(reader).size();
      total_ += 2 * edges + 1;  // and once alone, if one of them cannot be broken
      tests_ += edges * (2 * needed - 1) + 1;
    }
  }

  void count_other_writers(const DataFlow& flow, const FlowGraph& graph) {
    const auto pairs = other_writers(flow);
    const std::size_t step = pairs.size() / (kMostKept / 2) + 1;
    std::size_t sampled = 0, tests = 0;
    for (std::size_t i = 0; i < pairs.size(); i += step) {
      kept_.push_back(tests_at(flow.order, order_of(graph, pairs[i])));
      tests += kept_.back().size();
      ++sampled;
    }
    total_ += pairs.size();
    if (sampled > 0) tests_ += tests * pairs.size() / sampled;
  }

  /// As many orders that break dependences as their share of all is.
  void keep_some(const DataFlow& flow, const FlowGraph& graph) {
    const std::size_t others = other_writers(flow).size();
    Refinement refinement(graph);
    const auto step = refinement.next();
    if (step.empty()) return;
    const double wanted = others == 0 ? static_cast<double>(kMostKept)
                                      : static_cast<double>(kept_.size()) *
                                            static_cast<double>(total_ - others) /
                                            static_cast<double>(others);
    const auto count = static_cast<std::size_t>(std::clamp(wanted, 1.0, 2.0 * kMostKept));
    for (std::size_t i = 0; i < count; ++i) {
      const auto& experiment = step[i * step.size() / count];
      kept_.push_back(tests_at(flow.order, refinement.orders_of(experiment).with_writer));
    }
  }

  std::uint64_t total_ = 0, tests_ = 0;
  std::vector<Order> kept_;
};

}  // namespace

std::unique_ptr<OrderSource> fixed_source(PhaseKind kind, std::vector<Order> orders) {
  return std::make_unique<FixedSource>(kind, std::move(orders));
}

std::unique_ptr<OrderSource> isolation_source(const Knowledge& knowledge) {
  std::vector<Order> orders;
  for (TestId test : knowledge.tests()) orders.push_back({test});
  return fixed_source(PhaseKind::isolation, std::move(orders));
}

std::unique_ptr<OrderSource> reversal_source(const Knowledge& knowledge) {
  Order order(knowledge.tests().rbegin(), knowledge.tests().rend());
  knowledge.enders_last(order);
  return fixed_source(PhaseKind::reversal, {order});
}

std::unique_ptr<OrderSource> self_source(const Knowledge& knowledge) {
  std::vector<Order> orders;
  for (TestId test : knowledge.tests()) {
    if (!knowledge.ends_process(test)) orders.push_back({test, test});
  }
  return std::make_unique<SelfSource>(knowledge, std::move(orders));
}

std::unique_ptr<OrderSource> pairs_source(const Knowledge& knowledge) {
  Order tests;
  for (TestId test : knowledge.tests()) {
    if (!knowledge.ends_process(test)) tests.push_back(test);
  }
  return std::make_unique<PairsSource>(std::move(tests));
}

// What the search by data flow takes, at most, from the data dependences of its order.

std::unique_ptr<OrderSource> dataflow_source(const DataFlow& flow) {
  return std::make_unique<DataflowSource>(flow);
}

}  // namespace gordian
