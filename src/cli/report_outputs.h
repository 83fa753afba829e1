// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The files that `report` and `detect` write, declared once: an option for each row of
// report/formats/formats.h, and --github.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "model/report_facts.h"
#include "report/source_files.h"

namespace gordian {

struct ReportOutputs {
  std::map<std::string_view, std::string> files;  ///< by format; none or empty: not asked for
  std::string json;  ///< of the whole report; only `report` has this option
  std::string root;  ///< empty: the checkout around the current directory
  bool github = false;

  bool any() const;
  /// Where the format is to be written; empty: it is not asked for.
  std::string file(std::string_view format) const;
  SourceRoot source_root() const;
};

/// All but --json.
void add_report_outputs(OptionSet& set, ReportOutputs& outputs);

/// A usage error when several of them would go to standard output. `others`: further files that
/// the command writes.
Status check_report_outputs(const ReportOutputs& outputs,
                            const std::vector<std::string>& others = {});

Status write_reports(const ReportOutputs& outputs, const ReportFacts& facts);

/// Standard output has `annotations`, and the summary of the step, if this is one, `summary` too.
Status write_github(const std::string& annotations, const std::string& summary);

}  // namespace gordian
