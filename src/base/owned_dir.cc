// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/owned_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <vector>

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
constexpr std::size_t kRandomLetters = 6;  // mkdtemp's

std::string prefix_of(std::string_view stem) {
  return std::string(stem) + "-" + std::to_string(::geteuid()) + "-";
}

bool try_lock(const UniqueFd& directory) {
  return ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

/// Both can be said only of what is open: a name may stand for something else a moment later.
bool is_ours(const UniqueFd& directory) {
  struct stat facts {};
  return ::fstat(directory.get(), &facts) == 0 && facts.st_uid == ::geteuid() &&
         (facts.st_mode & 077) == 0;
}

bool is_still_there(const UniqueFd& directory, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(directory.get(), &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

std::vector<std::string> names_in(const fs::path& place, const std::string& prefix) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(place.c_str()), ::closedir);
  if (!list) return names;
  while (const dirent* entry = ::readdir(list.get())) {
    const std::string_view name = entry->d_name;
    if (name.starts_with(prefix) && name.size() == prefix.size() + kRandomLetters) {
      names.emplace_back(name);
    }
  }
  return names;
}

bool remove_unowned(const fs::path& path, OwnedDir::Content content) {
  const UniqueFd directory(::open(path.c_str(), kDirectory));
  if (!directory.valid() || !is_ours(directory) || !try_lock(directory)) return false;
  if (!is_still_there(directory, path)) return false;
  std::error_code none;
  if (content == OwnedDir::Content::anything) return fs::remove_all(path, none) > 0 && !none;
  return ::rmdir(path.c_str()) == 0;
}

}  // namespace

int sweep_unowned(const fs::path& place, std::string_view stem, OwnedDir::Content content) {
  int removed = 0;
  for (const std::string& name : names_in(place, prefix_of(stem))) {
    removed += remove_unowned(place / name, content) ? 1 : 0;
  }
  return removed;
}

std::optional<OwnedDir> OwnedDir::make(const fs::path& place, std::string_view stem,
                                       Content swept) {
  if (!place.is_absolute()) return std::nullopt;  // an empty variable of the environment
  sweep_unowned(place, stem, swept);
  // A sweeper may come between the making and the lock; it cannot do so again and again.
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = place / (prefix_of(stem) + "XXXXXX");
    if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
    UniqueFd lock(::open(name.c_str(), kDirectory));
    if (!lock.valid()) continue;
    // Where there are no locks nothing is swept either.
    const bool locked = try_lock(lock) || errno != EWOULDBLOCK;
    if (locked && is_still_there(lock, name)) return OwnedDir(name, std::move(lock));
  }
  return std::nullopt;
}

Result<TemporaryDir> TemporaryDir::make(std::span<const std::filesystem::path> places) {
  std::string tried;
  for (const std::filesystem::path& place : places) {
    auto dir = OwnedDir::make(place, "gordian-tmp", OwnedDir::Content::anything);
    if (dir) return TemporaryDir(*std::move(dir));
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return internal_error("no scratch directory could be made in any of " + tried,
                        "set XDG_RUNTIME_DIR to a directory that can be written to");
}

TemporaryDir::~TemporaryDir() {
  std::error_code none;
  if (dir_) std::filesystem::remove_all(dir_->path(), none);
}

}  // namespace gordian
