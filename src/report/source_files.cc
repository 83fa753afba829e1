// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/source_files.h"

#include <fstream>

#include "base/files.h"

namespace gordian {
namespace {

constexpr std::uintmax_t kLargest = 16u << 20;  // generated sources may be large; this is absurd

}  // namespace

const std::vector<std::string>& SourceFiles::lines(const std::string& file) {
  auto [it, is_new] = files_.try_emplace(file);
  if (is_new) it->second = read(file);
  return it->second;
}

std::vector<std::string> SourceFiles::read(const std::filesystem::path& file) const {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!file.is_absolute()) {
    const auto found = find_above(binary_, file);
    return found ? read(*found) : std::vector<std::string>();
  }
  if (!fs::is_regular_file(file, failed)) return {};
  const auto built = fs::last_write_time(binary_, failed);
  if (failed) return {};
  const auto written = fs::last_write_time(file, failed);
  if (failed || written > built || fs::file_size(file, failed) > kLargest || failed) return {};
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::optional<std::filesystem::path> find_above(const std::filesystem::path& binary,
                                                const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failed;
  std::optional<fs::path> only;
  fs::path folder = fs::absolute(binary, failed).parent_path();
  for (; !failed && folder != folder.root_path(); folder = folder.parent_path()) {
    std::error_code none;
    const fs::path here = folder / file;
    if (!fs::is_regular_file(here, none)) continue;
    if (only && !fs::equivalent(*only, here, none)) return std::nullopt;
    only = here;
  }
  return only;
}

namespace fs = std::filesystem;

SourceRoot::SourceRoot(const fs::path& root) {
  std::error_code failed;
  root_ = fs::canonical(root, failed);
  if (failed) root_ = fs::absolute(root, failed).lexically_normal();
}

fs::path SourceRoot::above(const fs::path& from) {
  std::error_code failed;
  for (fs::path folder = fs::absolute(from, failed); !failed; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", failed)) return folder;
    if (folder == folder.root_path()) break;
  }
  return from;
}

std::optional<std::string> SourceRoot::below(const fs::path& file) const {
  const fs::path plain = file.lexically_normal();
  if (!is_below(plain, root_) || plain == root_) return std::nullopt;
  return plain.lexically_relative(root_).generic_string();
}

std::optional<std::string> SourceRoot::relative(const std::string& file,
                                                const std::string& binary) const {
  if (file.empty()) return std::nullopt;
  const fs::path name(file);
  std::error_code failed;
  if (name.is_absolute()) {
    if (auto found = below(name)) return found;
    const fs::path real = fs::canonical(name, failed);  // through another name of the checkout
    return failed ? std::nullopt : below(real);
  }
  if (fs::is_regular_file(root_ / name, failed)) return below(root_ / name);
  if (auto found = find_above(binary, name)) return below(*found);
  return below(root_ / name);
}

}  // namespace gordian
