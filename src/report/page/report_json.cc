// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/page/report_json.h"

#include <algorithm>

#include "report/detect_explored.h"
#include "report/detect_json.h"
#include "report/detect_words.h"
#include "report/explain_json.h"
#include "report/json_values.h"
#include "report/page/compact_json.h"
#include "report/repair_json.h"
#include "report/run_json.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr int kLinesAround = 2;

json excerpt(const json& site, const SourceReader& source) {
  json lines = json::array();
  if (!site.at("file").is_string() || !site.at("line").is_number()) return lines;
  const auto& all = source(site.at("file").get<std::string>());
  const int line = site.at("line").get<int>(), last = static_cast<int>(all.size());
  if (line < 1 || line > last) return lines;
  for (int at = std::max(1, line - kLinesAround); at <= std::min(last, line + kLinesAround); ++at) {
    lines.push_back({{"line", at}, {"text", all[static_cast<std::size_t>(at) - 1]}});
  }
  return lines;
}

json explanation_to_json(const Explanation* explanation, const SourceReader& source) {
  if (explanation == nullptr) return {};
  json carriers = carriers_to_json(explanation->carriers);
  for (json& carrier : carriers) {
    for (const char* side : {"write", "read"}) {
      if (!carrier.at(side).is_null()) carrier[side]["excerpt"] = excerpt(carrier[side], source);
    }
  }
  return {{"behind", explanation->behind},
          {"proved", explanation->proved},
          {"proofs", explanation->proofs},
          {"changes", explanation->changes},
          {"why_not", text_or_null(explanation->why_not)},
          {"no_sites", text_or_null(explanation->no_sites)},
          {"carriers", std::move(carriers)}};
}

/// What was tried, without diffs: those that did not stand are of use to nobody.
json attempts_to_json(const Repair& repair) {
  json list = json::array();
  for (const RepairAttempt& attempt : repair.attempts) {
    list.push_back({{"strategy", to_string(attempt.patch.strategy)},
                    {"verdict", to_string(attempt.verdict)},
                    {"summary", attempt.patch.summary},
                    {"why", text_or_null(attempt.why)}});
  }
  return list;
}

json repair_summary(const Repair* repair) {
  if (repair == nullptr) return {};
  const RepairAttempt* accepted = accepted_attempt(*repair);
  json value = {{"gone_by", id_or_null(repair->gone_by)},
                {"why_not", text_or_null(repair->why_not)},
                {"verdict", json()},
                {"strategy", json()},
                {"summary", json()},
                {"reason", json()},
                {"diff", json()},
                {"checks", json::array()},
                {"attempts", attempts_to_json(*repair)},
                {"inapplicable", inapplicable_to_json(repair->inapplicable)}};
  if (accepted == nullptr) return value;
  value["verdict"] = to_string(accepted->verdict);
  value["strategy"] = to_string(accepted->patch.strategy);
  value["summary"] = accepted->patch.summary;
  value["reason"] = text_or_null(accepted->patch.reason);
  value["diff"] = accepted->patch.diff;
  value["checks"] = checks_to_json(accepted->checks);
  return value;
}

json tests_to_json(const Suite& suite) {
  json list = json::array();
  for (const Test& test : suite.tests()) {
    list.push_back({{"name", test.full_name()},
                    {"file", text_or_null(test.file)},
                    {"line", line_or_null(test.line)},
                    {"disabled", test.disabled}});
  }
  return list;
}

/// Columns by place in the suite: half the size of one object for each test.
json run_to_json(const ReportedRun& run, std::size_t tests) {
  std::vector<json> outcomes(tests), durations(tests);
  for (const TestRun& test : run.tests) {
    outcomes[test.test.value()] = to_string(test.outcome.kind);
    durations[test.test.value()] = test.duration.count();
  }
  return {{"id", to_string(run.id)},
          {"isolation", to_string(run.isolation)},
          {"started_unix_ms", run.started_unix_ms},
          {"wall_ns", run.wall.count()},
          {"outcomes", std::move(outcomes)},
          {"duration_ns", std::move(durations)}};
}

json history_to_json(const std::vector<PastRun>& history) {
  json list = json::array();
  for (const PastRun& run : history) {
    list.push_back({{"id", to_string(run.id)},
                    {"order", run.order_spec},
                    {"isolation", to_string(run.isolation)},
                    {"started_unix_ms", run.started_unix_ms},
                    {"wall_ns", run.wall.count()},
                    {"end", to_string(run.end)},
                    {"tests", run.tests},
                    {"failed", run.failed}});
  }
  return list;
}

json pairs_to_json(const std::optional<ReportedPairs>& pairs, const Suite& suite) {
  if (!pairs) return {};
  json tests = json::array(), covered = json::array(), changed = json::array();
  for (const Test& test : suite.tests()) tests.push_back(test.full_name());
  for (const IdRuns& row : pairs->covered) covered.push_back(base64(row, suite.size()));
  for (const auto& [first, second] : pairs->changed) {
    changed.push_back({first.value(), second.value()});
  }
  return {{"tests", std::move(tests)},
          {"covered", std::move(covered)},
          {"changed", std::move(changed)}};
}

json curves_to_json(const std::vector<ReportedCurve>& curves) {
  json list = json::array();
  for (const ReportedCurve& one : curves) {
    list.push_back({{"technique", one.technique},
                    {"units", one.units},
                    {"seed", std::to_string(one.seed)},
                    {"rate", one.curve.rate},
                    {"total", one.curve.total()},
                    {"covered", one.curve.covered}});
  }
  return list;
}

json explored_lines(const DetectFacts& facts) {
  json lines = json::array();
  for (const std::string& line : {resumed_sentence(facts), completeness_sentence(facts)}) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

json suite_to_json(const ReportedSuite& suite, const SourceReader& source, DocumentFor reader) {
  json value = detect_to_json(suite.detect, suite.explanations);
  value.erase("kind");
  value.erase("version");
  for (std::size_t i = 0; i < suite.detect.dependences.size(); ++i) {
    const Dependence& dependence = suite.detect.dependences[i];
    json& one = value["dependences"][i];
    one.erase("carriers");  // they are in the explanation, with source
    one["explanation"] = explanation_to_json(suite.explanation(dependence), source);
    one["repair"] = repair_summary(suite.repair(dependence));
  }
  value["search_id"] = suite.search;
  value["ended_unix_ms"] = suite.ended_unix_ms;
  value["verdict"] = verdict_sentence(suite.detect);
  value["explored"] = explored_lines(suite.detect);
  value["runs"] = json::array();
  for (const ReportedRun& run : suite.runs) {
    value["runs"].push_back(run_to_json(run, suite.detect.suite.size()));
  }
  value["history"] = history_to_json(suite.history);
  value["curves"] = curves_to_json(suite.curves);
  if (reader == DocumentFor::page) {
    shorten_lists(value, suite.detect.suite);
    value["tests"] = tests_by_column(suite.detect.suite);
    value["pairs"] = pairs_by_row(suite.pairs, suite.detect.suite.size());
  } else {
    value["tests"] = tests_to_json(suite.detect.suite);
    value["pairs"] = pairs_to_json(suite.pairs, suite.detect.suite);
  }
  return value;
}

}  // namespace

json report_to_json(const ReportFacts& facts, const SourcesOf& sources, DocumentFor reader) {
  json suites = json::array();
  for (const ReportedSuite& suite : facts.suites) {
    suites.push_back(suite_to_json(suite, sources(suite.detect.binary.path), reader));
  }
  return {{"kind", "report"},
          {"version", kJsonVersion},
          {"gordian", GORDIAN_VERSION},
          {"made_unix_ms", facts.made_unix_ms},
          {"db", text_or_null(facts.db)},
          {"suites", std::move(suites)}};
}

}  // namespace gordian
