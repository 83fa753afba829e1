// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/rank_report.h"

#include "model/outcome_codec.h"
#include "report/detect_report.h"
#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

json coverage_to_json(const CoverageSource& about) {
  if (about.source.empty()) return {};
  return {{"source", about.source},
          {"way", about.way},
          {"file", text_or_null(about.file)},
          {"age_seconds", about.age ? json(about.age->count()) : json()},
          {"statements", about.statements},
          {"functions", about.functions},
          {"notices", about.notices}};
}

json curve_to_json(const std::optional<GrowthCurve>& curve) {
  if (!curve) return {};
  return {{"units", curve->units},
          {"total", curve->total()},
          {"rate", curve->rate},
          {"covered", curve->covered}};
}

json process_to_json(const ProcessOrder& process, const Suite& suite) {
  return {{"order", names_json(process.order, suite)},
          {"extra", marked_names_json(process.order, process.extra, suite)}};
}

json changed_to_json(const std::vector<ChangedResult>& list, const Suite& suite) {
  return json_list(list, [&](const ChangedResult& one) -> json {
    return {{"test", suite.test(one.test).full_name()},
            {"expected", to_public_json(one.expected)},
            {"observed", to_public_json(one.observed)},
            {"runs", one.runs},
            {"differ", one.differ},
            {"dependence", id_or_null(one.dependence)}};
  });
}

json checked_to_json(const std::optional<CheckedOrder>& checked, const Suite& suite) {
  if (!checked) return {};
  return {{"tests", checked->tests},
          {"changed", changed_to_json(checked->changed, suite)},
          {"nondeterministic", changed_to_json(checked->nondeterministic, suite)},
          {"not_reached", checked->not_reached},
          {"left_out", checked->left_out},
          {"seconds", seconds_json(checked->wall)}};
}

json reasons_to_json(const std::vector<std::pair<TestId, DependenceId>>& list, const Suite& suite) {
  return json_list(list, [&](const auto& reason) -> json {
    return {{"test", suite.test(reason.first).full_name()},
            {"dependence", id_or_null(reason.second)}};
  });
}

json aware_to_json(const std::optional<AwareFacts>& aware, const Suite& suite) {
  if (!aware) return {};
  return {{"constraints", aware->constraints},
          {"moved", reasons_to_json(aware->moved, suite)},
          {"impossible", reasons_to_json(aware->impossible, suite)},
          {"learned", json_list(aware->learned, id_or_null)}};
}

json ranked_order_to_json(const RankedOrder& order, const Suite& suite) {
  auto process = [&](const ProcessOrder& one) { return process_to_json(one, suite); };
  return {{"technique", order.technique},
          {"description", order.description},
          {"seed", std::to_string(order.seed)},
          {"processes", json_list(order.processes, process)},
          {"extra_runs", count_extras(order.processes)},
          {"curves",
           {{"statements", curve_to_json(order.statements)},
            {"functions", curve_to_json(order.functions)}}},
          {"aware", aware_to_json(order.aware, suite)},
          {"checked", checked_to_json(order.checked, suite)}};
}

/// What all three begin with.
json header(const char* kind, const RankedBinary& binary, const CoverageSource& coverage) {
  return {{"kind", kind},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(binary.binary, binary.target, binary.suite)},
          {"tests", binary.tests.size()},
          {"coverage", coverage_to_json(coverage)}};
}

json time_to_json(const ReducedTime& time) {
  return {{"isolation", to_string(time.asked)},
          {"isolation_used", to_string(time.used)},
          {"seconds_all", seconds_json(time.all)},
          {"seconds_reduced", seconds_json(time.reduced)}};
}

json faults_to_json(const ReduceFacts& facts) {
  return json_list(facts.faults, [&](const SeededFault& fault) -> json {
    return {{"name", fault.name},
            {"command", fault.command},
            {"found_by", names_json(fault.found_by, facts.of.suite)},
            {"found_by_reduced", names_json(fault.found_by_reduced, facts.of.suite)},
            {"trouble", text_or_null(fault.trouble)}};
  });
}

}  // namespace

json prioritize_to_json(const PrioritizeFacts& facts) {
  const Suite& suite = facts.of.suite;
  json value = header("prioritize", facts.of, facts.coverage);
  value["order"] = ranked_order_to_json(facts.order, suite);
  value["unaware"] = facts.unaware ? ranked_order_to_json(*facts.unaware, suite) : json();
  value["default_order"] = ranked_order_to_json(facts.default_order, suite);
  value["files"] = facts.files;
  value["notices"] = notices_to_json(facts.notices);
  value["end"] = to_string(facts.end);
  return value;
}

json impact_to_json(const ImpactFacts& facts) {
  json value = header("impact", facts.of, facts.coverage);
  value["aware"] = facts.aware;
  value["confirmations"] = facts.confirmations;
  value["affected"] = names_json(facts.affected(), facts.of.suite);
  value["orders"] = json_list(facts.orders, [&](const RankedOrder& order) {
    return ranked_order_to_json(order, facts.of.suite);
  });
  value["notices"] = notices_to_json(facts.notices);
  value["end"] = to_string(facts.end);
  return value;
}

json reduce_to_json(const ReduceFacts& facts) {
  json value = header("reduce", facts.of, facts.coverage);
  value["by_coverage"] = names_json(facts.by_coverage, facts.of.suite);
  value["kept_for_dependences"] = names_json(facts.kept_for_them, facts.of.suite);
  value["kept"] = facts.kept();
  value["statements"] = {{"all", facts.statements_of_all}, {"kept", facts.statements_of_kept}};
  value["order"] = ranked_order_to_json(facts.order, facts.of.suite);
  value["times"] = json_list(facts.times, time_to_json);
  value["rounds"] = facts.rounds;
  value["faults"] = facts.faults_file.empty() ? json() : faults_to_json(facts);
  value["files"] = facts.files;
  value["notices"] = notices_to_json(facts.notices);
  value["end"] = to_string(facts.end);
  return value;
}

}  // namespace gordian
