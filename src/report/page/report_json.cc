// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/page/report_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/report_facts.h"
#include "report/detect_report.h"
#include "report/json.h"

namespace gordian {
namespace {

using nlohmann::json;

// Short forms of what is long in a report of many tests, for the page: 20,000 tests are some 1 MB
// in place of 70. Nothing is left out; web/src/compact.ts makes the whole document of it again.

using Places = std::unordered_map<std::string, std::int64_t>;

/// Shorter lists stay as they are, for whoever reads the page's source.
constexpr std::size_t kLongList = 8;

std::optional<std::vector<std::int64_t>> places_of(const json& list, const Places& places) {
  if (!list.is_array() || list.size() < kLongList) return std::nullopt;
  std::vector<std::int64_t> found;
  for (const json& name : list) {
    const auto* text = name.get_ptr<const std::string*>();
    const auto place = text == nullptr ? places.end() : places.find(*text);
    if (place == places.end()) return std::nullopt;
    found.push_back(place->second);
  }
  return found;
}

/// Each run goes up or down by one as far as it can.
json runs_of_places(const std::vector<std::int64_t>& places) {
  json runs = json::array();
  for (std::size_t at = 0; at < places.size();) {
    const std::size_t first = at++;
    const std::int64_t step = at < places.size() ? places[at] - places[first] : 0;
    if (std::abs(step) == 1) {
      while (at < places.size() && places[at] - places[at - 1] == step) ++at;
    }
    const auto count = static_cast<std::int64_t>(at - first);
    runs.push_back(places[first]);
    runs.push_back(step == -1 && count > 1 ? -count : count);
  }
  return runs;
}

void shorten(json& value, const Places& places) {
  if (const auto found = places_of(value, places)) {
    value = {{"tests_at", runs_of_places(*found)}};
  } else if (value.is_structured()) {
    for (json& part : value) shorten(part, places);
  }
}

/// Which numbers below `count`, eight to a byte, the first one lowest.
std::string base64(const IdRuns& runs, std::size_t count) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = (count + 7) / 8;
  std::vector<unsigned> bytes(size + 2);  // two zeros at the end, for the last three
  for (const IdRun& run : runs) {
    for (std::size_t i = run.first, end = i + run.count; i < end; ++i) bytes[i / 8] |= 1U << i % 8;
  }
  std::string text;
  for (std::size_t at = 0; at < size; at += 3) {
    const unsigned three = bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2];
    for (int shift : {18, 12, 6, 0}) text += kDigits[three >> shift & 63];
  }
  for (std::size_t i = 0; i < (3 - size % 3) % 3; ++i) text[text.size() - 1 - i] = '=';
  return text;
}

/// {"names", "files": distinct ones, "file": [index or -1, how many tests, ...], "line": 0 is none,
/// "disabled": places}
json tests_by_column(const Suite& suite) {
  json names = json::array(), files = json::array(), file = json::array(), line = json::array(),
       disabled = json::array();
  std::unordered_map<std::string, std::int64_t> known = {{"", -1}};
  for (std::size_t at = 0; at < suite.size(); ++at) {
    const Test& test = suite.tests()[at];
    names.push_back(test.full_name());
    line.push_back(std::max(test.line, 0));
    if (test.disabled) disabled.push_back(at);
    const auto [place, fresh] =
        known.emplace(test.file, static_cast<std::int64_t>(known.size()) - 1);
    if (fresh) files.push_back(test.file);
    if (!file.empty() && file[file.size() - 2] == place->second) {
      file.back() = file.back().get<std::int64_t>() + 1;
    } else {
      file.push_back(place->second);
      file.push_back(1);
    }
  }
  return {{"names", std::move(names)},
          {"files", std::move(files)},
          {"file", std::move(file)},
          {"line", std::move(line)},
          {"disabled", std::move(disabled)}};
}

/// Null, or {"covered": one for each first test with any: [its place, first place, how many, ...]
/// or [its place, bits in base64], whichever is shorter; "changed": pairs of places}
json pairs_by_row(const std::optional<ReportedPairs>& pairs, std::size_t tests) {
  if (!pairs) return {};
  json covered = json::array(), changed = json::array();
  const std::size_t bits = (tests + 5) / 6;  // in base64
  for (std::size_t first = 0; first < pairs->covered.size(); ++first) {
    const IdRuns& runs = pairs->covered[first];
    if (runs.empty()) continue;
    json row = json::array({first});
    for (const IdRun& run : runs) {
      row.push_back(run.first);
      row.push_back(run.count);
    }
    if (row.dump().size() > bits) row = json::array({first, base64(runs, tests)});
    covered.push_back(std::move(row));
  }
  for (const auto& [first, second] : pairs->changed) {
    changed.push_back(json::array({first.value(), second.value()}));
  }
  return {{"covered", std::move(covered)}, {"changed", std::move(changed)}};
}

/// Long lists of names of tests, wherever they stand in `value`, become {"tests_at": [first place,
/// how many, ...]}; a negative number of tests counts downwards.
void shorten_lists(json& value, const Suite& suite) {
  Places places;
  for (std::size_t at = 0; at < suite.size(); ++at) {
    places.emplace(suite.tests()[at].full_name(), static_cast<std::int64_t>(at));
  }
  shorten(value, places);
}

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

json explanation_to_json(const std::optional<Explanation>& explanation,
                         const SourceReader& source) {
  if (!explanation) return {};
  json value = to_json(*explanation, JsonForm::shown);
  value.erase("seconds");
  for (json& carrier : value["carriers"]) {
    for (const char* side : {"write", "read"}) {
      if (!carrier.at(side).is_null()) carrier[side]["excerpt"] = excerpt(carrier[side], source);
    }
  }
  return value;
}

/// What was tried, without diffs: those that did not stand are of use to nobody.
json attempts_summary(const json& attempts) {
  json list = json::array();
  for (const json& attempt : attempts) {
    const json& patch = attempt.at("patch");
    list.push_back({{"strategy", patch.at("strategy")},
                    {"verdict", attempt.at("verdict")},
                    {"summary", patch.at("summary")},
                    {"why", attempt.at("why")}});
  }
  return list;
}

json repair_summary(const std::optional<Repair>& repair) {
  if (!repair) return {};
  json value = to_json(*repair, JsonForm::shown);
  const json attempts = std::exchange(value["attempts"], json());
  value["attempts"] = attempts_summary(attempts);
  value.erase("accepted");
  value.update({{"verdict", json()}, {"checks", json::array()}});
  for (const char* part : {"strategy", "summary", "reason", "diff"}) value[part] = json();
  if (accepted_attempt(*repair) == nullptr) return value;
  const json& accepted = attempts.at(*repair->accepted);
  for (const char* part : {"verdict", "checks"}) value[part] = accepted.at(part);
  for (const char* part : {"strategy", "summary", "reason", "diff"}) {
    value[part] = accepted.at("patch").at(part);
  }
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
  json value = detect_to_json(suite.detect);
  value.erase("kind");
  value.erase("version");
  for (std::size_t i = 0; i < suite.detect.dependences.size(); ++i) {
    const Dependence& dependence = suite.detect.dependences[i];
    json& one = value["dependences"][i];
    one.erase("carriers");  // they are in the explanation, with source
    one["explanation"] = explanation_to_json(dependence.explanation, source);
    one["repair"] = repair_summary(dependence.repair);
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
