// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/open_descriptors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/unique_fd.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// How it was opened; both ways when nobody tells.
int access_mode(pid_t process, int fd) {
  std::ifstream info(fmt::format("/proc/{}/fdinfo/{}", process, fd));
  for (std::string word; info >> word;) {
    if (word == "flags:" && info >> word) {
      return static_cast<int>(std::strtoul(word.c_str(), nullptr, 8)) & O_ACCMODE;
    }
  }
  return O_RDWR;
}

/// Asked of a copy of the descriptor.
std::optional<std::string> peer_of(const UniqueFd& process, int fd) {
  UniqueFd copy(static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), fd, 0)));
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (!copy.valid()) return std::nullopt;
  if (::getpeername(copy.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0 || size == 0) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(&address), size);
}

}  // namespace

std::vector<OpenDescription> open_descriptions(pid_t process, const ProcessFiles& files) {
  std::vector<OpenDescription> found;
  UniqueFd handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  std::error_code none;
  for (fs::directory_iterator at(fmt::format("/proc/{}/fd", process), none), end;
       !none && at != end; at.increment(none)) {
    const std::string number = at->path().filename().string();
    int fd = -1;
    std::from_chars(number.data(), number.data() + number.size(), fd);
    if (auto path = files.path_of(fd)) {
      if (is_kernel_path(*path)) continue;
      const int mode = access_mode(process, fd);
      found.push_back({*path, mode != O_WRONLY, mode != O_RDONLY, std::nullopt});
    } else if (fs::read_symlink(at->path(), none).string().starts_with("socket:")) {
      if (auto peer = peer_of(handle, fd)) found.push_back({{}, false, false, std::move(peer)});
    }
  }
  return found;
}

}  // namespace gordian
