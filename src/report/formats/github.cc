// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as commands of a GitHub workflow: each line of standard output becomes an
// annotation at a line of the pull request. GitHub shows ten errors and ten warnings of a step, so
// errors come first. The text of tests can neither end a command nor begin one.

#include "report/formats/formats.h"

#include <fmt/format.h>

#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/text.h"

namespace gordian {
namespace {

/// By the rules of the runner: a percent sign and line ends in a message, and colons and commas in
/// a property besides.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

using Properties = std::vector<std::pair<std::string_view, std::string>>;

Properties properties_of(const std::optional<ShownPlace>& shown, std::string title) {
  Properties properties = {{"title", std::move(title)}};
  if (shown) {
    properties.emplace_back("file", shown->path);
    properties.emplace_back("line", std::to_string(shown->line));
  }
  return properties;
}

std::string annotation(const Finding& finding, const SourceRoot& root) {
  std::string message = claim_text(finding) + "\n" + carrier_and_evidence(finding);
  message.pop_back();
  const std::string_view name = severity_of(finding) == Severity::error ? "error" : "warning";
  return github_command(
      name,
      properties_of(first_shown(places_of(finding), root, *finding.suite),
                    fmt::format("Dependent test ({})", role_word(finding.dependence->role))),
      message);
}

}  // namespace

std::string github_command(std::string_view name, const Properties& properties,
                           std::string_view message) {
  std::string out = fmt::format("::{}", name);
  char before = ' ';
  for (const auto& [key, value] : properties) {
    if (value.empty()) continue;
    out += fmt::format("{}{}={}", before, key, escaped(sanitize_text(value), "%\r\n:,"));
    before = ',';
  }
  return out + "::" + escaped(sanitize_text(message), "%\r\n") + "\n";
}

std::string report_to_github(const ReportFacts& facts, const SourceRoot& root) {
  std::string errors, warnings, notices;
  for (const Finding& finding : findings_of(facts)) {
    std::string& kind = severity_of(finding) == Severity::error ? errors : warnings;
    kind += annotation(finding, root);
  }
  for (const UnsteadyTest& test : unsteady_tests_of(facts)) {
    notices += github_command("notice",
                              properties_of(first_shown({place_of(test.test())}, root, *test.suite),
                                            "Non-deterministic test"),
                              short_name(test.test()) + " " + nondeterminism_text(*test.found));
  }
  return errors + warnings + notices;
}

}  // namespace gordian
