// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads numbers and strings out of bytes that somebody else wrote. Every access is checked: an
// answer outside of the bytes is nullopt, never a crash. Bytes of files become integers only here
// or inside elfutils.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace gordian {

/// a + b, or nullopt when that does not fit.
constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (a + b < a) return std::nullopt;
  return a + b;
}

/// a * b, or nullopt when that does not fit.
constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > UINT64_MAX / b) return std::nullopt;
  return a * b;
}

/// A view of bytes in one byte order. Does not own them.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes, std::endian order = std::endian::native)
      : bytes_(bytes), order_(order) {}

  std::uint64_t size() const { return bytes_.size(); }

  std::optional<std::string_view> slice(std::uint64_t offset, std::uint64_t length) const {
    const auto end = checked_add(offset, length);
    if (!end || *end > bytes_.size()) return std::nullopt;
    return bytes_.substr(offset, length);
  }

  template <std::unsigned_integral T>
  std::optional<T> read(std::uint64_t offset) const {
    const auto raw = slice(offset, sizeof(T));
    if (!raw) return std::nullopt;
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t at = order_ == std::endian::little ? sizeof(T) - 1 - i : i;
      value = static_cast<T>(static_cast<T>(value << (sizeof(T) > 1 ? 8 : 0)) |
                             static_cast<unsigned char>((*raw)[at]));
    }
    return value;
  }

  /// The string that starts at `offset`, without its NUL; nullopt when no NUL ends it.
  std::optional<std::string_view> c_string(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return std::nullopt;
    const std::size_t end = bytes_.find('\0', offset);
    if (end == std::string_view::npos) return std::nullopt;
    return bytes_.substr(offset, end - offset);
  }

 private:
  std::string_view bytes_;
  std::endian order_;
};

}  // namespace gordian
