// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What orders leave behind: order files and the exit code.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/rank_facts.h"

namespace gordian {

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
