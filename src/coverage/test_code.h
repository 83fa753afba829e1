// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The code of the tests themselves is no reason to run a test: each test covers its own body, and
// by that measure all of them would be needed. Pure.
#pragma once

#include <cstddef>

#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

/// Leaves out lines and functions of files in which tests of the suite stand. If that would leave
/// nothing (tests and code in one file), nothing is left out. Returns how many lines were.
std::size_t leave_out_test_code(Coverage& coverage, const Suite& suite);

}  // namespace gordian
