// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

json explained_to_json(const Dependence& d, const ExplainFacts& facts) {
  const std::optional<std::chrono::seconds> age = d.explained().age;
  json value = to_json(d.explained(), JsonForm::shown);
  value["id"] = to_string(d.id);
  value["binary"] = facts.binary;
  value["test"] = facts.suite.test(d.test).full_name();
  value["role"] = to_string(d.role);
  value["witness"] = names_json(d.witness, facts.suite);
  value["age_seconds"] = age ? json(age->count()) : json();
  return value;
}

}  // namespace

json explain_to_json(std::span<const ExplainFacts> binaries) {
  json list = json::array();
  for (const ExplainFacts& facts : binaries) {
    for (const Dependence& d : facts.explained) list.push_back(explained_to_json(d, facts));
  }
  return {{"kind", "explain"}, {"version", kJsonVersion}, {"explanations", std::move(list)}};
}

}  // namespace gordian
