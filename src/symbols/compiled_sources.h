// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The source files that a module was compiled from, by its debug information: one for each unit,
// with the directory in which its compiler was started. Headers are not among them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace gordian {

struct CompiledSource {
  std::string file;       ///< absolute and without "..", unless the compiler was told less
  std::string directory;  ///< empty when it is not told
};

/// In the order of the file, each once. Empty without debug information; an error for what is no
/// ELF file. Nothing says that the files are still there.
Result<std::vector<CompiledSource>> compiled_sources(const std::filesystem::path& module);

}  // namespace gordian
