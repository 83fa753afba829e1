// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

json explained_to_json(const KnownDependence& explained, const ExplainFacts& facts) {
  const Dependence& d = explained.dependence;
  json value = to_json(explained.explained(), JsonForm::shown);
  value["id"] = to_string(d.id);
  value["binary"] = facts.binary;
  value["test"] = facts.suite.test(d.test).full_name();
  value["role"] = to_string(d.role);
  value["witness"] = names_json(d.witness, facts.suite);
  value["age_seconds"] = explained.age ? json(explained.age->count()) : json();
  return value;
}

}  // namespace

json explain_to_json(std::span<const ExplainFacts> binaries) {
  json list = json::array();
  for (const ExplainFacts& facts : binaries) {
    for (const KnownDependence& explained : facts.explained) {
      list.push_back(explained_to_json(explained, facts));
    }
  }
  return {{"kind", "explain"}, {"version", kJsonVersion}, {"explanations", std::move(list)}};
}

}  // namespace gordian
