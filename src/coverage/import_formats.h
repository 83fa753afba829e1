// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Files that gcov, llvm-cov and lcov write about what ran: lcov tracefiles, `gcov --json-format`,
// `llvm-cov export`. What is none of these, or is damaged, is an Error{usage} that names the file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gordian {

struct ImportedFunction {
  std::string name;
  int line = 0;
  bool ran = false;
};

/// What is said of one source file, for one test.
struct ImportedPart {
  std::string test;                         ///< as the file names it; empty when it does not
  std::string file;                         ///< absolute
  std::vector<std::pair<int, bool>> lines;  ///< and whether they ran
  std::vector<ImportedFunction> functions;
};

struct ImportedFile {
  std::string source;  ///< "lcov", "gcov", "llvm-cov"
  std::vector<ImportedPart> parts;
};

/// `file` is for errors, and for what relative paths are relative to.
Result<ImportedFile> parse_coverage_file(std::string_view bytes, const std::filesystem::path& file);

}  // namespace gordian
