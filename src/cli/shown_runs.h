// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a command shows of one or more runs that it makes: summaries, the report files and the exit
// code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run_session.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/screen.h"

namespace gordian {

class ShownRuns {
 public:
  /// Opens the database unless told not to; refuses before anything runs when that fails.
  static Result<ShownRuns> open(const RunOptions& options, const CommonOptions& common);

  /// See RunSession::run(). What could not be stored is an error, too; the run counts.
  Result<const RunFacts*> run(const RunRequest& request,
                              const std::vector<std::string>& extra = {});

  /// Writes the report files and returns the exit code of all runs together.
  int finish();

 private:
  ShownRuns(const RunOptions& options, const CommonOptions& common);

  RunOptions options_;
  std::string db_;  ///< as the user named it
  std::unique_ptr<Screen> screen_;
  std::optional<RunSession> session_;
};

/// The exit code of one run.
int exit_code_of(const RunFacts& facts);

}  // namespace gordian
