// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads numbers and strings out of bytes that somebody else wrote. Every access is checked: an
// answer outside of the bytes is nullopt, never a crash. Bytes of files become integers only here
// or inside elfutils.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
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

/// Reads little-endian bytes that somebody else wrote, from front to back. After the first thing
/// that is not there everything is zero or empty and ok() is false, so that a whole table can be
/// read and checked once at its end. Counts are to be asked for by count() or possible(), before
/// memory is taken for them.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes, std::uint64_t at = 0)
      : reader_(bytes, std::endian::little), at_(at) {}

  template <std::unsigned_integral T>
  T number() {
    const auto value = reader_.read<T>(at_);
    ok_ &= value.has_value();
    at_ += sizeof(T);
    return ok_ ? *value : T{0};
  }
  /// LEB128, unsigned.
  std::uint64_t leb() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; ok_ && shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      result |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return result;
    }
    ok_ = false;
    return 0;
  }
  /// An offset of DWARF's 32-bit or 64-bit format.
  std::uint64_t offset(bool wide) {
    return wide ? number<std::uint64_t>() : number<std::uint32_t>();
  }
  /// A length of 4 bytes and so many bytes.
  std::string_view string() { return bytes(number<std::uint32_t>()); }
  std::string_view bytes(std::uint64_t size) {
    const auto found = reader_.slice(at_, size);
    ok_ &= found.has_value();
    at_ += size;
    return ok_ ? *found : std::string_view();
  }
  /// Up to a NUL.
  std::string_view text() {
    const auto found = reader_.c_string(at_);
    ok_ &= found.has_value();
    if (!ok_) return "";
    at_ += found->size() + 1;
    return *found;
  }
  void skip(std::uint64_t size) {
    const auto end = checked_add(at_, size);
    ok_ &= end && *end <= reader_.size();
    if (ok_) at_ = *end;
  }
  void fail() { ok_ = false; }

  /// A count (8 bytes) of entries of at least this size each.
  std::size_t count(std::size_t entry) {
    const auto value = number<std::uint64_t>();
    ok_ &= value <= left() / entry;
    return ok_ ? value : 0;
  }
  /// More entries than bytes is damage.
  bool possible(std::uint64_t count) const { return ok_ && count <= left(); }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && at_ == reader_.size(); }
  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return at_ > reader_.size() ? 0 : reader_.size() - at_; }

 private:
  ByteReader reader_;
  std::uint64_t at_;
  bool ok_ = true;
};

}  // namespace gordian
