// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The runs of one build, in whatever order, as a report tells them: when, how, how long, how many
// tests failed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/report_facts.h"
#include "store/suite_rows.h"

namespace gordian {

/// The newest first, at most kMostPastRuns.
Result<std::vector<PastRun>> load_history(Database& database, SuiteRow suite,
                                          const std::string& sha256);

inline constexpr int kMostPastRuns = 100;

}  // namespace gordian
