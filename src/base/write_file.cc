// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/unique_fd.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

Error io_error(std::string_view what, std::string_view name, int error) {
  std::string message = fmt::format("cannot {} {}: {}", what, name, std::strerror(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return internal_error(message, "free some space, or write the file elsewhere");
    case EACCES:
    case EPERM:
    case EROFS:
      return usage_error(message, "name a directory that you may write to");
    case ENOENT:
    case ENOTDIR:
      return usage_error(message, "make the directory first");
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return usage_error(message, "name another file");
    default:
      return internal_error(message);
  }
}

/// A file that exists only until it is renamed; whatever goes wrong before, it is removed.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  const fs::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

/// mkstemp would make the file private to us; open() with 0666 honours the user's umask.
UniqueFd open_temporary(const fs::path& target, fs::path& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = target.parent_path() /
           fmt::format(".{:.200}.{}.{}.tmp", target.filename().string(), ::getpid(), attempt);
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return UniqueFd(fd);
  }
  return UniqueFd();
}

Status replace_file(const fs::path& target, std::optional<mode_t> mode, std::string_view content) {
  fs::path name;
  UniqueFd fd = open_temporary(target, name);
  if (!fd.valid()) return io_error("write", target.string(), errno);
  TemporaryFile temporary(name);
  if (mode && ::fchmod(fd.get(), *mode) != 0) return io_error("write", target.string(), errno);
  if (Status written = write_all(fd.get(), content, target.string()); !written) return written;
  // Some file systems tell of a full disk only now; those that cannot sync say EINVAL.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return io_error("write", target.string(), errno);
  if (::close(fd.release()) != 0) return io_error("write", target.string(), errno);
  if (::rename(name.c_str(), target.c_str()) != 0) {
    return io_error("write", target.string(), errno);
  }
  temporary.keep();
  return {};
}

Status write_in_place(const std::string& path, std::string_view content) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.valid()) return io_error("write", path, errno);
  return write_all(fd.get(), content, path);
}

}  // namespace

Status write_file(const std::string& path, std::string_view content) {
  if (path == "-") return write_all(STDOUT_FILENO, content, "standard output");
  if (path.empty()) return usage_error("the name of the file to write is empty");
  struct stat existing {};
  if (::stat(path.c_str(), &existing) != 0) {
    if (errno != ENOENT) return io_error("write", path, errno);
    return replace_file(path, std::nullopt, content);
  }
  if (S_ISDIR(existing.st_mode)) return io_error("write", path, EISDIR);
  if (!S_ISREG(existing.st_mode)) return write_in_place(path, content);
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  if (error) return io_error("write", path, error.value());
  return replace_file(target, existing.st_mode & 07777U, content);
}

Status append_file(const std::string& path, std::string_view content) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666));
  if (!fd.valid()) return io_error("write", path, errno);
  return write_all(fd.get(), content, path);
}

Status write_all(int fd, std::string_view content, std::string_view name) {
  while (!content.empty()) {
    ssize_t written = ::write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return io_error("write", name, errno);
    } else if (errno != EINTR) {
      return io_error("write", name, errno);
    }
  }
  return {};
}

std::function<void(std::string_view)> sink_to(int fd) {
  return [fd](std::string_view text) { (void)write_all(fd, text, "").ok(); };
}

}  // namespace gordian
