// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the database holds, to be run again: a whole run, or the witness of a dependence.
#pragma once

#include <string>
#include <vector>

#include "app/run.h"
#include "base/result.h"
#include "model/run.h"
#include "store/dependence_store.h"

namespace gordian {

/// By their names as typed, "R7" and "D3". A missing database is an error.
Result<RunFacts> load_stored_run(const std::string& word, const std::string& db);
Result<NamedDependence> load_stored_dependence(const std::string& word, const std::string& db);

/// Asks for the same target, tests and seed.
void ask_for_same(const RunFacts& before, RunRequest& request);
/// Asks for the witness, in one process.
void ask_for_witness(const NamedDependence& stored, RunRequest& request);

struct ReplayDifference {
  std::string test;
  OutcomeKind was, is;
};
/// Place by place of the first repeat of both.
std::vector<ReplayDifference> compare_runs(const RunFacts& before, const RunFacts& now);

}  // namespace gordian
