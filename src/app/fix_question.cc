// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files.h"
#include "base/sha256.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSourceEndings = {".c",     ".cc",  ".cpp", ".cxx", ".c++", ".h",   ".hh",
                                       ".hpp",   ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tcc",
                                       ".tpp",   ".def", ".S",   ".s",   ".in",  ".y",   ".l",
                                       ".cmake", ".mk",  ".bzl", ".cppm"};
constexpr std::array kBuildFiles = {"CMakeLists.txt", "Makefile",    "GNUmakefile",
                                    "meson.build",    "build.ninja", "BUILD"};

bool is_source(const fs::path& path) {
  const std::string name = path.filename(), ending = path.extension();
  return std::find(kSourceEndings.begin(), kSourceEndings.end(), ending) != kSourceEndings.end() ||
         std::find(kBuildFiles.begin(), kBuildFiles.end(), name) != kBuildFiles.end();
}

bool is_left_out(const fs::path& directory, const Project& project) {
  std::error_code none;
  return directory.filename().string().starts_with(".") ||
         fs::exists(directory / "CMakeCache.txt", none) ||
         (!project.build_dir.empty() && fs::equivalent(directory, project.build_dir, none));
}

void add_sources(const fs::path& root, const Project& project, std::vector<std::string>& lines) {
  std::error_code failed;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::error_code none;
    if (at->is_directory(none)) {
      if (is_left_out(at->path(), project)) at.disable_recursion_pending();
    } else if (is_source(at->path())) {
      lines.push_back(fmt::format("{} {} {}", at->path().string(), at->file_size(none),
                                  at->last_write_time(none).time_since_epoch().count()));
    }
  }
}

std::string digest_of(const ChangedFiles& files) {
  if (files.empty()) return "";
  Sha256 digest;
  for (const auto& [path, file] : files) digest.update(path + '\0' + file.after + '\0');
  return digest.hex_digest();
}

std::vector<std::string_view> words_of(const std::vector<Strategy>& strategies) {
  std::vector<std::string_view> words;
  for (Strategy strategy : strategies) words.push_back(to_string(strategy));
  return words;
}

}  // namespace

FixKey fix_key(const DependenceGroup& group, const FixOptions& options) {
  const RepairOptions& repair = options.repair;
  std::string text = fmt::format(
      "strategies {} product {} partly {} orders {} seed {} runs {} build {} source {} clang {} "
      "before {} all {}",
      fmt::join(words_of(repair.strategies.only), ","), repair.strategies.allow_product_code,
      repair.accept_partly, repair.random_orders, repair.seed, repair.confirmations,
      options.project.build_command, options.project.source_root.string(),
      !options.without_compiler, digest_of(repair.base), options.repeat.on);
  if (!repair.wavering.empty())
    text += fmt::format(" wavering {}", fmt::join(repair.wavering, ","));
  for (const NamedDependence& d : group.stored) {
    text += fmt::format("\n{} {}", to_string(d.id), fmt::join(d.witness, " "));
  }
  return {group.stored.front().target.binary.string(), group.binary.sha256, std::move(text)};
}

std::string source_stamp(const Project& project) {
  std::vector<std::string> lines;
  add_sources(project.source_root, project, lines);
  for (const fs::path& directory : project.source_dirs) add_sources(directory, project, lines);
  std::sort(lines.begin(), lines.end());
  Sha256 digest;
  for (const std::string& line : lines) digest.update(line + '\0');
  return digest.hex_digest();
}

}  // namespace gordian
