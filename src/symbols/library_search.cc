// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/library_search.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <vector>

#include "base/sha256.h"
#include "base/text.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr std::string_view kMultiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr std::string_view kMultiarch = "aarch64-linux-gnu";
#else
constexpr std::string_view kMultiarch = "riscv64-linux-gnu";
#endif

/// "a:b" as directories; $ORIGIN is the directory of the file that has the list.
void add_list(std::vector<fs::path>& directories, std::string_view list, const fs::path& origin) {
  while (!list.empty()) {
    const std::size_t colon = list.find(':');
    std::string directory(list.substr(0, colon));
    list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
    if (directory.empty()) continue;
    replace_all(directory, "${ORIGIN}", origin.string());
    replace_all(directory, "$ORIGIN", origin.string());
    directories.emplace_back(directory);
  }
}

std::vector<fs::path> search_directories(const ElfFile& file, std::string_view library_path) {
  std::error_code ignored;
  const fs::path origin = fs::weakly_canonical(file.path(), ignored).parent_path();
  std::vector<fs::path> directories;
  const ElfFacts& facts = file.facts();
  if (facts.runpath.empty()) add_list(directories, facts.rpath, origin);
  add_list(directories, library_path, origin);
  add_list(directories, facts.runpath, origin);
  for (std::string_view root : {"/lib", "/usr/lib", "/usr/local/lib"}) {
    directories.push_back(fs::path(root) / kMultiarch);
    directories.push_back(std::string(root) + "64");
    directories.emplace_back(root);
  }
  return directories;
}

}  // namespace

std::vector<NeededLibrary> needed_libraries(const ElfFile& file, std::string_view library_path) {
  const std::vector<fs::path> directories = search_directories(file, library_path);
  std::vector<NeededLibrary> result;
  for (const std::string& name : file.facts().needed) {
    NeededLibrary library = {name, {}};
    std::error_code ignored;
    if (name.find('/') != std::string::npos) {
      if (fs::is_regular_file(name, ignored)) library.path = name;
    } else {
      for (const fs::path& directory : directories) {
        if (!fs::is_regular_file(directory / name, ignored)) continue;
        library.path = directory / name;
        break;
      }
    }
    result.push_back(std::move(library));
  }
  return result;
}

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
