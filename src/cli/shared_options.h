// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Options that several commands have, declared once: those of `run` and `replay`, and single ones.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/run.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/options.h"
#include "model/report_facts.h"
#include "report/source_files.h"

namespace gordian {

struct RunOptions {
  std::string isolate = "auto";
  int jobs = 0;  ///< 0: one per processor
  int repeat = 1;
  std::string timeout = "60s", total_timeout = "0", start_timeout = "60s", slow = "1s";
  std::string private_fs = "auto";
  std::vector<std::string> private_dirs;
  bool fail_fast = false, verbose = false, no_stacks = false, no_db = false, verify = false;
  std::string junit, json;
};

void add_run_options(OptionSet& set, RunOptions& options);

void add_targets_argument(OptionSet& set, std::vector<std::string>& targets);
void add_filter_option(OptionSet& set, std::string& filter);
void add_json_option(OptionSet& set, std::string& file);
/// Of commands that run many orders: how many at a time, and how they are kept apart.
void add_order_jobs_option(OptionSet& set, int& jobs);
void add_order_isolation_option(OptionSet& set, std::string& isolate, const std::string& help);
inline constexpr const char* kPrivateFsHelp =
    "Copy-on-write view of the working and temporary directories: auto, on, off";
/// --private-fs and --private-dir; returns the latter.
Option* add_private_options(OptionSet& set, RunOptions& options,
                            const std::string& help = kPrivateFsHelp);

/// Everything of a request that RunOptions decide.
Result<RunRequest> to_request(const RunOptions& options);
/// The same for ctest, whose tests come one by one: in one process makes no sense there.
Result<RunRequest> to_isolating_request(const RunOptions& options);

// The files that `report` and `detect` write, declared once: an option for each row of
// report/formats/formats.h, and --github.

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
