// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/load_image.h"

#include <gelf.h>

#include <algorithm>

#include "symbols/debug_file.h"
#include "symbols/reader.h"

namespace gordian {

std::optional<std::uint64_t> image_end(const std::string& path) {
  constexpr std::uint64_t kPage = 4096;
  auto file = OpenElf::open(path);
  std::size_t count = 0;
  if (!file || elf_getphdrnum(file->elf(), &count) != 0) return std::nullopt;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(file->elf(), static_cast<int>(i), &segment) == nullptr) return std::nullopt;
    const auto end = checked_add(segment.p_vaddr, segment.p_memsz);
    if (segment.p_type == PT_LOAD && end && *end < UINT64_MAX - kPage) last = std::max(last, *end);
  }
  if (last == 0) return std::nullopt;
  return (last + kPage - 1) / kPage * kPage;
}

}  // namespace gordian
