// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/source_root.h"

#include "base/files.h"
#include "report/source_lines.h"

namespace gordian {
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
