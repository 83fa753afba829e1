// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// GoogleTest in one file, whichever of its three signs is left: a symbol, a class name, its help
// text.
#pragma once

#include <string>
#include <vector>

#include "symbols/elf_file.h"
#include "symbols/framework_detection.h"

namespace gordian {

bool recognise_gtest(const ElfFile& file, FrameworkFinding& finding);

/// Which GoogleTest is compiled into a file? The library carries no version number, but its help
/// text, messages and a few private functions changed from release to release. Each such change is
/// a mark; what is found and what is missing narrow the range. Works on stripped files; the marks
/// were taken from the releases 1.7 to 1.18 and checked against builds of all of them.
struct GtestVersion {
  std::string text;  ///< "1.12", "1.13-1.14", "1.18 or newer", "1.7 or older"; empty: no idea
  std::vector<std::string> evidence;  ///< one line for each mark that narrowed the range
};

/// REQUIRES: GoogleTest is in `file`; otherwise the answer means nothing.
GtestVersion gtest_version(const ElfFile& file);

}  // namespace gordian
