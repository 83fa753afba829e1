// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as Markdown, as GitHub and GitLab show it: a table of the binaries, a table
// of the dependent tests, then each of them with its evidence and patch, folded.

#include "report/formats/formats.h"

#include <fmt/format.h>

#include "model/repair.h"
#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/formats/markdown_text.h"
#include "report/text.h"

namespace gordian {
namespace {

namespace md = markdown;

std::string title(std::size_t dependent) {
  if (dependent == 0) return "## No dependent test was found\n\n";
  return fmt::format("## {}\n\n", count_of(dependent, "dependent test"));
}

std::string binaries_table(const ReportFacts& facts) {
  std::string out = md::head({"binary", "tests", "dependent", "non-deterministic", "explored"});
  for (const ReportedSuite& suite : facts.suites) {
    out += md::row({md::cell_code(binary_name(suite)), thousands(suite.detect.suite.size()),
                    thousands(suite.detect.dependences.size()),
                    thousands(suite.detect.nondeterministic.size()),
                    md::text(completeness_sentence(suite.detect))});
  }
  return out + "\n";
}

std::string place_cell(const Finding& finding, const SourceRoot& root) {
  const auto shown = first_shown(places_of(finding), root, *finding.suite);
  return shown ? md::cell_code(fmt::format("{}:{}", shown->path, shown->line)) : std::string();
}

std::string dependence_row(const Finding& finding, const SourceRoot& root) {
  return md::row({to_string(finding.dependence->id),
                  std::string(role_word(finding.dependence->role)),
                  claim_text(finding, md::cell_code), md::cell_code(proved_carriers(finding)),
                  place_cell(finding, root)});
}

const Patch* verified_patch(const Finding& finding) {
  const RepairAttempt* accepted = finding.accepted();
  const bool fine = accepted != nullptr && accepted->verdict == RepairVerdict::verified;
  return fine ? &accepted->patch : nullptr;
}

std::string details(const Finding& finding) {
  std::string out =
      fmt::format("<details><summary>{}: {} ({})</summary>\n\n", to_string(finding.dependence->id),
                  md::html_code(short_name(finding.test())), role_word(finding.dependence->role));
  out += claim_text(finding, md::code) + "\n\n" + md::fence("", carrier_and_evidence(finding));
  if (const Patch* patch = verified_patch(finding)) {
    out += "\nThis patch was built, run and verified:\n\n" + md::fence("diff", patch->diff);
  }
  return out + "\n</details>\n\n";
}

std::string unsteady_list(const std::vector<UnsteadyTest>& tests) {
  std::string out;
  for (const UnsteadyTest& test : tests) {
    out += fmt::format("- {} {}\n", md::code(short_name(test.test())),
                       md::text(nondeterminism_text(*test.found)));
  }
  return out.empty() ? out : "Non-deterministic tests, which are not counted:\n\n" + out + "\n";
}

/// Adds parts as long as they fit, and says how many did not.
template <class Part>
void add_all(std::string& out, const std::vector<Finding>& findings, std::size_t longest,
             const Part& part) {
  constexpr std::size_t kRoomForTheRest = 2000;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::string next = part(findings[i]);
    if (longest > 0 && out.size() + next.size() + kRoomForTheRest > longest) {
      out += fmt::format("\n{} more did not fit here.\n\n", findings.size() - i);
      return;
    }
    out += next;
  }
}

}  // namespace

std::string report_to_markdown(const ReportFacts& facts, const SourceRoot& root,
                               std::size_t longest) {
  const std::vector<Finding> findings = findings_of(facts);
  std::string out = title(findings.size()) + binaries_table(facts);
  if (!findings.empty()) {
    out += md::head({"id", "role", "what happens", "carrier", "place"});
    add_all(out, findings, longest / 2,
            [&root](const Finding& finding) { return dependence_row(finding, root); });
    out += "\n";
    add_all(out, findings, longest, details);
  }
  const std::string unsteady = unsteady_list(unsteady_tests_of(facts));
  if (longest == 0 || out.size() + unsteady.size() <= longest) out += unsteady;
  return out;
}

}  // namespace gordian
