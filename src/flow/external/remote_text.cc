// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/remote_text.h"

#include <sys/uio.h>

#include <cerrno>
#include <climits>

namespace gordian {

std::optional<std::string> read_remote(pid_t thread, std::uint64_t address, std::size_t size) {
  std::string bytes(size, '\0');
  iovec here{bytes.data(), size}, there{reinterpret_cast<void*>(address), size};
  const ssize_t n = ::process_vm_readv(thread, &here, 1, &there, 1, 0);
  if (n >= 0 && static_cast<std::size_t>(n) != size) errno = EFAULT;
  if (n < 0 || static_cast<std::size_t>(n) != size) return std::nullopt;
  return bytes;
}

/// Page by page: the next one may not be there, and a path seldom needs it.
std::optional<std::string> read_remote_path(pid_t thread, std::uint64_t address) {
  constexpr std::uint64_t kPage = 4096;
  std::string text;
  while (text.size() < PATH_MAX) {
    const std::uint64_t at = address + text.size();
    auto part = read_remote(thread, at, kPage - at % kPage);
    if (!part) return std::nullopt;
    const std::size_t end = part->find('\0');
    text += part->substr(0, end);
    if (end != std::string::npos) return text;
  }
  errno = EFAULT;  // the kernel would not take it either
  return std::nullopt;
}

}  // namespace gordian
