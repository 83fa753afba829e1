// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as SARIF 2.1.0, which code scanning shows at the line.
//  * One result for each dependence: at the line that leaves the state behind, or for a brittle
//    test at the one that needs it; both and the tests as related locations, as a code flow from
//    write to read, and with their stacks.
//  * One rule for each role; a non-deterministic test is a note of a rule of its own.
//  * Names of files are relative to %SRCROOT%; a file outside of it has an absolute one.
//  * partialFingerprints stay the same as long as the binary's name, the test and the role do.
//  * A patch that passed every check is a fix.

#include "report/formats/formats.h"

#include <fmt/format.h>

#include "report/detect_report.h"
#include "report/formats/sarif_parts.h"
#include "report/json.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a result shows besides its own place: each with a number that its message may link to.
class RelatedLocations {
 public:
  RelatedLocations(const Finding& finding, const SourceRoot& root)
      : finding_(finding), root_(root) {}

  /// The number of the place, or 0 when it is not known.
  int add(const Place& place, std::string_view text) {
    json location = sarif::location(place, text, *finding_.suite, root_);
    if (location.is_null()) return 0;
    const int id = static_cast<int>(list_.size()) + 1;
    location["id"] = id;
    list_.push_back(std::move(location));
    return id;
  }
  json take() { return std::move(list_); }

 private:
  const Finding& finding_;
  const SourceRoot& root_;
  json list_ = json::array();
};

std::string link(std::string_view word, int id) {
  return id == 0 ? std::string() : fmt::format(" [{}]({})", word, id);
}

const Carrier* carrier_of(const Finding& finding, const Site* site, SiteKind kind) {
  if (site == nullptr) return nullptr;
  for (const Carrier& carrier : finding.dependence->explained().carriers) {
    const std::optional<Site>& its = kind == SiteKind::write ? carrier.write : carrier.read;
    if (its && &*its == site) return &carrier;
  }
  return nullptr;
}

/// "Cart.T1 writes g_total": what happens at a site.
std::string site_text(const Finding& finding, const Site* site, SiteKind kind) {
  const Carrier* carrier = carrier_of(finding, site, kind);
  return fmt::format("{} {} {}", site->test, kind == SiteKind::write ? "writes" : "reads",
                     carrier == nullptr ? "" : carrier->key.text());
}

/// Sets message and relatedLocations, which go together.
void add_message(json& result, const Finding& finding, const SourceRoot& root) {
  RelatedLocations related(finding, root);
  const Dependence& dependence = *finding.dependence;
  const Suite& suite = finding.suite->detect.suite;
  std::string text = sarif::literal(claim_text(finding)) + ".";
  const std::vector<std::string> lines = carrier_lines(finding);
  if (!lines.empty()) text += " " + sarif::literal(lines.front()) + ".";
  for (SiteKind kind : {SiteKind::write, SiteKind::read}) {
    const Site* site = site_of(finding, kind);
    if (site == nullptr) continue;
    text += link(kind == SiteKind::write ? "Written here." : "Read here.",
                 related.add(place_of(*site), site_text(finding, site, kind)));
  }
  related.add(place_of(finding.test()), "the dependent test, " + finding.test().full_name());
  const std::string_view part = dependence.role == Role::brittle ? "state-setter" : "polluter";
  for (TestId by : dependence.by) {
    if (by == dependence.test) continue;
    related.add(place_of(suite.test(by)), fmt::format("{}, {}", part, suite.test(by).full_name()));
  }
  result["message"] = {{"text", text}};
  result["relatedLocations"] = related.take();
}

json flow_step(json location, int order, const Carrier* carrier) {
  json step = {
      {"location", std::move(location)}, {"executionOrder", order}, {"importance", "essential"}};
  if (carrier != nullptr && carrier->new_value) {
    step["state"] = {{carrier->key.text(), sarif::message(*carrier->new_value)}};
  }
  return step;
}

/// From the write over the read to the check that fails.
json code_flows(const Finding& finding, const SourceRoot& root) {
  json steps = json::array();
  for (SiteKind kind : {SiteKind::write, SiteKind::read}) {
    const Site* site = site_of(finding, kind);
    if (site == nullptr) continue;
    json location =
        sarif::location(place_of(*site), site_text(finding, site, kind), *finding.suite, root);
    if (location.is_null()) continue;
    steps.push_back(flow_step(std::move(location), static_cast<int>(steps.size()) + 1,
                              carrier_of(finding, site, kind)));
  }
  if (steps.empty()) return steps;
  const Outcome& failed = finding.dependence->observed();
  json check = sarif::location(
      {failed.file, failed.line},
      fmt::format("{} {}", finding.test().full_name(), misbehaviour(*finding.dependence)),
      *finding.suite, root);
  if (!check.is_null()) {
    steps.push_back(flow_step(std::move(check), static_cast<int>(steps.size()) + 1, nullptr));
  }
  const json thread = {{"locations", std::move(steps)}};
  const json flow = {{"threadFlows", json::array({thread})}};
  return json::array({flow});
}

json stacks(const Finding& finding, const SourceRoot& root) {
  json list = json::array();
  for (SiteKind kind : {SiteKind::write, SiteKind::read}) {
    const Site* site = site_of(finding, kind);
    if (site == nullptr) continue;
    json stack = sarif::stack(*site, site_text(finding, site, kind), *finding.suite, root);
    if (!stack.is_null()) list.push_back(std::move(stack));
  }
  return list;
}

/// The best place that can be named, and the test as what the result is about.
json locations(const std::vector<Place>& places, const Test& test, const ReportedSuite& suite,
               const SourceRoot& root) {
  const auto shown = first_shown(places, root, suite);
  json location;
  if (shown) location = sarif::location({shown->path, shown->line}, "", suite, root);
  if (!shown && !places.empty()) location = sarif::location(places.front(), "", suite, root);
  if (location.is_null()) location = json::object();
  location.erase("message");
  const json about = {
      {"fullyQualifiedName", test.full_name()}, {"name", test.name}, {"kind", "function"}};
  location["logicalLocations"] = json::array({about});
  return json::array({std::move(location)});
}

json properties(const Finding& finding) {
  const Dependence& dependence = *finding.dependence;
  const Suite& suite = finding.suite->detect.suite;
  return {{"dependence", to_string(dependence.id)},
          {"binary", binary_text(finding.suite->detect)},
          {"test", finding.test().full_name()},
          {"role", to_string(dependence.role)},
          {"witness", names_json(dependence.witness, suite)},
          {"confirmed", dependence.confirmed},
          {dependence.role == Role::brittle ? "state_setters" : "polluters",
           names_json(dependence.singles, suite)},
          {"cleaners", names_json(dependence.cleaners, suite)},
          {"carrier", proved_carriers(finding)},
          {"evidence", evidence_lines(finding)}};
}

json result_of(const Finding& finding, const SourceRoot& root) {
  const Role role = finding.dependence->role;
  json result = {{"ruleId", sarif::rule_id(role)},
                 {"ruleIndex", sarif::rule_index(role)},
                 {"level", severity_of(finding) == Severity::error ? "error" : "warning"},
                 {"partialFingerprints", {{"gordianDependence/v1", finding.fingerprint}}},
                 {"properties", properties(finding)}};
  result["locations"] = locations(places_of(finding), finding.test(), *finding.suite, root);
  add_message(result, finding, root);
  const std::string carrier = proved_carriers(finding);
  if (!carrier.empty()) {
    result["partialFingerprints"]["gordianCarrier/v1"] = digest_of({finding.fingerprint, carrier});
  }
  auto add = [&result](const char* key, json value) {
    if (!value.empty()) result[key] = std::move(value);
  };
  add("codeFlows", code_flows(finding, root));
  add("stacks", stacks(finding, root));
  add("fixes", sarif::fixes(finding, root));
  return result;
}

json result_of(const UnsteadyTest& test, const SourceRoot& root) {
  return {
      {"ruleId", sarif::kUnsteadyRule},
      {"ruleIndex", sarif::kUnsteadyIndex},
      {"level", "note"},
      {"message", sarif::message(short_name(test.test()) + " " + nondeterminism_text(*test.found))},
      {"locations", locations({place_of(test.test())}, test.test(), *test.suite, root)},
      {"partialFingerprints", {{"gordianTest/v1", test.fingerprint}}}};
}

/// How complete the searches were: a reader of a clean file must know.
json invocation(const ReportFacts& facts) {
  json notes = json::array();
  for (const ReportedSuite& suite : facts.suites) {
    for (const std::string& line :
         {verdict_sentence(suite.detect), completeness_sentence(suite.detect)}) {
      notes.push_back(
          {{"level", "note"}, {"message", sarif::message(binary_name(suite) + ": " + line)}});
    }
  }
  return {{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notes)}};
}

}  // namespace

json report_to_sarif(const ReportFacts& facts, const SourceRoot& root) {
  json results = json::array();
  for (const Finding& finding : findings_of(facts)) results.push_back(result_of(finding, root));
  for (const UnsteadyTest& test : unsteady_tests_of(facts)) {
    results.push_back(result_of(test, root));
  }
  json driver = {{"name", "Gordian"},
                 {"version", GORDIAN_VERSION},
                 {"semanticVersion", GORDIAN_VERSION},
                 {"rules", sarif::rules()}};
  const std::string base = "file://" + sarif::uri_path(root.path().generic_string());
  json run = {
      {"tool", {{"driver", std::move(driver)}}},
      {"automationDetails", {{"id", "gordian/"}}},
      {"columnKind", "utf16CodeUnits"},
      {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", base.ends_with('/') ? base : base + "/"}}}}},
      {"invocations", json::array({invocation(facts)})},
      {"results", std::move(results)}};
  return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array({std::move(run)})}};
}

}  // namespace gordian
