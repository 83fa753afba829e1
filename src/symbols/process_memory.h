// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reading the memory of a process we started. Addresses are numbers of another process: they have a
// type of their own and cannot be dereferenced.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/strong_id.h"

namespace gordian {

using TargetAddr = StrongId<struct TargetAddrTag, std::uint64_t>;

/// One line of /proc/PID/maps.
struct Mapping {
  TargetAddr begin, end;
  bool readable = false, writable = false, executable = false;
  std::string path;
  bool shared = false;
  bool operator==(const Mapping&) const = default;
};

/// A program or library in a process.
struct LoadedModule {
  std::string path;  ///< absolute
  std::uint64_t base = 0;
};

std::vector<Mapping> read_mappings(pid_t pid);

/// `size` bytes at `at`; nullopt when any of them is not there or reading is not allowed.
std::optional<std::string> read_memory(pid_t pid, TargetAddr at, std::size_t size);

/// The memory of a process at one moment, to be read at its own addresses. Contents are hostile: a
/// pointer may lead anywhere, so every read can fail.
class MemoryImage {
 public:
  virtual ~MemoryImage() = default;
  /// All `size` bytes or none.
  virtual bool read(std::uint64_t address, void* to, std::size_t size) const = 0;

  /// The zero-terminated string there; nullopt when it has no end nearby.
  std::optional<std::string> c_string(std::uint64_t address) const;

  template <class T>
  std::optional<T> value(std::uint64_t address) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T result;
    if (!read(address, &result, sizeof result)) return std::nullopt;
    return result;
  }
};

}  // namespace gordian
