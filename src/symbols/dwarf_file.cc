// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/dwarf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <zlib.h>

#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

/// The checksum of .gnu_debuglink, which covers the whole debug file.
std::uint32_t file_crc(int fd) {
  std::vector<unsigned char> buffer(1 << 20);
  uLong crc = ::crc32(0, nullptr, 0);
  off_t at = 0;
  for (ssize_t n; (n = ::pread(fd, buffer.data(), buffer.size(), at)) > 0; at += n) {
    crc = ::crc32(crc, buffer.data(), static_cast<uInt>(n));
  }
  return static_cast<std::uint32_t>(crc);
}

// An id: where the file keeps the entry, and which file it is.
//   bit 63      the section .debug_types instead of .debug_info
//   bit 62      the file that dwz made of several
//   bits 40-61  number of the split unit; 0 = the module's own file
//   bits 0-39   offset in the section
constexpr int kSplitShift = 40;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kSplitShift) - 1;
constexpr std::uint64_t kSplitMask = (std::uint64_t{1} << 22) - 1;
constexpr std::uint64_t kAlternate = std::uint64_t{1} << 62;
constexpr std::uint64_t kTypesSection = std::uint64_t{1} << 63;

bool is_full(Dwarf_Die& die) {
  return die.cu != nullptr && dwarf_tag(&die) != DW_TAG_invalid;
}

/// libdw trusts sections of strings to end with one: a linker's do.
bool strings_end(Elf* elf) {
  std::size_t names = 0;
  bool all_end = elf_getshdrstrndx(elf, &names) == 0;
  each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
    const bool strings = name.ends_with("debug_str") || name.ends_with("debug_line_str") ||
                         name.ends_with("debug_str.dwo");
    if (!strings || header.sh_type == SHT_NOBITS) return;
    const std::string_view bytes = raw_bytes(section);
    all_end &= bytes.empty() || bytes.back() == '\0';
  });
  return all_end;
}

bool can_be_trusted(Dwarf* dwarf) {
  return dwarf != nullptr && strings_end(dwarf_getelf(dwarf));
}

std::string split_name(Dwarf_Die skeleton) {
  const std::string_view name = string_of(skeleton, DW_AT_dwo_name);
  return std::string(name.empty() ? string_of(skeleton, DW_AT_GNU_dwo_name) : name);
}

}  // namespace

std::vector<std::filesystem::path> debug_file_candidates(const std::filesystem::path& file,
                                                         std::string_view build_id,
                                                         std::string_view link,
                                                         const std::filesystem::path& debug_root) {
  std::vector<std::filesystem::path> result;
  if (build_id.size() > 2) {
    result.push_back(debug_root / ".build-id" / build_id.substr(0, 2) /
                     (std::string(build_id.substr(2)) + ".debug"));
  }
  if (link.empty()) return result;
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::weakly_canonical(file, ignored);
  const std::filesystem::path folder = real.parent_path();
  // A link is a plain name; one that climbs elsewhere is not followed.
  const std::filesystem::path name = std::filesystem::path(link).filename();
  if (folder / name != real) result.push_back(folder / name);
  result.push_back(folder / ".debug" / name);
  result.push_back(debug_root / folder.relative_path() / name);
  return result;
}

Result<OpenElf> find_debug_file(const OpenElf& module, const std::filesystem::path& debug_root) {
  GElf_Word crc = 0;
  const char* link = dwelf_elf_gnu_debuglink(module.elf(), &crc);
  for (const std::filesystem::path& candidate : debug_file_candidates(
           module.path(), module.build_id(), link == nullptr ? "" : link, debug_root)) {
    auto file = OpenElf::open(candidate);
    if (!file.ok() || !file->has_debug_info()) continue;
    const bool same_id = !module.build_id().empty() && file->build_id() == module.build_id();
    const bool no_ids = module.build_id().empty() || file->build_id().empty();
    if (same_id || (no_ids && link != nullptr && file_crc(file->fd()) == crc)) return file;
  }
  return target_error(module.path().string() + " has no debug information",
                      "build it with -g to see names and types of variables");
}

std::optional<std::uint64_t> image_end(const std::string& path) {
  constexpr std::uint64_t kPage = 4096;
  auto file = OpenElf::open(path);
  if (!file) return std::nullopt;
  std::uint64_t last = 0;
  const bool whole = each_segment(file->elf(), [&last](const GElf_Phdr& segment) {
    const auto end = checked_add(segment.p_vaddr, segment.p_memsz);
    if (segment.p_type == PT_LOAD && end && *end < UINT64_MAX - kPage) last = std::max(last, *end);
  });
  if (!whole || last == 0) return std::nullopt;
  return (last + kPage - 1) / kPage * kPage;
}

Result<DwarfFile> DwarfFile::open(OpenElf file) {
  Dwarf* dwarf = dwarf_begin_elf(file.elf(), DWARF_C_READ, nullptr);
  if (dwarf == nullptr) {
    return target_error(
        "the debug information of " + file.path().string() + " cannot be read: " + dwarf_errmsg(-1),
        "build it again with -g");
  }
  DwarfFile result(std::move(file), dwarf);
  if (!strings_end(result.file().elf())) {
    return target_error("the debug information of " + result.file().path().string() +
                            " is damaged: a table of strings has no end",
                        "build it again");
  }
  return result;
}

void DwarfFile::each_unit(const std::function<void(const Unit&)>& visit) {
  missing_.clear();
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die, full;
  std::uint8_t type = 0;
  for (std::uint64_t number = 1;
       dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, &type, &die, &full) == 0; ++number) {
    if (die.cu == nullptr) continue;
    if (type != DW_UT_skeleton) {
      visit({die, type});
    } else if (is_full(full) && can_be_trusted(dwarf_cu_getdwarf(full.cu))) {
      split_numbers_.emplace(dwarf_cu_getdwarf(full.cu), number);
      skeletons_.emplace(full.cu, die);
      visit({full, DW_UT_split_compile});
    } else {
      missing_.push_back(split_name(die));
    }
  }
}

std::optional<Dwarf_Die> DwarfFile::line_unit(Dwarf_CU* unit) const {
  if (const auto split = skeletons_.find(unit); split != skeletons_.end()) return split->second;
  Dwarf_Die die;
  if (dwarf_cu_getdwarf(unit) != dwarf_.get()) return std::nullopt;
  if (dwarf_cu_die(unit, &die, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == nullptr) {
    return std::nullopt;
  }
  return die;
}

std::uint64_t DwarfFile::id_of(Dwarf_Die die) {
  const std::uint64_t offset = dwarf_dieoffset(&die);
  if (die.cu == nullptr || offset > kOffsetMask) return 0;
  const std::uint64_t section = in_types_section(die.cu) ? kTypesSection : 0;
  Dwarf* owner = dwarf_cu_getdwarf(die.cu);
  if (owner == dwarf_.get()) return section | offset;
  const auto split = split_numbers_.find(owner);
  if (split == split_numbers_.end()) return section | kAlternate | offset;
  return split->second > kSplitMask ? 0 : section | split->second << kSplitShift | offset;
}

std::optional<Dwarf_Die> DwarfFile::entry(std::uint64_t id) {
  Dwarf* owner = dwarf_.get();
  if (const std::uint64_t number = id >> kSplitShift & kSplitMask; number != 0) {
    owner = split_file(number);
  } else if ((id & kAlternate) != 0) {
    owner = can_be_trusted(dwarf_getalt(dwarf_.get())) ? dwarf_getalt(dwarf_.get()) : nullptr;
  }
  if (owner == nullptr) return std::nullopt;
  Dwarf_Die die;
  const auto find = (id & kTypesSection) != 0 ? dwarf_offdie_types : dwarf_offdie;
  if (find(owner, id & kOffsetMask, &die) == nullptr || !is_full(die)) return std::nullopt;
  Dwarf_Die top;  // before it is the header of the unit, no entry
  if (dwarf_diecu(&die, &top, nullptr, nullptr) == nullptr || die.addr < top.addr) {
    return std::nullopt;
  }
  return die;
}

Dwarf* DwarfFile::split_file(std::uint64_t wanted) {
  for (const auto& [dwarf, number] : split_numbers_) {
    if (number == wanted) return dwarf;
  }
  Dwarf_CU* unit = nullptr;
  for (std::uint64_t number = 1; number <= wanted; ++number) {
    if (dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, nullptr, nullptr, nullptr) != 0) {
      return nullptr;
    }
  }
  Dwarf_Die full;
  std::uint8_t type = 0;
  if (dwarf_cu_info(unit, nullptr, &type, nullptr, &full, nullptr, nullptr, nullptr) != 0) {
    return nullptr;
  }
  if (type != DW_UT_skeleton || !is_full(full)) return nullptr;
  Dwarf* found = dwarf_cu_getdwarf(full.cu);
  if (!can_be_trusted(found)) return nullptr;
  split_numbers_.emplace(found, wanted);
  return found;
}

}  // namespace gordian
