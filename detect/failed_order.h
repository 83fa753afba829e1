// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The order of a run that failed elsewhere, from the report it left.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace gordian {

/// Test names in the order in which they ran, from a JUnit or GoogleTest XML file: by timestamp
/// where every test case has one that tells, else as written. Tests that were not run are left out.
Result<std::vector<std::string>> read_failed_order(const std::string& file);

/// The same for the text of such a file; `name` is for messages.
Result<std::vector<std::string>> parse_failed_order(const std::string& xml,
                                                    const std::string& name);

}  // namespace gordian
