// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Coverage that the user's own tools have measured, test by test. Formats: docs/coverage.md.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

/// `from`: an lcov tracefile whose TN: lines name tests, or a directory with one file or directory
/// for each test, named after it: NAME.info (lcov), NAME.json or NAME/*.gcov.json[.gz] (gcov
/// --json-format), NAME.json (llvm-cov export). Tests of the suite without data get empty rows and
/// a notice; data of unknown tests is a notice too. Nothing that fits any test is an Error{usage}.
Result<Coverage> import_coverage(const std::filesystem::path& from, const Suite& suite);

}  // namespace gordian
