// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where a program's shared libraries are on this machine. Follows the loader's order, but reads no
// ld.so.cache: the default directories stand for it, so a library in an odd system directory can
// be missed. The caller must say "not found", never "not there".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/elf_file.h"

namespace gordian {

/// A DT_NEEDED entry and the file it means; `path` is empty when it was not found.
struct NeededLibrary {
  std::string name;
  std::filesystem::path path;
};

/// The libraries that `file` itself names, in its order. `library_path` is the LD_LIBRARY_PATH the
/// program will be started with.
std::vector<NeededLibrary> needed_libraries(const ElfFile& file, std::string_view library_path);

/// Whether the libraries are still the same, as their code is code under test too: a digest over
/// the libraries that the program needs, and those that these need. Libraries of the system count
/// by path, size and time of change, others by content. What cannot be found counts by name, and
/// what the program loads by itself (dlopen) not at all.
std::string library_digest(const ElfFile& program, std::string_view library_path);

}  // namespace gordian
