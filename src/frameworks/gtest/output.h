// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads GoogleTest's own console output: its list of tests, and the results of a run, complete or
// cut short. Pure functions of text.
#pragma once

#include <string_view>
#include <vector>

#include "model/outcome.h"
#include "model/test.h"

namespace gordian {

/// From --gtest_list_tests: "Suite.  # TypeParam = int" lines and indented test names.
std::vector<Test> parse_test_list(std::string_view text);

struct PrintedResult {
  std::string full_name;
  bool ended = false;  ///< false: the run stopped inside this test
  Outcome outcome;     ///< if ended
  std::chrono::milliseconds duration{0};
  std::string output;
};

/// In the order of the run.
std::vector<PrintedResult> parse_run_output(std::string_view text);

}  // namespace gordian
