// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "detect/budget.h"
#include "detect/journal.h"
#include "detect/search.h"
#include "flow/flow_graph.h"
#include "frameworks/framework_traits.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

Result<Order> order_of_names(const Suite& suite, const std::vector<std::string>& names) {
  Order order;
  for (const std::string& name : names) {
    auto id = suite.find(name);
    if (!id) {
      return usage_error(fmt::format("the binary has no test called {}", name),
                         "is this the binary that failed?");
    }
    order.push_back(*id);
  }
  return order;
}

/// What the framework's own shuffle makes of a seed.
Result<Order> shuffled_by_framework(const Suite& suite, std::uint32_t seed) {
  const FrameworkTraits* traits = find_traits(suite.framework());
  if (traits != nullptr && traits->shuffle != nullptr) return traits->shuffle(suite, seed);
  return usage_error(
      fmt::format("what {} makes of a seed is not known", to_string(suite.framework())),
      "give the order itself: --from-xml, or gordian run --order FILE");
}

/// The orders that a CI log names, if the request has any.
Result<std::vector<Order>> given_orders(const DetectRequest& request, const Suite& suite) {
  std::vector<Order> orders;
  for (const auto& names : request.suspects) {
    auto order = order_of_names(suite, names);
    if (!order) return order.error();
    orders.push_back(std::move(*order));
  }
  // A seed knows better than a list of names; those only tell whether this is the right binary.
  if (request.framework_seed) {
    auto order = shuffled_by_framework(suite, *request.framework_seed);
    if (!order) return order.error();
    orders = {std::move(*order)};
  }
  return orders;
}

SearchSettings settings_of(const DetectRequest& request, const DetectFacts& facts) {
  SearchSettings settings;
  settings.target = facts.target;
  settings.filter = request.filter.text();
  settings.isolation = facts.isolation;
  settings.private_fs = facts.private_fs;
  for (const auto& dir : request.engine.private_dirs) {
    settings.private_dirs.push_back(dir.string());
  }
  settings.test_timeout_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(request.engine.limits.test_timeout)
          .count();
  return settings;
}

Result<Memory> memory_of(const DetectRequest& request, const OpenTarget& open) {
  const DetectFacts& facts = open.facts;
  Memory memory;
  // Orders that the user names are run whatever is known.
  const bool given = request.framework_seed || !request.suspects.empty();
  if (request.store == nullptr || given) return memory;
  memory.store = request.store;
  memory.settings = settings_of(request, facts);
  memory.build = {facts.binary.sha256, facts.binary.build_id,
                  runtime_of(facts.target).libraries(facts.target)};
  memory.hash_code = [session = open.session.get()] { return session->hash_code(); };
  if (request.full) return memory;
  auto earlier = request.store->load(memory.settings);
  if (!earlier) return earlier.error();
  memory.earlier = std::move(*earlier);
  return memory;
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

/// Before anything is started: what the user asked for can never be had from this target.
Status check_flow_source(const DetectRequest& request, const RuntimeTraits& runtime) {
  const Refusal& refusal = runtime.no_traces;
  if (request.flow_source != FlowSource::trace || !refusal) return {};
  return usage_error(std::string(refusal.why), std::string(refusal.instead));
}

}  // namespace

Result<DetectFacts> detect(const DetectRequest& asked, SearchListener& listener) {
  DetectRequest request = asked;
  auto budget = std::make_shared<Budget>(request.budget);
  auto open = open_target(request, [budget] { return interrupted() || budget->is_spent(); });
  if (!open && open.error().kind == ErrorKind::interrupted && !interrupted()) {
    return target_error(
        fmt::format("the program did not reach its first test within the budget of {} ms",
                    request.budget.count()),
        "raise --budget");
  }
  if (!open) return open.error();
  DetectFacts& facts = open->facts;
  facts.search.algorithm = to_string(request.algorithm);
  facts.search.seed = request.seed;
  facts.search.budget = request.budget;
  auto given = given_orders(request, facts.suite);
  if (!given) return given.error();

  auto memory = memory_of(request, *open);
  if (!memory) return memory.error();
  if (memory->earlier && !request.seed_is_given) request.seed = memory->earlier->record.seed;
  facts.search.seed = request.seed;

  listener.search_begins(facts);
  for (const Notice& notice : facts.notices) listener.notice(notice);
  const FlowMemory flows = flow_memory(request, facts);
  request.collector = [&flows, open_inner = collector_for(asked, *open)] {
    return Result<std::unique_ptr<FlowCollector>>(remembering_collector(flows, open_inner));
  };
  Search search(request, *open->session, facts, listener, budget);
  if (Status begun = search.begin(open->tests); !begun) return begun.error();
  Status explored;
  if (given->empty()) {
    if (Status taken = search.take_over(*memory); !taken) return taken.error();
    explored = search.run_algorithm();
  } else {
    facts.search.algorithm = to_string(PhaseKind::given_orders);
    explored = search.explore(*fixed_source(PhaseKind::given_orders, std::move(*given)));
  }
  if (!explored) return explored.error();
  if (Status finished = search.finish(); !finished) return finished.error();
  for (const FlowFacts& flow : facts.flows) {
    if (Status stored = remember(flows, flow); !stored) {
      facts.notices.push_back(
          {Notice::Level::warning,
           "what was found out about data dependences is not kept: " + stored.error().message});
    }
  }
  return std::move(facts);
}

Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop) {
  const Runtime& runtime = runtime_of(request.target);
  if (Status known = check_flow_source(request, runtime.traits()); !known) return known.error();
  SessionRequest wanted{request.target, request.isolation, request.also_disabled,
                        /*any_order=*/true, request.engine};
  wanted.engine.should_stop = std::move(should_stop);
  auto session = runtime.open(std::move(wanted));
  if (!session) return session.error();
  OpenTarget open;
  open.session = std::move(*session);
  DetectFacts& facts = open.facts;
  facts.target = open.session->target();
  facts.binary = open.session->identity();
  facts.suite = open.session->suite();
  facts.notices = open.session->notices();
  facts.private_fs = open.session->private_fs();
  facts.isolation = open.session->isolation();
  auto tests = choose_tests(request.target, facts.suite, request.filter);
  if (!tests) return tests.error();
  open.tests = std::move(*tests);
  return open;
}

FlowMemory flow_memory(const DetectRequest& request, const DetectFacts& facts) {
  const bool kept = request.flows != nullptr;
  std::string libraries = kept ? runtime_of(facts.target).libraries(facts.target) : "";
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
  const FlowMemory memory = flow_memory(request, open->facts);
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
  graph.suite = open->facts.suite;
  graph.notices = std::move(open->facts.notices);
  return graph;
}

}  // namespace gordian
