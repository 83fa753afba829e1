// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The order of a run that failed elsewhere, from the report it left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace gordian {

struct FailedOrder {
  std::vector<std::string> names;  ///< tests that were run, in order
  /// GoogleTest's own seed of a shuffled run whose order the file itself does not tell.
  std::optional<std::uint32_t> framework_seed;
};

/// The order in which the tests of a JUnit or GoogleTest XML file ran. Our own reports name it;
/// else by timestamp where every test case has one that tells; else as written, with the seed if
/// GoogleTest shuffled. Tests that were not run are left out.
Result<FailedOrder> read_failed_order(const std::string& file);

/// The same for the text of such a file; `name` is for messages.
Result<FailedOrder> parse_failed_order(const std::string& xml, const std::string& name);

}  // namespace gordian
