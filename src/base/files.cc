// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

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

std::optional<std::string> whole_file(const std::filesystem::path& file) {
  auto text = read_regular(file);
  if (!text) return std::nullopt;
  return *std::move(text);
}

namespace {

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

}  // namespace gordian
