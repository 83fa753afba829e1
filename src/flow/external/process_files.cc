// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/process_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/unique_fd.h"

namespace gordian {
namespace {

constexpr int kMostLinks = 40;  // as the kernel
constexpr std::string_view kDeleted = " (deleted)";

/// The names of a path, in front of what is still to be walked.
void prepend(std::deque<std::string>& names, std::string_view path) {
  std::deque<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = path.substr(at, end - at);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    at = end + 1;
  }
  names.insert(names.begin(), parts.begin(), parts.end());
}

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

std::string read_link(int directory, const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlinkat(directory, path.c_str(), text.data(), text.size());
  return size <= 0 ? std::string() : std::string(text.data(), static_cast<std::size_t>(size));
}

bool is_kernel_path(const std::string& path) {
  return path == "/proc" || path == "/sys" || path.starts_with("/proc/") ||
         path.starts_with("/sys/");
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

ProcessFiles::ProcessFiles(pid_t pid)
    : pid_(pid),
      root_(::open(fmt::format("/proc/{}/root", pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

std::optional<FileEntry> ProcessFiles::entry(const std::string& path) const {
  struct statx status;
  const char* below = path.size() <= 1 ? "." : path.c_str() + 1;
  if (::statx(root_.get(), below, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
              STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID, &status) != 0) {
    return std::nullopt;
  }
  FileEntry entry{
      .mode = status.stx_mode,
      .uid = status.stx_uid,
      .gid = status.stx_gid,
      .links = status.stx_nlink,
      .size = status.stx_size,
      .device = static_cast<std::uint64_t>(status.stx_dev_major) << 32 | status.stx_dev_minor,
      .inode = status.stx_ino};
  if (status.stx_mask & STATX_MNT_ID) entry.mount = status.stx_mnt_id;
  if (status.stx_mask & STATX_BTIME) {
    entry.born_ns = status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec;
  }
  return entry;
}

PathWalk ProcessFiles::walk(const std::string& from, const std::string& path, bool follow) const {
  PathWalk walk;
  std::deque<std::string> names;
  prepend(names, path);
  std::string at = path.starts_with('/') || from == "/" ? std::string() : from;
  for (int links = 0; !names.empty();) {
    const std::string name = std::move(names.front());
    names.pop_front();
    if (name == "..") {
      at = parent_of(at);
      continue;
    }
    std::string next = at + "/" + name;
    if (next == "/proc/self" || next == "/proc/thread-self") {  // to us they mean ourselves
      at = fmt::format("/proc/{}", pid_);
      continue;
    }
    auto entry = this->entry(next);
    if (!entry) {
      walk.path = std::move(next);
      walk.reached = names.empty();
      return walk;
    }
    if (entry->is_link() && (follow || !names.empty()) && ++links <= kMostLinks) {
      std::string text = read_link(root_.get(), next.substr(1));
      if (text.starts_with('/')) {
        at.clear();
      } else if (is_kernel_path(next)) {  // /proc/PID/fd/3 -> pipe:[17]
        return walk;
      }
      walk.passed.push_back(std::move(next));
      prepend(names, text);
      continue;
    }
    if (!names.empty()) walk.passed.push_back(next);
    at = std::move(next);
  }
  walk.path = at.empty() ? "/" : at;
  walk.entry = this->entry(at);
  walk.reached = true;
  return walk;
}

std::string ProcessFiles::working_directory() const {
  std::string text = read_link(AT_FDCWD, fmt::format("/proc/{}/cwd", pid_));
  return text.starts_with('/') && !text.ends_with(kDeleted) ? text : std::string();
}

std::optional<std::string> ProcessFiles::path_of(int fd) const {
  std::string text = read_link(AT_FDCWD, fmt::format("/proc/{}/fd/{}", pid_, fd));
  if (!text.starts_with('/') || text.starts_with("/memfd:") || text.ends_with(kDeleted)) {
    return std::nullopt;
  }
  return text;
}

std::string ProcessFiles::top_of_mount(const std::string& directory) const {
  std::string top = directory;
  auto here = entry(top);
  while (here && top.size() > 1) {
    auto above = entry(parent_of(top));
    if (!above || above->mount != here->mount || above->device != here->device) break;
    top = parent_of(top);
  }
  return top.empty() ? "/" : top;
}

UniqueFd ProcessFiles::hold_directory(const std::string& path) const {
  const char* below = path.size() <= 1 ? "." : path.c_str() + 1;
  return UniqueFd(::openat(root_.get(), below, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

InodeKey key_of(const FileEntry& entry, std::uint64_t scope) {
  if (entry.born_ns != 0) return {entry.inode, entry.born_ns, 0, 0};
  return {entry.inode, 0, entry.device, scope};
}

std::string InodeNames::name(const FileEntry& entry, std::uint64_t scope, const std::string& path) {
  if (entry.is_directory()) return path;
  const InodeKey key = key_of(entry, scope);
  if (entry.links > 1) return names_.try_emplace(key, path).first->second;
  auto known = names_.find(key);
  return known == names_.end() ? path : known->second;
}

void InodeNames::will_be_linked(const FileEntry& entry, std::uint64_t scope,
                                const std::string& path) {
  if (!entry.is_directory()) names_.try_emplace(key_of(entry, scope), path);
}

void InodeNames::will_be_unlinked(const FileEntry& entry, std::uint64_t scope) {
  if (entry.links <= 1) names_.erase(key_of(entry, scope));
}

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
