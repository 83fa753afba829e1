// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/process_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>

namespace gordian {

std::vector<Mapping> read_mappings(pid_t pid) {
  std::vector<Mapping> mappings;
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0, end = 0;
    char perms[5] = {};
    int path_at = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &begin, &end, perms,
                    &path_at) < 3) {
      continue;
    }
    Mapping mapping{TargetAddr{begin}, TargetAddr{end},
                    perms[0] == 'r',   perms[1] == 'w',
                    perms[2] == 'x',   path_at > 0 ? line.substr(path_at) : std::string(),
                    perms[3] == 's'};
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

std::optional<std::string> read_memory(pid_t pid, TargetAddr at, std::size_t size) {
  std::string bytes(size, '\0');
  iovec local{bytes.data(), size};
  iovec remote{reinterpret_cast<void*>(at.value()), size};
  if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != static_cast<ssize_t>(size)) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::string> MemoryImage::c_string(std::uint64_t address) const {
  constexpr std::size_t kMost = 128 * 1024, kStep = 64, kPage = 4096;
  std::string text;
  while (text.size() < kMost) {
    char part[kStep];
    // A step must not reach into a page that may not be there.
    const std::size_t size = std::min(kStep, kPage - (address + text.size()) % kPage);
    if (!read(address + text.size(), part, size)) return std::nullopt;
    const void* end = std::memchr(part, 0, size);
    text.append(part, end ? static_cast<std::size_t>(static_cast<const char*>(end) - part) : size);
    if (end) return text;
  }
  return std::nullopt;
}

}  // namespace gordian
