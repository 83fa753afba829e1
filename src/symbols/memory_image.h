// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The memory of a process at one moment, to be read at its own addresses. Contents are hostile: a
// pointer may lead anywhere, so every read can fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace gordian {

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
