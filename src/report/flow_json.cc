// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_json.h"
#include "report/flow_blocks.h"
#include "report/json_values.h"

namespace gordian {
namespace {

using nlohmann::json;

json state_to_json(const SharedState& state) {
  return {{"kind", to_string(state.key.kind())},
          {"name", state.key.text()},
          {"type", state.type.empty() ? json() : json(state.type)},
          {"file", state.file.empty() ? json() : json(state.file)},
          {"line", line_or_null(state.line)}};
}

json numbers(const std::vector<StateId>& states) {
  json list = json::array();
  for (StateId id : states) list.push_back(id.value());
  return list;
}

json edge_to_json(const DataDependence& edge, const TestedFlow& tested, const Suite& suite) {
  const bool manifest = tested.verdict == FlowVerdict::manifest;
  return {{"reader", suite.test(edge.reader).full_name()},
          {"writer", suite.test(edge.writer).full_name()},
          {"states", numbers(edge.states)},
          {"write", site_to_json(edge.write)},
          {"read", site_to_json(edge.read)},
          {"verdict", to_string(tested.verdict)},
          {"why", tested.why.empty() ? json() : json(tested.why)},
          {"changed", manifest ? json(suite.test(tested.changed).full_name()) : json()},
          {"schedule", manifest ? names_json(tested.schedule, suite) : json()}};
}

json test_to_json(const TestFlow& test, const Suite& suite) {
  return {{"test", suite.test(test.test).full_name()},
          {"reads", numbers(test.reads)},
          {"writes", numbers(test.writes)},
          {"unsure", test.unsure.empty() ? json() : json(test.unsure)}};
}

json ignored_to_json(const IgnoredState& state) {
  return {{"kind", to_string(state.key.kind())},
          {"name", state.key.text()},
          {"rule", state.rule},
          {"reads", state.reads},
          {"writes", state.writes},
          {"dependences", state.dependences}};
}

}  // namespace

json flow_to_json(const FlowFacts& facts, const Suite& suite) {
  const DataFlow& flow = facts.flow;
  json states = json::array(), tests = json::array(), edges = json::array(),
       ignored = json::array();
  for (const SharedState& state : flow.states) states.push_back(state_to_json(state));
  for (const TestFlow& test : flow.tests) tests.push_back(test_to_json(test, suite));
  for (std::size_t i = 0; i < flow.dependences.size(); ++i) {
    const TestedFlow tested = i < facts.tested.size() ? facts.tested[i] : TestedFlow{};
    edges.push_back(edge_to_json(flow.dependences[i], tested, suite));
  }
  for (const IgnoredState& state : facts.ignored) ignored.push_back(ignored_to_json(state));
  return {{"source", to_string(flow.source)},
          {"backwards", facts.backwards},
          {"from_store", facts.from_store},
          {"order", names_json(flow.order, suite)},
          {"states", std::move(states)},
          {"tests", std::move(tests)},
          {"dependences", std::move(edges)},
          {"manifest", facts.count(FlowVerdict::manifest)},
          {"not_manifest", facts.count(FlowVerdict::not_manifest)},
          {"untestable", facts.count(FlowVerdict::untestable)},
          {"untested", facts.count(FlowVerdict::untested)},
          {"components", facts.components},
          {"schedules", facts.schedules},
          {"tests_run", facts.tests_run},
          {"tests_run_at_most", facts.most_tests()},
          {"refined_seconds", facts.refined_seconds},
          {"passes", flow.passes},
          {"collected_seconds", flow.seconds},
          {"ignored", std::move(ignored)},
          {"ignored_dependences", facts.ignored_dependences},
          {"misses", flow.misses}};
}

json pruning_to_json(const PruningFacts& pruning) {
  const bool collected = pruning.no_reason.empty();
  return {{"source", to_string(pruning.source)},
          {"collected", collected},
          {"why_not", collected ? json() : json(pruning.no_reason)},
          {"orders_needless", pruning.needless},
          {"orders_needed", pruning.needed},
          {"proved", pruning.sound},
          {"misses", pruning.misses},
          {"passes", pruning.passes},
          {"collected_seconds", pruning.seconds}};
}

}  // namespace gordian
