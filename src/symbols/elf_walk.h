// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looks over the tables of an ELF file that libelf holds open. What cannot be read is passed over.
#pragma once

#include <gelf.h>

#include <string_view>

namespace gordian {

/// Calls visit(section, header, name) for each; without a table of names these are empty.
template <class Visit>
void each_section(Elf* elf, Visit visit) {
  std::size_t names = 0;
  const bool named = elf_getshdrstrndx(elf, &names) == 0;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = named ? elf_strptr(elf, names, header.sh_name) : nullptr;
    visit(section, header, std::string_view(name == nullptr ? "" : name));
  }
}

/// False when one of them cannot be read: what follows is not looked at then.
template <class Visit>
bool each_segment(Elf* elf, Visit visit) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) return false;
    visit(segment);
  }
  return true;
}

/// Of a table of symbols, without the first one, which is none.
template <class Visit>
void each_symbol(Elf_Scn* table, Visit visit) {
  Elf_Data* data = elf_getdata(table, nullptr);
  GElf_Sym symbol;
  for (int i = 1; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) visit(symbol);
}

template <class Visit>
void each_relocation(Elf_Scn* table, Visit visit) {
  Elf_Data* data = elf_getdata(table, nullptr);
  GElf_Rela entry;
  for (int i = 0; data != nullptr && gelf_getrela(data, i, &entry) != nullptr; ++i) visit(entry);
}

/// As the file has them. They belong to what libelf holds.
inline std::string_view raw_bytes(Elf_Scn* section) {
  const Elf_Data* data = elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

}  // namespace gordian
