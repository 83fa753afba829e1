// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether a program has code that runs once for a whole suite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// A SetUpTestSuite(), TearDownTestCase() or the like of a class, but not of testing::Test.
bool sets_up_suites(std::string_view mangled);

/// Whether any of these files defines one, or cannot be read.
bool has_suite_fixtures(const std::vector<std::string>& modules);

}  // namespace gordian
