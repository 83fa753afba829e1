// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/sha256.h"
#include "report/detect_report.h"
#include "report/explain_report.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr int kLongestTitle = 120, kLongestText = 400;
constexpr std::string_view kEllipsis = "...";

std::string short_text(std::string_view text) {
  return truncate_end(sanitize_line(text), kLongestText, kEllipsis);
}

std::string label_of(const ReportFacts& facts, const ReportedSuite& suite) {
  return facts.suites.size() > 1 ? binary_name(suite) : std::string();
}

/// Twice the same identity in one report (two binaries of one name): the later one is numbered.
std::string unique_digest(std::vector<std::string> words, std::set<std::string>& seen) {
  std::string digest = digest_of(words);
  for (int copy = 2; !seen.insert(digest).second; ++copy) {
    std::vector<std::string> numbered = words;
    numbered.push_back(std::to_string(copy));
    digest = digest_of(numbered);
  }
  return digest;
}

/// "pass", "fail cart_test.cc:42 Expected equality of these values:".
std::string result_text(const Outcome& outcome) {
  std::string text(to_string(outcome.kind));
  for (const std::string& part : {location_text(outcome.file, outcome.line), ending_text(outcome),
                                  std::string(first_line(outcome.message))}) {
    if (!part.empty()) text += " " + part;
  }
  return short_text(text);
}

/// Who changed the state: the test whose write was seen, else those before the dependent one.
std::string changer_text(const Finding& finding, const Carrier& carrier) {
  if (carrier.write && !carrier.write->test.empty()) {
    return truncate_middle(sanitize_line(carrier.write->test), kLongestTitle, kEllipsis);
  }
  if (finding.dependence->role == Role::self_dependent) return short_name(finding.test());
  return short_names(finding.dependence->by, finding.suite->detect.suite);
}

std::string site_line(std::string_view word, const std::optional<Site>& site) {
  if (!site || site->shown >= site->stack.size()) return {};
  const StackFrame& frame = site->stack[site->shown];
  std::string text = fmt::format("{} at {}", word, location_text(frame.file, frame.line));
  if (frame.file.empty()) text = std::string(word);
  if (!frame.function.empty()) text += " in " + frame.function;
  return short_text(text);
}

void add(std::vector<std::string>& lines, std::string line) {
  if (!line.empty()) lines.push_back(std::move(line));
}

std::string patch_line(const Finding& finding) {
  const std::optional<Repair>& repair = finding.dependence->repair;
  if (!repair) return {};
  if (is_stored(repair->gone_by)) {
    return fmt::format("repair: the patch for {} repairs this too", to_string(repair->gone_by));
  }
  const RepairAttempt* accepted = finding.accepted();
  if (accepted == nullptr) return "not repaired: " + short_text(repair->why_not);
  return fmt::format("repair ({}): {}", to_string(accepted->verdict),
                     short_text(accepted->patch.summary));
}

}  // namespace

std::string digest_of(const std::vector<std::string>& words) {
  Sha256 digest;
  for (const std::string& word : words) {
    digest.update(std::to_string(word.size()) + ":");
    digest.update(word);
  }
  return digest.hex_digest();
}

std::vector<Finding> findings_of(const ReportFacts& facts) {
  std::vector<Finding> all;
  std::set<std::string> seen;
  for (const ReportedSuite& suite : facts.suites) {
    for (const Dependence& dependence : suite.detect.dependences) {
      Finding finding{&suite, &dependence, label_of(facts, suite), {}};
      finding.fingerprint =
          unique_digest({"dependence", binary_name(suite), finding.test().full_name(),
                         std::string(to_string(dependence.role))},
                        seen);
      all.push_back(std::move(finding));
    }
  }
  return all;
}

std::vector<UnsteadyTest> unsteady_tests_of(const ReportFacts& facts) {
  std::vector<UnsteadyTest> all;
  std::set<std::string> seen;
  for (const ReportedSuite& suite : facts.suites) {
    for (const NondeterministicTest& found : suite.detect.nondeterministic) {
      UnsteadyTest test{&suite, &found, label_of(facts, suite), {}};
      test.fingerprint =
          unique_digest({"nondeterministic", binary_name(suite), test.test().full_name()}, seen);
      all.push_back(std::move(test));
    }
  }
  return all;
}

Severity severity_of(const Finding& finding) {
  const Dependence& dependence = *finding.dependence;
  const bool only_interleaved = dependence.splits_suite && dependence.role == Role::victim;
  return only_interleaved ? Severity::warning : Severity::error;
}

std::string binary_name(const std::filesystem::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string binary_name(const ReportedSuite& suite) {
  return binary_name(std::filesystem::path(binary_text(suite.detect)));
}

std::string short_name(const Test& test) {
  return truncate_middle(printable_name(test), kLongestTitle, kEllipsis);
}

std::string plain_name(const std::string& name) {
  return name;
}

std::string short_names(const std::vector<TestId>& tests, const Suite& suite,
                        const NameStyle& style) {
  std::vector<std::string> names;
  const std::size_t shown = std::min(tests.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) names.push_back(style(short_name(suite.test(tests[i]))));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (shown < tests.size()) text += fmt::format(" and {} more", tests.size() - shown);
  return text;
}

std::string claim_text(const Finding& finding, const NameStyle& style) {
  const Dependence& dependence = *finding.dependence;
  std::string text = finding.label.empty() ? "" : style(sanitize_line(finding.label)) + ": ";
  text += style(short_name(finding.test())) + " " + misbehaviour(dependence);
  if (dependence.role == Role::self_dependent) return text + " when run twice";
  const bool brittle = dependence.role == Role::brittle, several = dependence.by.size() > 1;
  text += brittle ? " unless " : " after ";
  text += short_names(dependence.by, finding.suite->detect.suite, style);
  if (brittle) return text + (several ? " run before it" : " runs before it");
  return several ? text + " together" : text;
}

std::vector<std::string> carrier_lines(const Finding& finding) {
  std::vector<std::string> lines;
  if (!finding.dependence->explanation) return lines;
  const Explanation& explanation = *finding.dependence->explanation;
  for (const Carrier& carrier : explanation.carriers) {
    std::string text = carrier.proved ? "" : "suspected: ";
    text +=
        fmt::format("{} leaves {}", changer_text(finding, carrier), short_text(carrier.key.text()));
    const std::string details = carrier_details(carrier);
    if (!details.empty()) text += " " + short_text(details);
    text += " changed";
    const std::string values = values_text(carrier, 0, Style{});
    if (!values.empty()) text += ": " + short_text(values);
    lines.push_back(std::move(text));
    add(lines, site_line("written", carrier.write));
    add(lines, site_line("read", carrier.read));
  }
  lines.push_back(explanation.proved
                      ? "proof: " + short_text(proof_text(*finding.dependence, explanation,
                                                          finding.suite->detect.suite))
                      : short_text(no_proof_text(explanation)));
  return lines;
}

std::vector<std::string> evidence_lines(const Finding& finding) {
  const Dependence& dependence = *finding.dependence;
  const Suite& suite = finding.suite->detect.suite;
  std::vector<std::string> lines;
  lines.push_back("alone: " + result_text(dependence.alone));
  lines.push_back(fmt::format("at the end of the witness: {} ({} runs, always the same)",
                              result_text(dependence.witnessed), dependence.confirmed));
  lines.push_back("witness: " + short_names(dependence.witness, suite));
  if (dependence.role != Role::self_dependent && !dependence.singles.empty()) {
    lines.push_back(fmt::format(
        "{}{}: {}", dependence.role == Role::brittle ? "state-setters" : "polluters",
        dependence.singles_complete ? "" : " known", short_names(dependence.singles, suite)));
  }
  if (!dependence.cleaners.empty()) {
    lines.push_back("cleaners: " + short_names(dependence.cleaners, suite));
  }
  add(lines, patch_line(finding));
  const std::string replay = replay_command(dependence, finding.suite->detect);
  if (!replay.empty()) lines.push_back("replay: " + short_text(replay));
  return lines;
}

std::string carrier_and_evidence(const Finding& finding) {
  std::string text;
  for (const std::string& line : carrier_lines(finding)) text += line + "\n";
  for (const std::string& line : evidence_lines(finding)) text += line + "\n";
  return text;
}

std::string listed_names(const std::vector<TestId>& tests, const Suite& suite) {
  return fmt::format("{}", fmt::join(names_of(suite, tests), "\n"));
}

std::string proved_carriers(const Finding& finding) {
  std::vector<std::string> names;
  for (const Carrier& carrier : finding.dependence->explained().carriers) {
    if (carrier.proved) names.push_back(sanitize_line(carrier.key.text()));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Place place_of(const Site& site) {
  if (site.shown >= site.stack.size()) return {};
  return {site.stack[site.shown].file, site.stack[site.shown].line};
}

Place place_of(const Test& test) {
  return {test.file, test.line};
}

const Site* site_of(const Finding& finding, SiteKind kind) {
  for (const Carrier& carrier : finding.dependence->explained().carriers) {
    const std::optional<Site>& site = kind == SiteKind::write ? carrier.write : carrier.read;
    if (site && place_of(*site).known()) return &*site;
  }
  return nullptr;
}

std::vector<Place> places_of(const Finding& finding) {
  std::vector<Place> places;
  auto add_known = [&places](const Place& place) {
    if (place.known()) places.push_back(place);
  };
  const bool brittle = finding.dependence->role == Role::brittle;
  for (SiteKind kind :
       {brittle ? SiteKind::read : SiteKind::write, brittle ? SiteKind::write : SiteKind::read}) {
    if (const Site* site = site_of(finding, kind)) add_known(place_of(*site));
  }
  add_known(place_of(finding.test()));
  const Outcome& failed = brittle ? finding.dependence->alone : finding.dependence->witnessed;
  add_known({failed.file, failed.line});
  return places;
}

std::optional<ShownPlace> first_shown(const std::vector<Place>& places, const SourceRoot& root,
                                      const ReportedSuite& suite) {
  for (const Place& place : places) {
    if (auto path = root.relative(place.file, suite.detect.binary.path)) {
      return ShownPlace{*path, std::max(place.line, 1)};
    }
  }
  return std::nullopt;
}

}  // namespace gordian
