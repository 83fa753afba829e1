// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Options that `run` and `replay` share, declared once.
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
/// What --private-fs can be, in every command.
std::vector<std::string> private_fs_words();

/// Everything of a request that RunOptions decide.
Result<RunRequest> to_request(const RunOptions& options);
/// The same for ctest, whose tests come one by one: in one process makes no sense there.
Result<RunRequest> to_isolating_request(const RunOptions& options);

}  // namespace gordian
