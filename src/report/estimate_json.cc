// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/estimate_json.h"

#include "report/detect_json.h"
#include "report/json_values.h"
#include "report/run_json.h"

namespace gordian {
namespace {

using nlohmann::json;

json count(std::uint64_t number) {
  return number == UINT64_MAX ? json() : json(number);
}

json time_to_json(const std::optional<TimeEstimate>& time) {
  if (!time) return {};
  return {{"expected", seconds_json(time->expected)},
          {"low", seconds_json(time->low)},
          {"high", seconds_json(time->high)}};
}

json phase_to_json(const PhaseEstimate& phase) {
  return {{"algorithm", to_string(phase.kind)},
          {"orders", count(phase.orders)},
          {"tests", count(phase.tests)},
          {"seconds", time_to_json(phase.time)},
          {"sampled_orders", phase.sampled_orders},
          {"reckoned_from_tests", phase.part > 0 ? json(phase.part) : json()}};
}

json search_to_json(const SearchEstimate& search) {
  json phases = json::array();
  for (const PhaseEstimate& phase : search.phases) phases.push_back(phase_to_json(phase));
  return {
      {"algorithm", search.algorithm},
      {"k", search.k > 0 ? json(search.k) : json()},
      {"orders", count(search.orders())},
      {"tests", count(search.tests())},
      {"seconds", time_to_json(search.time())},
      {"at_most", search.at_most},
      {"budget_seconds", search.budget.count() > 0 ? json(seconds_json(search.budget)) : json()},
      {"ends_with", search.ends.empty() ? json() : json(search.ends)},
      {"memory_bytes", search.memory_bytes},
      {"phases", std::move(phases)}};
}

}  // namespace

json estimate_to_json(const EstimateFacts& facts) {
  json searches = json::array();
  for (const SearchEstimate& search : facts.searches) searches.push_back(search_to_json(search));
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
          {"searches", std::move(searches)},
          {"notices", notices_to_json(facts.notices)},
          {"end", to_string(facts.end)}};
}

json estimates_to_json(std::span<const EstimateFacts> estimates) {
  json list = json::array();
  for (const EstimateFacts& facts : estimates) list.push_back(estimate_to_json(facts));
  return {{"kind", "estimates"}, {"version", kJsonVersion}, {"estimates", std::move(list)}};
}

}  // namespace gordian
