// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/graph.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "flow/flow_graph.h"
#include "flow/open_collector.h"
#include "runtime/interrupt.h"
#include "symbols/library_digest.h"

namespace gordian {
namespace {

/// As the program will see it.
std::string library_path(const Target& target) {
  const char* ours = std::getenv("LD_LIBRARY_PATH");
  std::string path = ours == nullptr ? "" : ours;
  for (const auto& [name, value] : target.env) {
    if (name == "LD_LIBRARY_PATH") path = value.value_or("");
  }
  return path;
}

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

std::string libraries_of(const Target& target) {
  auto program = ElfFile::open(target.binary);
  return program ? library_digest(*program, library_path(target)) : std::string();
}

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
  if (open.collector) return open.collector;
  return [&request, &facts = open.facts] {
    return open_collector({facts.target, facts.suite, request.engine, request.flow_source});
  };
}

Result<GraphFacts> collect_graph(const DetectRequest& request,
                                 const std::function<void(const CollectProgress&)>& progress) {
  auto open = open_target(request, [] { return interrupted(); });
  if (!open) return open.error();
  const FlowMemory memory = flow_memory(request, open->facts, libraries_of(open->facts.target));
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
