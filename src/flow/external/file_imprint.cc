// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/file_imprint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/unique_fd.h"

namespace gordian {
namespace {

constexpr std::uint64_t kMostContent = 64u << 20;

/// Without a trace in the access time, where we may.
UniqueFd open_quietly(int directory, const std::string& name) {
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd fd(::openat(directory, name.c_str(), flags | O_NOATIME));
  if (!fd.valid()) fd.reset(::openat(directory, name.c_str(), flags));
  return fd;
}

bool digest_file(int directory, const std::string& name, std::string& digest) {
  UniqueFd fd = open_quietly(directory, name);
  if (!fd.valid()) return false;
  Sha256 hash;
  std::vector<char> buffer(64 << 10);
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0) return false;
    if (n == 0) break;
    hash.update(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
  digest = hash.hex_digest();
  return true;
}

std::string link_target(int directory, const std::string& name) {
  std::array<char, PATH_MAX> text;
  const ssize_t n = ::readlinkat(directory, name.c_str(), text.data(), text.size());
  return n <= 0 ? std::string() : std::string(text.data(), static_cast<std::size_t>(n));
}

bool is_plain(const FileImprint& imprint) {
  return S_ISREG(imprint.mode) && (imprint.mode & (S_IRUSR | S_IWUSR)) == (S_IRUSR | S_IWUSR);
}

}  // namespace

FileImprint take_imprint(int directory, const std::string& name) {
  FileImprint imprint;
  struct stat status;
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return imprint;
  imprint.exists = true;
  imprint.mode = status.st_mode;
  imprint.uid = status.st_uid;
  imprint.gid = status.st_gid;
  if (S_ISLNK(status.st_mode)) imprint.content = link_target(directory, name);
  if (S_ISREG(status.st_mode)) {
    imprint.size = static_cast<std::uint64_t>(status.st_size);
    imprint.whole = imprint.size <= kMostContent && digest_file(directory, name, imprint.content);
  }
  return imprint;
}

bool content_changed(const FileImprint& before, const FileImprint& after) {
  if (!before.exists && !after.exists) return false;
  if (before.exists != after.exists || !before.whole || !after.whole) return true;
  return (before.mode & S_IFMT) != (after.mode & S_IFMT) || before.size != after.size ||
         before.content != after.content;
}

bool attributes_changed(const FileImprint& before, const FileImprint& after) {
  if (!after.exists) return false;
  if (!before.exists) return !is_plain(after);
  return before.mode != after.mode || before.uid != after.uid || before.gid != after.gid;
}

}  // namespace gordian
