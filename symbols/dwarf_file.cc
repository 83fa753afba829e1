// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/dwarf_file.h"

namespace gordian {
namespace {

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

bool in_types_section(Dwarf_CU* unit) {
  Dwarf_Half version = 0;
  std::uint8_t type = 0;
  if (dwarf_cu_info(unit, &version, &type, nullptr, nullptr, nullptr, nullptr, nullptr) != 0) {
    return false;
  }
  return version < 5 && type == DW_UT_type;
}

bool is_full(Dwarf_Die& die) {
  return die.cu != nullptr && dwarf_tag(&die) != DW_TAG_invalid;
}

std::string split_name(Dwarf_Die skeleton) {
  for (unsigned attribute : {DW_AT_dwo_name, DW_AT_GNU_dwo_name}) {
    Dwarf_Attribute memory;
    Dwarf_Attribute* found = dwarf_attr(&skeleton, attribute, &memory);
    const char* text = found == nullptr ? nullptr : dwarf_formstring(found);
    if (text != nullptr) return text;
  }
  return "";
}

}  // namespace

Result<DwarfFile> DwarfFile::open(OpenElf file) {
  Dwarf* dwarf = dwarf_begin_elf(file.elf(), DWARF_C_READ, nullptr);
  if (dwarf == nullptr) {
    return target_error("the debug information of " + file.path().string() +
                            " cannot be read: " + dwarf_errmsg(-1),
                        "build it again with -g");
  }
  return DwarfFile(std::move(file), dwarf);
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
    } else if (is_full(full)) {
      split_numbers_.emplace(dwarf_cu_getdwarf(full.cu), number);
      visit({full, DW_UT_split_compile});
    } else {
      missing_.push_back(split_name(die));
    }
  }
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
    owner = dwarf_getalt(dwarf_.get());
  }
  if (owner == nullptr) return std::nullopt;
  Dwarf_Die die;
  const auto find = (id & kTypesSection) != 0 ? dwarf_offdie_types : dwarf_offdie;
  if (find(owner, id & kOffsetMask, &die) == nullptr || !is_full(die)) return std::nullopt;
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
  split_numbers_.emplace(found, wanted);
  return found;
}

}  // namespace gordian
