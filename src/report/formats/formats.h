// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The formats in which `report` and `detect` write what was found, one row of a table each: the
// options with their help and completion are made of it. To add one: its file in this folder, and a
// row in formats.cc. (`--json` is public and has more to it: docs/json.md. `--github` prints.)
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/report_facts.h"
#include "report/source_files.h"

namespace gordian {

struct ReportFormat {
  std::string_view word;  ///< the option, without dashes
  std::string_view help;  ///< of the option
  Result<std::string> (*text)(const ReportFacts& facts, const SourceRoot& root);
};

std::span<const ReportFormat> report_formats();
/// nullptr: there is none.
const ReportFormat* find_report_format(std::string_view word);

/// The report as JSON, for programs.
std::string report_json_text(const ReportFacts& facts);

// The formats themselves: pure functions from facts, each in a file of its own, which says what it
// writes.

std::string report_to_dot(const ReportFacts& facts);
std::string report_to_github(const ReportFacts& facts, const SourceRoot& root);
nlohmann::json report_to_gitlab(const ReportFacts& facts, const SourceRoot& root);
std::string report_to_junit(const ReportFacts& facts);
/// At most `longest` bytes unless that is 0: details are left out from the end, and it is said.
std::string report_to_markdown(const ReportFacts& facts, const SourceRoot& root,
                               std::size_t longest = 0);
nlohmann::json report_to_sarif(const ReportFacts& facts, const SourceRoot& root);
std::string report_to_tap(const ReportFacts& facts);

/// What a step of a GitHub workflow may add to its summary is 1 MiB.
inline constexpr std::size_t kLongestSummary = 1'000'000;

/// "::error title=T,file=a.cc,line=3::text\n". Empty values are left out.
std::string github_command(std::string_view name,
                           const std::vector<std::pair<std::string_view, std::string>>& properties,
                           std::string_view message);

}  // namespace gordian
