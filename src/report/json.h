// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The machine's view: public and versioned. What all documents of --json have in common, and those
// of runs and of lists of tests. Every key is always there; what does not apply is null. Keys may
// be added within a version; none is renamed, removed or given another meaning. Durations are
// nanoseconds. Seeds and addresses are strings, because they use all 64 bits and many readers of
// JSON round such numbers.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "model/dependence_codec.h"
#include "model/run.h"
#include "model/test.h"

namespace gordian {

inline constexpr int kJsonVersion = 1;

template <typename Items, typename ToJson>
nlohmann::json json_list(const Items& items, ToJson to_json) {
  auto list = nlohmann::json::array();
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

/// What a command that takes several binaries writes: the document of its only one, or
/// {"kind": "runs", "version": 1, "runs": [...]} with a document for each.
template <typename Facts, typename ToJson>
nlohmann::json all_to_json(const std::string& kind, const std::vector<Facts>& all, ToJson to_json) {
  if (all.size() == 1) return to_json(all.front());
  return {{"kind", kind}, {"version", kJsonVersion}, {kind, json_list(all, to_json)}};
}

/// Indented text, ending with a newline. Bytes that are no UTF-8 come out as U+FFFD.
std::string dump_json(const nlohmann::json& json);

/// Of those alone that are marked.
nlohmann::json marked_names_json(const Order& tests, const std::vector<bool>& marks,
                                 const Suite& suite);

double seconds_json(std::chrono::nanoseconds time);

nlohmann::json notices_to_json(const std::vector<Notice>& notices);

/// {"kind": "run", "version": 1, ...}
nlohmann::json run_to_json(const RunFacts& facts);

/// {"kind": "suite", "version": 1, ...}: one binary of `gordian list --json`.
nlohmann::json suite_to_json(const Target& target, const Suite& suite);

/// {"kind": "list", "version": 1, "suites": [...]}
nlohmann::json list_to_json(const std::vector<std::pair<Target, Suite>>& suites);

}  // namespace gordian
