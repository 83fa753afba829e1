// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Coverage that others have measured, and what of coverage is not counted.
#pragma once

#include <cstddef>
#include <filesystem>

#include "base/result.h"
#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

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
