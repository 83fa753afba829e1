// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Everything around one or more runs that a command makes: the database, the terminal, the report
// files and the exit code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "store/run_store.h"

namespace gordian {

class RunSession {
 public:
  /// Opens the database unless told not to; refuses before anything runs when that fails.
  static Result<RunSession> open(const RunOptions& options, const CommonOptions& common);

  /// Runs, shows, stores. An error is one of the run's own; it has been reported. The facts are
  /// valid until the next run. `extra`: tests, each once in the order, that are run only because
  /// others need them: they are stored, but neither shown nor counted, and a notice names them.
  Result<const RunFacts*> run(const RunRequest& request,
                              const std::vector<std::string>& extra = {});

  /// Writes the report files and returns the exit code of all runs together.
  int finish();

 private:
  RunSession(const RunOptions& options, const CommonOptions& common)
      : options_(options), common_(common) {}

  RunOptions options_;
  CommonOptions common_;
  std::unique_ptr<RunStore> store_;
  std::vector<RunFacts> runs_;
};

/// The exit code of one run.
int exit_code_of(const RunFacts& facts);

}  // namespace gordian
