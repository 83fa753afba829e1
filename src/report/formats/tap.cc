// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found in the Test Anything Protocol, version 13: one test point for each test that
// was searched. A dependent test is "not ok" with what is known of it as YAML; a test that was left
// out has the directive SKIP; all others are "ok", also those that fail in every order.

#include "report/formats/formats.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/text.h"

namespace gordian {
namespace {

/// A '#' would begin a directive.
std::string description(std::string_view text) {
  std::string out;
  for (char c : sanitize_line(text)) {
    if (c == '#' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// A string of JSON is one of YAML.
std::string yaml_text(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void add_text(std::string& out, std::string_view key, std::string_view value) {
  if (!value.empty()) out += fmt::format("  {}: {}\n", key, yaml_text(value));
}

void add_diagnostics(std::string& out, const Finding& finding) {
  const Dependence& dependence = *finding.dependence;
  const Suite& suite = finding.suite->detect.suite;
  out += "  ---\n";
  add_text(out, "message", claim_text(finding));
  add_text(out, "severity", "fail");
  add_text(out, "dependence", to_string(dependence.id));
  add_text(out, "role", role_word(dependence.role));
  // No lists: perl's reader takes an item that begins with "word:" for a mapping.
  add_text(out, "witness", listed_names(dependence.witness, suite));
  add_text(out, dependence.role == Role::brittle ? "state_setters" : "polluters",
           listed_names(dependence.singles, suite));
  add_text(out, "cleaners", listed_names(dependence.cleaners, suite));
  add_text(out, "carrier", proved_carriers(finding));
  out += "  evidence: |\n";
  for (const std::string& line : evidence_lines(finding)) out += "    " + line + "\n";
  for (const std::string& line : carrier_lines(finding)) out += "    " + line + "\n";
  out += "  ...\n";
}

/// The points of one binary, which begin with number `next`.
void add_points(std::string& out, const ReportedSuite& suite, const std::string& prefix,
                const std::vector<Finding>& findings, std::size_t& next) {
  std::map<std::uint32_t, const Finding*> dependent;
  std::map<std::uint32_t, std::string> left_out;
  for (const Finding& finding : findings) {
    if (finding.suite == &suite) dependent.emplace(finding.dependence->test.value(), &finding);
  }
  for (const LeftOutTest& test : suite.detect.left_out) left_out[test.test.value()] = test.why;
  out += fmt::format("# {}: {}\n", description(binary_text(suite.detect)),
                     description(verdict_sentence(suite.detect)));
  out += fmt::format("# {}\n", description(completeness_sentence(suite.detect)));
  for (std::uint32_t place = 0; place < suite.detect.suite.size(); ++place) {
    const auto found = dependent.find(place);
    const bool ok = found == dependent.end();
    const std::string name = prefix + suite.detect.suite.tests()[place].full_name();
    out += fmt::format("{}ok {} - {}", ok ? "" : "not ", next++, description(name));
    if (auto it = left_out.find(place); it != left_out.end() && ok) {
      out += " # SKIP " + description(it->second);
    }
    out += "\n";
    if (!ok) add_diagnostics(out, *found->second);
  }
  for (const NondeterministicTest& test : suite.detect.nondeterministic) {
    const std::string name = suite.detect.suite.test(test.test).full_name();
    out += fmt::format("# {} {}\n", description(name), nondeterminism_text(test));
  }
}

}  // namespace

std::string report_to_tap(const ReportFacts& facts) {
  std::size_t total = 0, next = 1;
  for (const ReportedSuite& suite : facts.suites) total += suite.detect.suite.size();
  std::string out = fmt::format("TAP version 13\n1..{}{}\n", total,
                                total == 0 ? " # SKIP no test was searched" : "");
  const std::vector<Finding> findings = findings_of(facts);
  for (const ReportedSuite& suite : facts.suites) {
    const bool several = facts.suites.size() > 1;
    add_points(out, suite, several ? binary_name(suite) + ": " : "", findings, next);
  }
  return out;
}

}  // namespace gordian
