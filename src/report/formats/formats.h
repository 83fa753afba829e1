// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The formats in which `report` and `detect` write what was found, one row of a table each: the
// options with their help and completion are made of it. To add one: its file in this folder, and a
// row in formats.cc. (`--json` is public and has more to it: docs/json.md. `--github` prints.)
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/report_facts.h"
#include "report/formats/source_root.h"

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

}  // namespace gordian
