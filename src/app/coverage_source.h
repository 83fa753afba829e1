// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the tests of a target cover, from wherever it can be had: the user's own data, the database,
// or one run of the program now.
#pragma once

#include <string>

#include "app/front_end.h"
#include "base/result.h"
#include "model/coverage.h"
#include "model/rank_facts.h"
#include "runtime/engine_options.h"

namespace gordian {

struct CoverageRequest {
  std::string
      file;  ///< lcov, gcov or llvm-cov data, see docs/coverage.md; empty: the program tells
  CoverageWay way = CoverageWay::alone;
  bool test_code = false;  ///< files in which tests stand count, too
  bool again = false;      ///< collect, even if the database has it
  std::string db;          ///< empty: none
  EngineOptions engine;
};

struct FoundCoverage {
  Coverage coverage;
  CoverageSource about;
};

/// What is collected is stored. An error says what to do.
Result<FoundCoverage> find_coverage(const CoverageRequest& request, const RankedBinary& of,
                                    FrontEnd& front_end);

}  // namespace gordian
