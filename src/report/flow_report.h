// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Data dependences as text, DOT and JSON: what `gordian graph` prints and writes, and a part of
// what `gordian detect` tells. Pure functions of facts.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "model/data_flow.h"
#include "model/dependence.h"
#include "report/terminal_style.h"

namespace gordian {

/// The numbers of one graph: tests, data dependences, verdicts, cost, what was ignored and what
/// cannot have been seen. Ends with a newline.
std::string flow_statistics(const FlowFacts& facts, const Style& style);
/// One line for each data dependence, the manifest ones first; at most `most`, 0: all.
std::string flow_lines(const FlowFacts& facts, const Suite& suite, const Style& style,
                       std::size_t most);
/// "X of Y orders (Z %) were left out: ..."; or why none was.
std::string pruning_sentence(const PruningFacts& pruning);

nlohmann::json flow_to_json(const FlowFacts& facts, const Suite& suite);
nlohmann::json pruning_to_json(const PruningFacts& pruning);

/// A digraph: tests that take part, an edge from reader to writer. Solid and red: manifest; dashed:
/// not manifest; dotted: untestable; plain: untested.
std::string flow_to_dot(const std::vector<FlowFacts>& flows, const Suite& suite);

/// `all`: every data dependence, else the first few.
std::string graph_text(const GraphFacts& facts, const Style& style, bool all);
std::string graph_to_dot(const GraphFacts& facts);

/// {"kind": "graph", "version": 1, ...}: public, by the rules of report/json.h.
nlohmann::json graph_to_json(const GraphFacts& facts);

}  // namespace gordian
