// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/unique_fd.h"

namespace gordian {
namespace {

std::string_view special_kind(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

Error refused(const std::filesystem::path& file, std::string_view kind) {
  return usage_error(file.string() + " is " + std::string(kind) + ", not a regular file");
}

Error unreadable_file(const std::filesystem::path& file) {
  return usage_error("cannot read " + file.string() + ": " + std::strerror(errno));
}

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

UniqueFd open_temporary(const fs::path& target, mode_t mode, fs::path& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = target.parent_path() /
           fmt::format(".{:.200}.{}.{}.tmp", target.filename().string(), ::getpid(), attempt);
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) return UniqueFd(fd);
  }
  return UniqueFd();
}

/// Without a mode it is the one that the user's umask leaves.
Status replace_file(const fs::path& target, std::optional<mode_t> mode, std::string_view content) {
  fs::path name;
  UniqueFd fd = open_temporary(target, mode.value_or(0666), name);
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

/// The kernel writes blanks, tabs, newlines and backslashes as \ooo.
std::string without_escapes(const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\' && i + 3 < word.size()) {
      text += static_cast<char>(std::stoi(word.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      text += word[i];
    }
  }
  return text;
}

}  // namespace

std::string_view kind_of_special(const std::filesystem::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 ? special_kind(facts.st_mode) : std::string_view();
}

Result<UniqueFd> open_regular(const std::filesystem::path& file) {
  // Opening a device can do things already; what the name stands for may change before it is open.
  if (const auto kind = kind_of_special(file); !kind.empty()) return refused(file, kind);
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts {};
  if (!fd.valid() || ::fstat(fd.get(), &facts) != 0) return unreadable_file(file);
  if (const auto kind = special_kind(facts.st_mode); !kind.empty()) return refused(file, kind);
  return fd;
}

Result<std::string> read_regular(const std::filesystem::path& file) {
  auto fd = open_regular(file);
  if (!fd) return fd.error();
  std::string text;
  std::array<char, 1 << 16> piece{};
  for (;;) {
    const ssize_t n = ::read(fd->get(), piece.data(), piece.size());
    if (n == 0) return text;
    if (n > 0) {
      text.append(piece.data(), static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return unreadable_file(file);
    }
  }
}

std::optional<std::string> whole_file(const std::filesystem::path& file, std::uint64_t largest) {
  std::error_code failed;
  if (fs::file_size(file, failed) > largest || failed) return std::nullopt;
  auto text = read_regular(file);
  if (!text) return std::nullopt;
  return *std::move(text);
}

std::vector<std::filesystem::path> real_directories(
    const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> real;
  for (const std::filesystem::path& path : paths) {
    std::error_code none;
    std::filesystem::path canonical = std::filesystem::canonical(path, none);
    if (!none && std::filesystem::is_directory(canonical, none) && canonical != "/") {
      real.push_back(std::move(canonical));
    }
  }
  std::sort(real.begin(), real.end());
  real.erase(std::unique(real.begin(), real.end()), real.end());
  return real;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory) {
  if (directory.empty()) return false;
  auto [end, unused] = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return end == directory.end();
}

std::vector<std::filesystem::path> mount_points() {
  std::vector<std::filesystem::path> points;
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5 && words >> word; ++i) {
    }
    points.emplace_back(without_escapes(word));
  }
  return points;
}

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

Status replace_private_file(const fs::path& path, std::string_view content) {
  return replace_file(path, 0600, content);
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
