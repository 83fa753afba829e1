// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Options that several commands have, declared once: those of `run` and `replay`, and single ones.
#pragma once

#include <string>
#include <vector>

#include "app/run.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/options.h"

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
/// --private-fs and --private-dir; returns the latter.
Option* add_private_options(
    OptionSet& set, RunOptions& options,
    const std::string& help =
        "Copy-on-write view of the working and temporary directories: auto, "
        "on, off");

/// Everything of a request that RunOptions decide.
Result<RunRequest> to_request(const RunOptions& options);
/// The same for ctest, whose tests come one by one: in one process makes no sense there.
Result<RunRequest> to_isolating_request(const RunOptions& options);

}  // namespace gordian
