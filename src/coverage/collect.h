// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What each test of a suite covers, from one start of a program that was compiled for coverage:
// GCC's or Clang's --coverage, or Clang's -fprofile-instr-generate -fcoverage-mapping. The counters
// are read from outside, out of the memory of the process while it stands between two tests, so
// that nothing has to be written, no file of the user's changes, and a process that goes back to a
// snapshot loses nothing. See docs/coverage.md.
#pragma once

#include <cstddef>
#include <filesystem>

#include "base/result.h"
#include "model/coverage.h"
#include "model/target.h"
#include "model/test.h"
#include "runtime/powers.h"

namespace gordian {

/// Runs every test of the default order. A program without counters, or whose maps of them are
/// missing or older than it, is an Error{target} that says what to do. What is lost of single tests
/// is a notice of the coverage.
Result<CollectedCoverage> collect_coverage(const Target& target, const CoverageOptions& options);

/// What the user's own tools have measured, test by test; formats: docs/coverage.md.
/// `from`: an lcov tracefile whose TN: lines name tests, or a directory with one file or directory
/// for each test, named after it: NAME.info (lcov), NAME.json or NAME/*.gcov.json[.gz] (gcov
/// --json-format), NAME.json (llvm-cov export). Tests of the suite without data get empty rows and
/// a notice; data of unknown tests is a notice too. Nothing that fits any test is an Error{usage}.
Result<Coverage> import_coverage(const std::filesystem::path& from, const Suite& suite);

/// Leaves out lines and functions of files in which tests of the suite stand: each test covers its
/// own body, and by that measure all of them would be needed. If that would leave
/// nothing (tests and code in one file), nothing is left out. Returns how many lines were.
std::size_t leave_out_test_code(Coverage& coverage, const Suite& suite);

}  // namespace gordian
