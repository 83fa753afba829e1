// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What runs and orders leave behind: summaries, reports, order files, and the exit code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run_session.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "model/rank_facts.h"

namespace gordian {

class RunResults {
 public:
  /// Opens the database unless told not to; refuses before anything runs when that fails.
  static Result<RunResults> open(const RunOptions& options, const CommonOptions& common);

  /// See RunSession::run(). What could not be stored is an error, too; the run counts.
  Result<const RunFacts*> run(const RunRequest& request,
                              const std::vector<std::string>& extra = {});

  /// Writes the report files and returns the exit code of all runs together.
  int finish();

 private:
  RunResults(const RunOptions& options, const CommonOptions& common);

  RunOptions options_;
  std::string db_;  ///< as the user named it
  std::unique_ptr<Screen> screen_;
  std::optional<RunSession> session_;
};

/// The exit code of one run.
int exit_code_of(const RunFacts& facts);

/// Where the order goes: `file`; without one to standard output, unless the JSON goes there. Empty:
/// nowhere. Both to standard output is an error.
Result<std::string> order_output(const std::string& file, const std::string& json);

/// Writes one file for each process of the order: "order.txt", "order.2.txt", ... "-" is standard
/// output, with all of them one after another. Returns the names of the files.
Result<std::vector<std::string>> write_order(const RankedOrder& order, const Suite& suite,
                                             const std::string& file);

/// 1 if a result was changed, or a test could not be served.
int exit_code_of(const RankedOrder& order);

}  // namespace gordian
