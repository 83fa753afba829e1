// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/graph.h"

#include <algorithm>
#include <utility>

#include "flow/flow_graph.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

Result<FlowFacts> collect_one(const DetectRequest& request, const FlowMemory& memory,
                              FlowCollector& collector, const Order& order, bool backwards) {
  auto stored = remembered(memory, order);
  if (!stored) return stored.error();
  const bool from_store = stored->has_value();
  auto flow = from_store ? Result<DataFlow>(std::move((*stored)->flow)) : collector.in_order(order);
  if (!flow) return flow.error();
  FlowFacts facts = without_ignored(std::move(*flow), request.ignore, memory.suite);
  facts.backwards = backwards;
  facts.from_store = from_store;
  facts.components = FlowGraph::of(facts.flow).groups().size();
  apply(from_store ? (*stored)->refinement : RefinementRecord{}, facts);
  return facts;
}

}  // namespace

FlowMemory flow_memory(const DetectRequest& request, const DetectFacts& facts,
                       std::string libraries) {
  return {request.flows,
          facts.target,
          {facts.binary.sha256, facts.binary.build_id, std::move(libraries)},
          facts.suite,
          request.flow_source,
          request.full};
}

OpenCollector collector_for(const DetectRequest& request, const OpenTarget& open) {
  if (request.collector) return request.collector;
  return [session = open.session.get(), source = request.flow_source] {
    return session->collector(source);
  };
}

Result<GraphFacts> collect_graph(const DetectRequest& request,
                                 const std::function<void(const CollectProgress&)>& progress) {
  auto open = open_target(request, [] { return interrupted(); });
  if (!open) return open.error();
  const FlowMemory memory = flow_memory(
      request, open->facts, runtime_of(open->facts.target).libraries(open->facts.target));
  auto collector = remembering_collector(memory, collector_for(request, *open));
  collector->should_stop = [] { return interrupted(); };
  collector->progress = progress;
  GraphFacts graph;
  Order order = open->tests;
  for (bool backwards : {false, true}) {
    if (backwards && !request.both_ways) break;
    if (backwards) std::reverse(order.begin(), order.end());
    auto facts = collect_one(request, memory, *collector, order, backwards);
    if (!facts) return facts.error();
    graph.flows.push_back(std::move(*facts));
  }
  graph.binary = std::move(open->facts.binary);
  graph.target = std::move(open->facts.target);
  graph.suite = std::move(open->facts.suite);
  graph.notices = std::move(open->facts.notices);
  return graph;
}

}  // namespace gordian
