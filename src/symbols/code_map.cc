// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/code_map.h"

#include <fcntl.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/unique_fd.h"
#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {

/// Fills a CodeMap from what libelf says of a file.
class CodeMapReader {
 public:
  CodeMapReader(Elf* elf, CodeMap& map) : elf_(elf), map_(map) {}

  Status read() {
    GElf_Ehdr file;
    if (gelf_getehdr(elf_, &file) == nullptr) return target_error("it is damaged");
    if (file.e_machine != EM_X86_64) return target_error("it is for another processor");
    map_.fixed_address_ = file.e_type == ET_EXEC;
    each_section(elf_, [this](Elf_Scn* section, const GElf_Shdr& header, std::string_view) {
      if (header.sh_type == SHT_SYMTAB) read_symbols(section, header);
      if (header.sh_type == SHT_RELA) read_relocations(section, header);
      if ((header.sh_flags & SHF_ALLOC) && !(header.sh_flags & SHF_TLS)) {
        read_section(section, header);
      }
    });
    if (symbols_.empty()) return target_error("it has no symbols");
    auto by_start = [](const auto& a, const auto& b) { return a.start < b.start; };
    std::sort(map_.sections_.begin(), map_.sections_.end(), by_start);
    std::stable_sort(symbols_.begin(), symbols_.end(), by_start);
    for (CodeSymbol& symbol : symbols_) add(std::move(symbol));
    std::stable_sort(map_.pointers_.begin(), map_.pointers_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return {};
  }

 private:
  void read_section(Elf_Scn* scn, const GElf_Shdr& header) {
    map_.sections_.push_back({header.sh_addr, header.sh_size, (header.sh_flags & SHF_WRITE) != 0,
                              (header.sh_flags & SHF_EXECINSTR) != 0,
                              std::string(header.sh_type == SHT_NOBITS ? "" : raw_bytes(scn))});
  }

  void read_symbols(Elf_Scn* scn, const GElf_Shdr& header) {
    each_symbol(scn, [&](const GElf_Sym& symbol) {
      const int type = GELF_ST_TYPE(symbol.st_info);
      const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
      if ((!function && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF) return;
      const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (name == nullptr || *name == '\0' || symbol.st_size == 0) return;
      symbols_.push_back({symbol.st_value,
                          symbol.st_size,
                          name,
                          {name},
                          function,
                          GELF_ST_BIND(symbol.st_info) == STB_WEAK});
    });
  }

  /// They come by address.
  void add(CodeSymbol symbol) {
    if (map_.symbols_.empty() || map_.symbols_.back().start != symbol.start) {
      map_.symbols_.push_back(std::move(symbol));
      return;
    }
    CodeSymbol& known = map_.symbols_.back();
    known.aliases.push_back(symbol.name);
    known.size = std::max(known.size, symbol.size);
    known.function |= symbol.function;
    known.weak &= symbol.weak;
    if (symbol.name < known.name) known.name = symbol.name;
  }

  void read_relocations(Elf_Scn* scn, const GElf_Shdr& header) {
    if (!(header.sh_flags & SHF_ALLOC)) return;
    Elf_Scn* names = elf_getscn(elf_, header.sh_link);
    Elf_Data* symbols = names == nullptr ? nullptr : elf_getdata(names, nullptr);
    GElf_Shdr names_header;
    if (names == nullptr || gelf_getshdr(names, &names_header) == nullptr) return;
    each_relocation(scn, [&](const GElf_Rela& entry) {
      Pointer pointer;
      GElf_Sym symbol;
      const auto index = static_cast<int>(GELF_R_SYM(entry.r_info));
      if (index == 0) {
        pointer.address = static_cast<std::uint64_t>(entry.r_addend);
      } else if (symbols != nullptr && gelf_getsym(symbols, index, &symbol) != nullptr) {
        const char* name = elf_strptr(elf_, names_header.sh_link, symbol.st_name);
        if (name != nullptr) pointer.name = name;
        if (symbol.st_shndx != SHN_UNDEF) pointer.address = symbol.st_value;
      }
      map_.pointers_.emplace_back(entry.r_offset, std::move(pointer));
    });
  }

  Elf* elf_;
  CodeMap& map_;
  std::vector<CodeSymbol> symbols_;  // several may be for one address
};

Result<CodeMap> CodeMap::read(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return target_error("it cannot be opened");
  elf_version(EV_CURRENT);
  std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(fd.get(), ELF_C_READ, nullptr), elf_end);
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return target_error("it is damaged");
  CodeMap map;
  if (Status read = CodeMapReader(elf.get(), map).read(); !read) return read.error();
  return map;
}

const CodeMap::Section* CodeMap::section_at(std::uint64_t address) const {
  auto it = std::upper_bound(
      sections_.begin(), sections_.end(), address,
      [](std::uint64_t wanted, const Section& section) { return wanted < section.start; });
  if (it == sections_.begin()) return nullptr;
  const Section& section = *--it;
  return address - section.start < section.size ? &section : nullptr;
}

const CodeSymbol* CodeMap::symbol_at(std::uint64_t address) const {
  auto it = std::upper_bound(
      symbols_.begin(), symbols_.end(), address,
      [](std::uint64_t wanted, const CodeSymbol& symbol) { return wanted < symbol.start; });
  if (it == symbols_.begin()) return nullptr;
  const CodeSymbol& symbol = *--it;
  return address - symbol.start < symbol.size ? &symbol : nullptr;
}

std::string_view CodeMap::bytes_at(std::uint64_t address, std::uint64_t most) const {
  const Section* section = section_at(address);
  if (section == nullptr || address - section->start >= section->bytes.size()) return {};
  return std::string_view(section->bytes).substr(address - section->start, most);
}

bool CodeMap::is_constant(std::uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && !section->writable && !section->executable;
}

bool CodeMap::is_executable(std::uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && section->executable;
}
std::optional<Pointer> CodeMap::pointer_at(std::uint64_t address) const {
  // Of several for one place the loader does the last one last.
  const auto behind = std::upper_bound(
      pointers_.begin(), pointers_.end(), address,
      [](std::uint64_t wanted, const auto& entry) { return wanted < entry.first; });
  if (behind != pointers_.begin() && std::prev(behind)->first == address) {
    return std::prev(behind)->second;
  }
  if (!fixed_address_ || address % 8 != 0 || is_executable(address)) return std::nullopt;
  auto value = ByteReader(bytes_at(address, 8)).read<std::uint64_t>(0);
  if (!value || !in_image(*value)) return std::nullopt;
  return Pointer{{}, *value};
}

}  // namespace gordian
