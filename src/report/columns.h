// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A table in plain text: rows of cells, the first column to the left, all others to the right, two
// blanks before each. Pure.
#pragma once

#include <string>
#include <vector>

namespace gordian {

/// Rows may be shorter than the first one. Text must be sanitised.
std::string columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace gordian
