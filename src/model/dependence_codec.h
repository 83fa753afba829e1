// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The one way in which a dependence and what is known of it, explanation and repair, become JSON
// and come back; outcomes: outcome_codec.h. Whoever reads throws json::exception for what cannot
// be read: the stores turn that into an error that names the row.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"
#include "model/outcome_codec.h"
#include "model/repair.h"

namespace gordian {

enum class JsonForm : std::uint8_t {
  kept,   ///< in a database: every part, and it can be read back
  shown,  ///< by --json and pages, see report/json.h: what does not apply is null
};

/// null: there is none, or it is not stored.
nlohmann::json id_or_null(DependenceId id);

/// Tests go by their full names.
nlohmann::json names_json(const std::vector<TestId>& tests, const Suite& suite);

/// As the library itself would: an exception with a text.
[[noreturn]] void refuse(const std::string& what);

/// For a list of JSON.
template <class Id>
std::vector<typename Id::rep> numbers_of(const std::vector<Id>& ids) {
  std::vector<typename Id::rep> numbers;
  for (Id id : ids) numbers.push_back(id.value());
  return numbers;
}
std::vector<TestId> numbers_from(const nlohmann::json& list, std::size_t tests);

/// A test number that must be below `tests`.
TestId test_id_from(const nlohmann::json& value, std::size_t tests);
/// What outcome_codec.h can read.
Outcome outcome_from(const nlohmann::json& value);

CarrierKind carrier_kind_from(const nlohmann::json& word);

/// With tests by number, as those of one build know each other. An id outside of `tests` throws.
nlohmann::json to_json(const Dependence& dependence);
Dependence dependence_from(const nlohmann::json& value, std::size_t tests);
nlohmann::json to_json(const NondeterministicTest& test);
NondeterministicTest nondeterministic_from(const nlohmann::json& value, std::size_t tests);

/// What a replay, an explanation and a repair need: tests by name, which outlive a rebuild.
nlohmann::json to_json(const NamedDependence& dependence);
void read_named(const nlohmann::json& value, NamedDependence& dependence);

/// For readers: every part, tests by name.
nlohmann::json to_public_json(const Dependence& dependence, const Suite& suite);
nlohmann::json to_public_json(const NondeterministicTest& test, const Suite& suite);

/// Without the dependence that it is of; so is a repair.
nlohmann::json to_json(const Explanation& explanation, JsonForm form);
Explanation explanation_from(const nlohmann::json& value);
nlohmann::json carriers_to_json(const std::vector<Carrier>& carriers, JsonForm form);

/// A line that wrote or read the state; null: not known.
nlohmann::json site_to_json(const std::optional<Site>& site, JsonForm form);
std::optional<Site> site_from(const nlohmann::json& value);
nlohmann::json frame_to_json(const StackFrame& frame, JsonForm form);

nlohmann::json to_json(const Repair& repair, JsonForm form);
Repair repair_from(const nlohmann::json& value);
nlohmann::json checks_to_json(const std::vector<RepairCheck>& checks, JsonForm form);
std::vector<RepairCheck> checks_from(const nlohmann::json& value);

}  // namespace gordian
