// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/graph_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/detect_flow.h"
#include "report/detect_json.h"
#include "report/flow_blocks.h"
#include "report/run_json.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLines = 20;

std::string next_text(const GraphFacts& facts, const Style& style) {
  const bool open = std::any_of(facts.flows.begin(), facts.flows.end(), [](const FlowFacts& f) {
    return f.count(FlowVerdict::untested) > 0;
  });
  if (!open) return {};
  const bool traced = facts.flows.front().flow.source == FlowSource::trace;
  return FlowLine(0, 2)
      .word("Next:")
      .word(std::string("gordian detect --algorithm dataflow ") + (traced ? "--trace " : "") +
                sanitize_line(shell_word(facts.target.binary.string())),
            Ink::cyan)
      .sentence("tells which of them are manifest.")
      .render(style);
}

}  // namespace

std::string graph_text(const GraphFacts& facts, const Style& style, bool all) {
  std::string out = FlowLine(0, 2)
                        .name(sanitize_line(facts.target.binary.string()), Ink::bold)
                        .glue(":")
                        .sentence(count_of(facts.suite.size(), "test"))
                        .render(style);
  for (const FlowFacts& flow : facts.flows) {
    out += flow_statistics(flow, style);
    out += flow_lines(flow, facts.suite, style, all ? 0 : kMostLines);
  }
  return out + next_text(facts, style);
}

std::string graph_to_dot(const GraphFacts& facts) {
  return flow_to_dot(facts.flows, facts.suite);
}

json graph_to_json(const GraphFacts& facts) {
  json flows = json::array();
  for (const FlowFacts& flow : facts.flows) flows.push_back(flow_to_json(flow, facts.suite));
  return {{"kind", "graph"},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(facts.binary, facts.target, facts.suite)},
          {"data_flows", std::move(flows)},
          {"notices", notices_to_json(facts.notices)},
          {"db", facts.db.empty() ? json() : json(facts.db)}};
}

json graphs_to_json(std::span<const GraphFacts> graphs) {
  json list = json::array();
  for (const GraphFacts& facts : graphs) list.push_back(graph_to_json(facts));
  return {{"kind", "graphs"}, {"version", kJsonVersion}, {"graphs", std::move(list)}};
}

}  // namespace gordian
