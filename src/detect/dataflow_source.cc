// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the search by data flow takes, at most, from the data dependences of its order.
#include <algorithm>

#include "detect/order_source.h"
#include "flow/flow_graph.h"
#include "flow/refinement.h"

namespace gordian {
namespace {

constexpr std::size_t kMostKept = 512;  // orders to draw from

Order to_order(const DataFlow& flow, const std::vector<Place>& places) {
  Order order;
  for (Place place : places) order.push_back(flow.order[place]);
  return order;
}

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
      kept_.push_back(to_order(flow, order_of(graph, pairs[i])));
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
      kept_.push_back(to_order(flow, refinement.orders_of(experiment).with_writer));
    }
  }

  std::uint64_t total_ = 0, tests_ = 0;
  std::vector<Order> kept_;
};

}  // namespace

std::unique_ptr<OrderSource> dataflow_source(const DataFlow& flow) {
  return std::make_unique<DataflowSource>(flow);
}

}  // namespace gordian
