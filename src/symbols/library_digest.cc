// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/library_digest.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "base/sha256.h"
#include "symbols/library_search.h"

namespace gordian {
namespace {

bool of_the_system(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.starts_with("/lib") || text.starts_with("/usr/lib");
}

std::string describe(const std::filesystem::path& path) {
  if (!of_the_system(path)) {
    auto content = sha256_file(path);
    return content ? *content : "unreadable";
  }
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const auto changed = std::filesystem::last_write_time(path, error);
  return fmt::format("{} {}", size, changed.time_since_epoch().count());
}

}  // namespace

std::string library_digest(const ElfFile& program, std::string_view library_path) {
  std::set<std::string> seen;
  std::vector<NeededLibrary> open = needed_libraries(program, library_path);
  Sha256 sha;
  while (!open.empty()) {
    const NeededLibrary library = std::move(open.back());
    open.pop_back();
    if (!seen.insert(library.path.empty() ? library.name : library.path.string()).second) continue;
    sha.update(library.name + '\n');
    if (library.path.empty()) continue;
    sha.update(library.path.string() + ' ' + describe(library.path) + '\n');
    if (of_the_system(library.path)) continue;
    auto file = ElfFile::open(library.path, ElfRole::library);
    if (!file) continue;
    for (NeededLibrary& more : needed_libraries(*file, library_path)) open.push_back(more);
  }
  return sha.hex_digest();
}

}  // namespace gordian
