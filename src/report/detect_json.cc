// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/outcome_codec.h"
#include "report/flow_report.h"
#include "report/json.h"
#include "report/text.h"

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
  return json_list(facts.search.unseen, [&](const UnseenOrder& unseen) -> json {
    return {{"order", names_json(unseen.order, facts.suite)}, {"why", unseen.why}};
  });
}

json search_to_json(const DetectFacts& facts) {
  const SearchFacts& search = facts.search;
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
      {"phases", json_list(search.phases, phase_to_json)},
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
  return json_list(facts.suspected, [&](const SuspectedTest& suspected) -> json {
    return {{"test", facts.suite.test(suspected.test).full_name()},
            {"order", names_json(suspected.order, facts.suite)},
            {"expected", to_public_json(suspected.expected)},
            {"observed", to_public_json(suspected.observed)}};
  });
}

json declared_to_json(const DetectFacts& facts) {
  return json_list(facts.declared, [&](const DeclaredDependence& declared) -> json {
    return {{"test", facts.suite.test(declared.test).full_name()},
            {"on", names_json(declared.on, facts.suite)},
            {"expected", to_public_json(declared.expected)},
            {"without", to_public_json(declared.without)},
            {"needed", declared.needed}};
  });
}

json left_out_to_json(const DetectFacts& facts) {
  return json_list(facts.left_out, [&](const LeftOutTest& out) -> json {
    return {{"test", facts.suite.test(out.test).full_name()}, {"why", out.why}};
  });
}

constexpr std::uint64_t kWorthSaying = 256u << 20;  // bytes

using Cells = std::vector<std::string>;

std::string count_text(std::uint64_t count, bool at_most) {
  if (count == UINT64_MAX) return "over 10^19";
  return at_most ? "<= " + thousands(count) : thousands(count);
}

std::string interval_text(const TimeEstimate& time) {
  std::string low = long_duration(time.low), high = long_duration(time.high);
  return low == high ? "" : low + " to " + high;
}

/// A search by data flow of which only a part was collected.
const PhaseEstimate* partly_collected(const SearchEstimate& search) {
  for (const PhaseEstimate& phase : search.phases) {
    if (phase.part > 0) return &phase;
  }
  return nullptr;
}

Cells unknown_cells(const std::string& name, const PhaseEstimate& collecting) {
  return {name, "unknown", "unknown", "unknown",
          fmt::format("collecting takes {} or more, by the first {}; 'gordian graph' does that",
                      long_duration(collecting.time->low), count_of(collecting.part, "test"))};
}

Cells cells_of(const SearchEstimate& search) {
  std::string name = search.algorithm;
  if (search.k > 0) name += fmt::format(" -k {}", search.k);
  if (const auto* collecting = partly_collected(search)) return unknown_cells(name, *collecting);
  auto time = search.time();
  std::string ends = search.out_of_budget ? "the budget ends it" : "";
  std::string interval = time ? interval_text(*time) : "no test ended in the sample";
  if (!ends.empty() && !interval.empty()) interval += "; ";
  return {name, count_text(search.orders(), search.at_most),
          count_text(search.tests(), search.at_most),
          time ? long_duration(time->expected) : "unknown", interval + ends};
}

json number_or_null(std::uint64_t number) {
  return number == UINT64_MAX ? json() : json(number);
}

json estimated_time_to_json(const std::optional<TimeEstimate>& time) {
  if (!time) return {};
  return {{"expected", seconds_json(time->expected)},
          {"low", seconds_json(time->low)},
          {"high", seconds_json(time->high)}};
}

json phase_estimate_to_json(const PhaseEstimate& phase) {
  return {{"algorithm", to_string(phase.kind)},
          {"orders", number_or_null(phase.orders)},
          {"tests", number_or_null(phase.tests)},
          {"seconds", estimated_time_to_json(phase.time)},
          {"sampled_orders", phase.sampled_orders},
          {"reckoned_from_tests", phase.part > 0 ? json(phase.part) : json()}};
}

json search_estimate_to_json(const SearchEstimate& search) {
  return {
      {"algorithm", search.algorithm},
      {"k", search.k > 0 ? json(search.k) : json()},
      {"orders", number_or_null(search.orders())},
      {"tests", number_or_null(search.tests())},
      {"seconds", estimated_time_to_json(search.time())},
      {"at_most", search.at_most},
      {"budget_seconds", search.budget.count() > 0 ? json(seconds_json(search.budget)) : json()},
      {"ends_with", text_or_null(search.out_of_budget ? "budget" : "")},
      {"memory_bytes", search.memory_bytes},
      {"phases", json_list(search.phases, phase_estimate_to_json)}};
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
  auto dependence = [&](const Dependence& d) { return dependence_to_json(d, facts); };
  auto nondeterministic = [&](const NondeterministicTest& test) {
    return to_public_json(test, facts.suite);
  };
  auto data_flow = [&](const FlowFacts& flow) { return flow_to_json(flow, facts.suite); };
  return {{"kind", "detect"},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(facts.binary, facts.target, facts.suite)},
          {"search", search_to_json(facts)},
          {"dependences", json_list(facts.dependences, dependence)},
          {"nondeterministic", json_list(facts.nondeterministic, nondeterministic)},
          {"suspected", suspected_to_json(facts)},
          {"declared", declared_to_json(facts)},
          {"left_out", left_out_to_json(facts)},
          {"data_flows", json_list(facts.flows, data_flow)},
          {"notices", notices_to_json(facts.notices)},
          {"end", to_string(facts.end)},
          {"db", text_or_null(facts.db)}};
}

std::string long_duration(std::chrono::nanoseconds duration) {
  const double days = std::chrono::duration<double>(duration).count() / 86'400;
  if (days < 2) return human_duration(duration);
  if (days < 100) return fmt::format("{:.1f} days", days);
  const double years = days / 365.25;
  if (years < 2) return fmt::format("{:.0f} days", days);
  return years > 290 ? "more than 290 years" : fmt::format("{:.0f} years", years);
}

std::string estimate_text(const EstimateFacts& facts, const Style& style) {
  std::vector<Cells> rows = {{"search", "orders", "tests", "expected", "95 % interval"}};
  std::uint64_t memory = 0;
  for (const SearchEstimate& search : facts.searches) {
    rows.push_back(cells_of(search));
    memory = std::max(memory, search.memory_bytes);
  }
  std::string text =
      fmt::format("{} of {}, {} at a time\n",
                  paint("Estimate for " + count_of(facts.tests, "test"), Ink::bold, style.color),
                  sanitize_line(facts.target.binary.string()), facts.jobs);
  text += columns(rows, 4);
  text += fmt::format("From {} with {} run in {}. Confirming what a search finds comes on top.\n",
                      count_of(facts.sampled_orders, "order"),
                      count_of(facts.sampled_tests, "test"), human_duration(facts.wall));
  if (memory >= kWorthSaying) {
    text += fmt::format("A search would hold up to about {} MiB.\n", thousands(memory >> 20));
  }
  if (facts.end == RunEnd::interrupted) text += "Interrupted: the table is not complete.\n";
  return text;
}

json estimate_to_json(const EstimateFacts& facts) {
  return {{"kind", "estimate"},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(facts.binary, facts.target, facts.suite)},
          {"tests", facts.tests},
          {"isolation", to_string(facts.isolation)},
          {"private_fs", facts.private_fs},
          {"jobs", facts.jobs},
          {"seed", std::to_string(facts.seed)},
          {"sample",
           {{"orders", facts.sampled_orders},
            {"tests_run", facts.sampled_tests},
            {"seconds", seconds_json(facts.wall)}}},
          {"searches", json_list(facts.searches, search_estimate_to_json)},
          {"notices", notices_to_json(facts.notices)},
          {"end", to_string(facts.end)}};
}

}  // namespace gordian
