// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/report_outputs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "report/formats/dot.h"
#include "report/formats/github.h"
#include "report/formats/gitlab.h"
#include "report/formats/junit.h"
#include "report/formats/markdown.h"
#include "report/formats/sarif.h"
#include "report/formats/tap.h"
#include "report/page/html.h"
#include "report/page/report_json.h"
#include "report/run_json.h"
#include "report/write_file.h"

namespace gordian {
namespace {

SourceReader sources_of(const std::string& binary) {
  auto files = std::make_shared<SourceFiles>(binary);
  return [files](const std::string& file) -> const std::vector<std::string>& {
    return files->lines(file);
  };
}

/// The two that tell the same.
Status write_documents(const ReportOutputs& outputs, const ReportFacts& facts) {
  if (!outputs.json.empty()) {
    const std::string text = dump_json(report_to_json(facts, sources_of));
    if (Status written = write_file(outputs.json, text); !written) return written;
  }
  if (outputs.html.empty()) return {};
  auto page = page_with(page_template(), report_to_json(facts, sources_of, DocumentFor::page));
  if (!page) return page.error();
  return write_file(outputs.html, *page);
}

using Writer = std::pair<const std::string*, std::function<std::string()>>;

std::vector<Writer> writers(const ReportOutputs& outputs, const ReportFacts& facts,
                            const SourceRoot& root) {
  return {{&outputs.junit, [&] { return report_to_junit(facts); }},
          {&outputs.sarif, [&] { return dump_json(report_to_sarif(facts, root)); }},
          {&outputs.markdown, [&] { return report_to_markdown(facts, root); }},
          {&outputs.gitlab, [&] { return dump_json(report_to_gitlab(facts, root)); }},
          {&outputs.tap, [&] { return report_to_tap(facts); }},
          {&outputs.dot, [&] { return report_to_dot(facts); }}};
}

std::vector<const std::string*> files_of(const ReportOutputs& outputs) {
  return {&outputs.html,     &outputs.json,   &outputs.junit, &outputs.sarif,
          &outputs.markdown, &outputs.gitlab, &outputs.tap,   &outputs.dot};
}

}  // namespace

bool ReportOutputs::any() const {
  const auto files = files_of(*this);
  return github || std::any_of(files.begin(), files.end(),
                               [](const std::string* file) { return !file->empty(); });
}

SourceRoot ReportOutputs::source_root() const {
  return SourceRoot(root.empty() ? SourceRoot::above(std::filesystem::current_path())
                                 : std::filesystem::path(root));
}

void add_report_outputs(OptionSet& set, ReportOutputs& outputs) {
  auto file = [&set](const char* name, std::string& value, const char* help) {
    set.add_option(name, value, help)->value_name("FILE");
  };
  file("--html", outputs.html, "Write one page that needs nothing else to this file");
  file("--junit", outputs.junit, "Write JUnit XML in which a dependent test is a failure");
  file("--sarif", outputs.sarif, "Write SARIF 2.1.0 for code scanning");
  file("--markdown", outputs.markdown, "Write a summary in Markdown");
  file("--gitlab", outputs.gitlab, "Write a code quality report of GitLab");
  file("--tap", outputs.tap, "Write the Test Anything Protocol");
  file("--dot", outputs.dot, "Write the graph of dependent tests for Graphviz");
  set.add_flag("--github", outputs.github,
               "Print annotations of a GitHub workflow to standard output, and add a summary to "
               "$GITHUB_STEP_SUMMARY if that is set");
  set.add_option("--root", outputs.root,
                 "Names of source files are relative to this folder (default: the git checkout "
                 "around the current one)")
      ->value_name("DIR")
      ->existing_directory();
}

Status check_report_outputs(const ReportOutputs& outputs, const std::vector<std::string>& others) {
  auto is_stdout = [](const std::string& file) { return file == "-"; };
  auto count = std::count_if(others.begin(), others.end(), is_stdout) + (outputs.github ? 1 : 0);
  for (const std::string* file : files_of(outputs)) count += is_stdout(*file) ? 1 : 0;
  if (count < 2) return {};
  return usage_error("only one report can go to standard output",
                     "--github prints there; give the others the name of a file");
}

Status write_reports(const ReportOutputs& outputs, const ReportFacts& facts) {
  if (!outputs.any()) return {};
  if (Status written = write_documents(outputs, facts); !written) return written;
  const SourceRoot root = outputs.source_root();
  for (const auto& [file, text] : writers(outputs, facts, root)) {
    if (file->empty()) continue;
    if (Status written = write_file(*file, text()); !written) return written;
  }
  if (!outputs.github) return {};
  return write_github(report_to_github(facts, root),
                      report_to_markdown(facts, root, kLongestSummary));
}

Status write_github(const std::string& annotations, const std::string& summary) {
  if (Status written = write_file("-", annotations); !written) return written;
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') return {};
  return append_file(file, summary);
}

}  // namespace gordian
