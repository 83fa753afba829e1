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

#include "symbols/elf_file.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

std::string read_build_id(Elf* elf) {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  return size <= 0 || size > 64 ? "" : hex(bytes, static_cast<std::size_t>(size));
}

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
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    const std::string_view text = name == nullptr ? "" : name;
    const bool strings = text.ends_with("debug_str") || text.ends_with("debug_line_str") ||
                         text.ends_with("debug_str.dwo");
    if (!strings) continue;
    const Elf_Data* data = elf_rawdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr || data->d_size == 0) continue;
    if (static_cast<const char*>(data->d_buf)[data->d_size - 1] != '\0') return false;
  }
  return true;
}

bool can_be_trusted(Dwarf* dwarf) {
  return dwarf != nullptr && strings_end(dwarf_getelf(dwarf));
}

std::string split_name(Dwarf_Die skeleton) {
  const std::string_view name = string_of(skeleton, DW_AT_dwo_name);
  return std::string(name.empty() ? string_of(skeleton, DW_AT_GNU_dwo_name) : name);
}

}  // namespace

std::string hex(const void* data, std::size_t size) {
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<const unsigned char*>(data)[i];
    result += "0123456789abcdef"[byte >> 4];
    result += "0123456789abcdef"[byte & 0xf];
  }
  return result;
}

void OpenElf::ElfEnd::operator()(Elf* elf) const {
  elf_end(elf);
}

OpenElf::OpenElf(std::filesystem::path path, UniqueFd fd, Elf* elf)
    : path_(std::move(path)), fd_(std::move(fd)), elf_(elf), build_id_(read_build_id(elf)) {}

Result<OpenElf> OpenElf::open(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) {
    return target_error("cannot open " + path.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return target_error(path.string() + " is not a regular file");
  std::array<char, 4096> head;
  const ssize_t n = ::pread(fd.get(), head.data(), head.size(), 0);
  if (n < 0) return target_error("cannot read " + path.string() + ": " + std::strerror(errno));
  if (Status ok = check_elf_identity(path.string(), {head.data(), static_cast<std::size_t>(n)},
                                     static_cast<std::uint64_t>(info.st_size));
      !ok) {
    return ok.error();
  }
  elf_version(EV_CURRENT);
  Elf* elf = elf_begin(fd.get(), ELF_C_READ, nullptr);
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF) {
    elf_end(elf);
    return target_error(path.string() + " is damaged: " + elf_errmsg(-1), "build it again");
  }
  return OpenElf(path, std::move(fd), elf);
}

bool OpenElf::has_section(std::string_view wanted) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf(), &names) != 0) return false;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf(), scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* name = elf_strptr(elf(), names, header.sh_name);
    if (name != nullptr && name == wanted) return true;
  }
  return false;
}

bool OpenElf::has_debug_info() const {
  return has_section(".debug_info") || has_section(".zdebug_info");
}

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
