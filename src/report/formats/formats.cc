// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/formats.h"

#include <algorithm>
#include <array>
#include <memory>

#include "report/json.h"
#include "report/page/html.h"
#include "report/page/report_json.h"

namespace gordian {
namespace {

using Text = Result<std::string>;

SourceReader sources_of(const std::string& binary) {
  auto files = std::make_shared<SourceFiles>(binary);
  return [files](const std::string& file) -> const std::vector<std::string>& {
    return files->lines(file);
  };
}

Text page_text(const ReportFacts& facts, const SourceRoot&) {
  return page_with(page_template(), report_to_json(facts, sources_of, DocumentFor::page));
}

// In the order in which they are written: the page is what people wait for.
constexpr std::array kFormats = {
    ReportFormat{"html", "Write one page that needs nothing else to this file", page_text},
    ReportFormat{
        "junit", "Write JUnit XML in which a dependent test is a failure",
        [](const ReportFacts& facts, const SourceRoot&) -> Text { return report_to_junit(facts); }},
    ReportFormat{"sarif", "Write SARIF 2.1.0 for code scanning",
                 [](const ReportFacts& facts, const SourceRoot& root) -> Text {
                   return dump_json(report_to_sarif(facts, root));
                 }},
    ReportFormat{"markdown", "Write a summary in Markdown",
                 [](const ReportFacts& facts, const SourceRoot& root) -> Text {
                   return report_to_markdown(facts, root);
                 }},
    ReportFormat{"gitlab", "Write a code quality report of GitLab",
                 [](const ReportFacts& facts, const SourceRoot& root) -> Text {
                   return dump_json(report_to_gitlab(facts, root));
                 }},
    ReportFormat{
        "tap", "Write the Test Anything Protocol",
        [](const ReportFacts& facts, const SourceRoot&) -> Text { return report_to_tap(facts); }},
    ReportFormat{
        "dot", "Write the graph of dependent tests for Graphviz",
        [](const ReportFacts& facts, const SourceRoot&) -> Text { return report_to_dot(facts); }},
};

}  // namespace

std::span<const ReportFormat> report_formats() {
  return kFormats;
}

const ReportFormat* find_report_format(std::string_view word) {
  auto found = std::find_if(kFormats.begin(), kFormats.end(),
                            [word](const ReportFormat& format) { return format.word == word; });
  return found == kFormats.end() ? nullptr : &*found;
}

std::string report_json_text(const ReportFacts& facts) {
  return dump_json(report_to_json(facts, sources_of));
}

}  // namespace gordian
