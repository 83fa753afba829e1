// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as a code quality report of GitLab, which merge requests show at the line.
// GitLab asks for a path in the repository; a finding without any is put at the first line of the
// test binary's path or, if that is outside too, of its name.

#include "report/formats/formats.h"

#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/text.h"

namespace gordian {
namespace {

using nlohmann::json;

json location_of(const std::vector<Place>& places, const ReportedSuite& suite,
                 const SourceRoot& root) {
  std::optional<ShownPlace> shown = first_shown(places, root, suite);
  if (!shown) shown = first_shown({{binary_text(suite.detect), 1}}, root, suite);
  if (!shown) shown = ShownPlace{binary_name(suite), 1};
  return {{"path", shown->path}, {"lines", {{"begin", shown->line}}}};
}

json issue(std::string_view check, std::string_view severity, const std::string& description,
           const std::string& fingerprint, json location) {
  return {{"check_name", check},
          {"severity", severity},
          {"description", description},
          {"fingerprint", fingerprint},
          {"location", std::move(location)}};
}

/// A merge request shows one line: the claim and the first carrier.
std::string description_of(const Finding& finding) {
  const std::vector<std::string> lines = carrier_lines(finding);
  return lines.empty() ? claim_text(finding) : claim_text(finding) + ". " + lines.front();
}

}  // namespace

json report_to_gitlab(const ReportFacts& facts, const SourceRoot& root) {
  json issues = json::array();
  for (const Finding& finding : findings_of(facts)) {
    const bool error = severity_of(finding) == Severity::error;
    issues.push_back(issue("gordian/" + std::string(role_word(finding.dependence->role)),
                           error ? "major" : "minor", description_of(finding), finding.fingerprint,
                           location_of(places_of(finding), *finding.suite, root)));
  }
  for (const UnsteadyTest& test : unsteady_tests_of(facts)) {
    issues.push_back(issue("gordian/nondeterministic", "info",
                           short_name(test.test()) + " " + nondeterminism_text(*test.found),
                           test.fingerprint,
                           location_of({place_of(test.test())}, *test.suite, root)));
  }
  return issues;
}

}  // namespace gordian
