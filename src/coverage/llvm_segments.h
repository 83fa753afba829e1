// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which regions of a source file decide whether a line counts as run, by the rules of llvm-cov: a
// line is run when the innermost region at its beginning is, or any region that begins on it. The
// answer does not depend on counts, so it is found once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coverage/llvm_mapping.h"

namespace gordian {

/// A region of some function, in one file. `id` is the caller's.
struct FileRegion {
  LlvmRegionKind kind = LlvmRegionKind::code;
  LlvmPlace begin, end;
  std::uint32_t id = 0;
};

struct LineRegions {
  std::uint32_t line = 0;
  std::vector<std::uint32_t> ids;  ///< run if any of these ran
};

/// The lines with code, in order. `regions`: all of one file, of all functions.
std::vector<LineRegions> lines_of_regions(std::vector<FileRegion> regions);

}  // namespace gordian
