// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What each test of a suite covers, from one start of a program that was compiled for coverage:
// GCC's or Clang's --coverage, or Clang's -fprofile-instr-generate -fcoverage-mapping. The counters
// are read from outside, out of the memory of the process while it stands between two tests, so
// that nothing has to be written, no file of the user's changes, and a process that goes back to a
// snapshot loses nothing. See docs/coverage.md.
#pragma once

#include "base/result.h"
#include "model/coverage.h"
#include "model/target.h"
#include "runtime/powers.h"

namespace gordian {

/// Runs every test of the default order. A program without counters, or whose maps of them are
/// missing or older than it, is an Error{target} that says what to do. What is lost of single tests
/// is a notice of the coverage.
Result<CollectedCoverage> collect_coverage(const Target& target, const CoverageOptions& options);

}  // namespace gordian
