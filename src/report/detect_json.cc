// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_json.h"

#include "model/outcome_codec.h"
#include "report/detect_words.h"
#include "report/flow_report.h"
#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

json phase_to_json(const SearchPhase& phase) {
  return {{"algorithm", to_string(phase.kind)},
          {"orders", phase.orders},
          {"tests_run", phase.tests_run},
          {"found", phase.found},
          {"seconds", seconds_json(phase.wall)},
          {"finished", phase.finished},
          {"lost", phase.lost}};
}

json earlier_to_json(const ResumedFrom& from) {
  return {{"kind", to_string(from.kind)},
          {"age_seconds", from.age.count()},
          {"pairs_covered", from.pairs_covered},
          {"changed_tests", from.changed_tests},
          {"known_dependences", from.known}};
}

json unseen_to_json(const DetectFacts& facts) {
  json orders = json::array();
  for (const UnseenOrder& unseen : facts.search.unseen) {
    orders.push_back({{"order", names_json(unseen.order, facts.suite)}, {"why", unseen.why}});
  }
  return orders;
}

json search_to_json(const DetectFacts& facts) {
  const SearchFacts& search = facts.search;
  json phases = json::array();
  for (const SearchPhase& phase : search.phases) phases.push_back(phase_to_json(phase));
  return {
      {"algorithm", search.algorithm},
      {"orders", search.orders},
      {"tests_run", search.tests_run},
      {"seconds", seconds_json(search.wall)},
      {"budget_seconds", search.budget.count() > 0 ? json(seconds_json(search.budget)) : json()},
      {"out_of_budget", search.out_of_budget},
      {"nothing_searched", search.nothing_searched},
      {"complete_k", search.complete_k},
      {"pairs_total", search.pairs_total},
      {"pairs_covered", search.pairs_covered},
      {"unseen_orders", unseen_to_json(facts)},
      {"unseen_total", search.unseen_total},
      {"seed", std::to_string(search.seed)},
      {"phases", std::move(phases)},
      {"resumed", search.resumed.has_value()},
      {"earlier", search.resumed ? earlier_to_json(*search.resumed) : json()},
      {"pruning", search.pruning ? pruning_to_json(*search.pruning) : json()},
      {"isolation", to_string(facts.isolation)},
      {"private_fs", facts.private_fs}};
}

json dependence_to_json(const Dependence& dependence, const DetectFacts& facts) {
  json value = to_public_json(dependence, facts.suite);
  value["replay"] = text_or_null(replay_command(dependence, facts));
  value["carriers"] = carriers_to_json(dependence.explained().carriers, JsonForm::shown);
  return value;
}

json suspected_to_json(const DetectFacts& facts) {
  json list = json::array();
  for (const SuspectedTest& suspected : facts.suspected) {
    list.push_back({{"test", facts.suite.test(suspected.test).full_name()},
                    {"order", names_json(suspected.order, facts.suite)},
                    {"expected", to_public_json(suspected.expected)},
                    {"observed", to_public_json(suspected.observed)}});
  }
  return list;
}

json declared_to_json(const DetectFacts& facts) {
  json list = json::array();
  for (const DeclaredDependence& declared : facts.declared) {
    list.push_back({{"test", facts.suite.test(declared.test).full_name()},
                    {"on", names_json(declared.on, facts.suite)},
                    {"expected", to_public_json(declared.expected)},
                    {"without", to_public_json(declared.without)},
                    {"needed", declared.needed}});
  }
  return list;
}

json left_out_to_json(const DetectFacts& facts) {
  json list = json::array();
  for (const LeftOutTest& out : facts.left_out) {
    list.push_back(
        json::object({{"test", facts.suite.test(out.test).full_name()}, {"why", out.why}}));
  }
  return list;
}

}  // namespace

json searched_suite_to_json(const BinaryIdentity& binary, const Target& target,
                            const Suite& suite) {
  return {{"binary", target.binary.empty() ? binary.path : target.binary.string()},
          {"args", target.args},
          {"working_dir", text_or_null(target.working_dir.string())},
          {"build_id", text_or_null(binary.build_id)},
          {"sha256", text_or_null(binary.sha256)},
          {"framework", to_string(suite.framework())},
          {"framework_version", text_or_null(suite.framework_version())},
          {"tests", suite.size()}};
}

json detect_to_json(const DetectFacts& facts) {
  json dependences = json::array(), nondeterministic = json::array(), flows = json::array();
  for (const FlowFacts& flow : facts.flows) flows.push_back(flow_to_json(flow, facts.suite));
  for (const Dependence& d : facts.dependences) {
    dependences.push_back(dependence_to_json(d, facts));
  }
  for (const NondeterministicTest& test : facts.nondeterministic) {
    nondeterministic.push_back(to_public_json(test, facts.suite));
  }
  return {{"kind", "detect"},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(facts.binary, facts.target, facts.suite)},
          {"search", search_to_json(facts)},
          {"dependences", std::move(dependences)},
          {"nondeterministic", std::move(nondeterministic)},
          {"suspected", suspected_to_json(facts)},
          {"declared", declared_to_json(facts)},
          {"left_out", left_out_to_json(facts)},
          {"data_flows", std::move(flows)},
          {"notices", notices_to_json(facts.notices)},
          {"end", to_string(facts.end)},
          {"db", text_or_null(facts.db)}};
}

json detects_to_json(std::span<const DetectFacts> detects) {
  json list = json::array();
  for (const DetectFacts& facts : detects) list.push_back(detect_to_json(facts));
  return {{"kind", "detects"}, {"version", kJsonVersion}, {"detects", std::move(list)}};
}

}  // namespace gordian
