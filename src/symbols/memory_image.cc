// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/memory_image.h"

#include <algorithm>

namespace gordian {

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
