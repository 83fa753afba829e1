// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copied_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace gordian {
namespace {

namespace fs = std::filesystem;

bool write_bytes(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  return file.good();
}

/// The clock of file systems is coarse: two writes within some milliseconds would look the same.
bool make_newest(const std::string& path) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const timespec times[] = {now, now};
  return ::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0;
}

}  // namespace

std::optional<std::string> read_whole_file(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return content;
}

std::optional<std::string> CopiedFiles::original(const std::string& path) const {
  return read_whole_file(layers_.original(path));
}

Status CopiedFiles::write(const std::string& path, const std::string& content) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (!write_bytes(path, content)) {
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, failed);
    fs::permissions(fs::path(path).parent_path(), fs::perms::owner_write, fs::perm_options::add,
                    failed);
    if (!write_bytes(path, content)) {
      return internal_error("cannot write " + path + " in the copy: " + std::strerror(errno));
    }
  }
  if (!make_newest(path)) return internal_error("cannot set the time of " + path);
  return {};
}

Status CopiedFiles::put_back(const std::string& path) {
  if (const auto content = original(path)) return write(path, *content);
  std::error_code failed;
  fs::remove(path, failed);
  return {};
}

Status CopiedFiles::apply(const CopyContents& files) {
  for (const auto& [path, content] : files) {
    if (layers_.covers(path)) continue;
    return usage_error(path + " lies outside of the project's copy",
                       "name a source root that contains it, with --source");
  }
  const std::set<std::string> before = std::exchange(changed_, {});
  for (const std::string& path : before) {
    if (files.contains(path)) continue;
    if (Status done = put_back(path); !done) return done;
  }
  for (const auto& [path, content] : files) {
    Status done;
    if (!content) {
      done = put_back(path);
    } else {
      changed_.insert(path);
      if (read_whole_file(path) != content) done = write(path, *content);
    }
    if (!done) return done;
  }
  return {};
}

}  // namespace gordian
