// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `gordian graph` prints and writes. Pure functions of facts.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "model/data_flow.h"
#include "report/terminal_style.h"

namespace gordian {

/// `all`: every data dependence, else the first few.
std::string graph_text(const GraphFacts& facts, const Style& style, bool all);
std::string graph_to_dot(const GraphFacts& facts);

/// {"kind": "graph", "version": 1, ...}: public, by the rules of report/run_json.h.
nlohmann::json graph_to_json(const GraphFacts& facts);
nlohmann::json graphs_to_json(std::span<const GraphFacts> graphs);

}  // namespace gordian
