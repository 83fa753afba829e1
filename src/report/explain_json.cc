// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

json value_or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json();  // an empty value is a value
}

json place(const std::string& file, int line) {
  if (file.empty()) return {};
  return {{"file", file}, {"line", line > 0 ? json(line) : json()}};
}

json carrier_to_json(const Carrier& carrier) {
  return {{"kind", to_string(carrier.key.kind())},
          {"name", carrier.key.text()},
          {"type", text_or_null(carrier.type)},
          {"old", value_or_null(carrier.old_value)},
          {"new", value_or_null(carrier.new_value)},
          {"declared", place(carrier.file, carrier.line)},
          {"proved", carrier.proved},
          {"write", site_to_json(carrier.write)},
          {"read", site_to_json(carrier.read)}};
}

json explained_to_json(const KnownDependence& explained, const ExplainFacts& facts) {
  const Dependence& d = explained.dependence;
  const Explanation& e = explained.explained();
  return {{"id", to_string(d.id)},
          {"binary", facts.binary},
          {"test", facts.suite.test(d.test).full_name()},
          {"role", to_string(d.role)},
          {"witness", names_json(d.witness, facts.suite)},
          {"behind", e.behind},
          {"carriers", carriers_to_json(e.carriers)},
          {"proved", e.proved},
          {"proofs", e.proofs},
          {"changes", e.changes},
          {"why_not", text_or_null(e.why_not)},
          {"no_sites", text_or_null(e.no_sites)},
          {"seconds", e.seconds},
          {"age_seconds", explained.age ? json(explained.age->count()) : json()}};
}

}  // namespace

json site_to_json(const std::optional<Site>& site) {
  if (!site) return {};
  StackFrame shown;
  if (site->shown < site->stack.size()) shown = site->stack[site->shown];
  return {{"test", site->test},
          {"file", text_or_null(shown.file)},
          {"line", line_or_null(shown.line)},
          {"function", text_or_null(shown.function)},
          {"times", site->times},
          {"times_capped", site->times_capped},
          {"stack", json_list(site->stack, frame_to_json)}};
}

json carriers_to_json(const std::vector<Carrier>& carriers) {
  return json_list(carriers, carrier_to_json);
}

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
