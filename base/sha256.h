// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// SHA-256 (FIPS 180-4), to recognise a test binary again. It identifies files; it guards nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gordian {

/// Feed bytes with update() in pieces of any size, then ask once for the digest.
class Sha256 {
 public:
  void update(std::string_view bytes);

  /// 64 lower-case hex digits. Nothing may be added afterwards.
  std::string hex_digest();

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_bytes_ = 0;
};

/// The digest of a whole file, as hex.
Result<std::string> sha256_file(const std::filesystem::path& path);

}  // namespace gordian
