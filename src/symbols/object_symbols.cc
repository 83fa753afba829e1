// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/object_symbols.h"

#include <gelf.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "symbols/reader.h"

namespace gordian {
namespace {

constexpr std::string_view kGuardPrefix = "_ZGV";

std::optional<std::string_view> symbol_name(Elf* elf, std::uint32_t table, std::uint32_t offset) {
  const char* name = elf_strptr(elf, table, offset);
  if (name == nullptr || *name == '\0') return std::nullopt;
  const std::string_view text = name;
  return text.substr(0, text.find('@'));
}

bool is_copy(std::uint16_t machine, std::uint64_t type) {
  if (machine == EM_X86_64) return type == R_X86_64_COPY;
  if (machine == EM_AARCH64) return type == R_AARCH64_COPY;
  return machine == EM_RISCV && type == R_RISCV_COPY;
}

/// Guards by the variable's mangled name, for one file's local symbols or for all global ones.
class GuardMatcher {
 public:
  explicit GuardMatcher(std::vector<ObjectSymbols::Guard>& found) : found_(found) {}

  void add(const ObjectSymbol& symbol) {
    const bool guard = symbol.name.starts_with(kGuardPrefix);
    const std::string key =
        guard ? "_Z" + symbol.name.substr(kGuardPrefix.size()) : std::string(symbol.name);
    auto& table = guard ? guards_ : variables_;
    table.emplace(key, symbol);
  }

  void match() {
    for (const auto& [name, guard] : guards_) {
      const auto variable = variables_.find(name);
      if (variable == variables_.end()) continue;
      const ObjectSymbol& of = variable->second;
      if (of.thread_local_storage != guard.thread_local_storage) continue;
      found_.push_back({guard.address, of.address, of.thread_local_storage});
    }
    guards_.clear();
    variables_.clear();
  }

 private:
  std::vector<ObjectSymbols::Guard>& found_;
  std::unordered_map<std::string, ObjectSymbol> guards_, variables_;
};

/// Only these can be guarded: the rest need not be remembered.
bool may_have_guard(std::string_view name) {
  return name.starts_with("_Z");
}

}  // namespace

ObjectSymbols::ObjectSymbols(Elf* module, Elf* symbols) {
  read_segments(module);
  read_copies(module);
  read_table(symbols, SHT_SYMTAB);
  read_table(module, SHT_DYNSYM);
  index();
}

void ObjectSymbols::read_segments(Elf* module) {
  std::size_t count = 0;
  if (elf_getphdrnum(module, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(module, static_cast<int>(i), &segment) == nullptr) return;
    if (segment.p_type == PT_TLS) {
      tls_address_ = segment.p_vaddr;
      tls_size_ = segment.p_memsz;
    }
    const auto end = checked_add(segment.p_vaddr, segment.p_memsz);
    if (segment.p_type != PT_LOAD || !end) continue;
    segments_.push_back({segment.p_vaddr, *end, (segment.p_flags & PF_W) != 0});
  }
}

/// Variables of libraries for which the linker made room in the program.
void ObjectSymbols::read_copies(Elf* module) {
  GElf_Ehdr header;
  if (gelf_getehdr(module, &header) == nullptr) return;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(module, scn)) != nullptr;) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr || section.sh_type != SHT_RELA) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    GElf_Rela relocation;
    for (int i = 0; data != nullptr && gelf_getrela(data, i, &relocation) != nullptr; ++i) {
      if (is_copy(header.e_machine, GELF_R_TYPE(relocation.r_info))) {
        copied_[relocation.r_offset] = true;
      }
    }
  }
}

void ObjectSymbols::read_table(Elf* elf, std::uint32_t type) {
  GuardMatcher locals(guards_), globals(guards_);
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr || section.sh_type != type) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    GElf_Sym symbol;
    for (int i = 1; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const int kind = GELF_ST_TYPE(symbol.st_info);
      if (kind == STT_FILE) locals.match();  // locals of one source file stand together
      if (kind != STT_OBJECT && kind != STT_TLS) continue;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      const auto name = symbol_name(elf, section.sh_link, symbol.st_name);
      if (!name || !in_image(symbol.st_value, kind == STT_TLS)) continue;
      ObjectSymbol found{std::string(*name), symbol.st_value, symbol.st_size,
                         kind == STT_TLS,    false,           false};
      const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
      if (may_have_guard(found.name)) (local ? locals : globals).add(found);
      if (!found.name.starts_with(kGuardPrefix)) symbols_.push_back(std::move(found));
    }
  }
  locals.match();
  globals.match();
}

void ObjectSymbols::index() {
  const auto place = [](const ObjectSymbol& s) {
    return std::tuple(s.thread_local_storage, s.address);
  };
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    ObjectSymbol& symbol = symbols_[i];
    by_name_.emplace(symbol.name, i);
    symbol.from_library = !symbol.thread_local_storage && copied_.contains(symbol.address);
    symbol.writable =
        symbol.thread_local_storage ||
        std::any_of(segments_.begin(), segments_.end(), [&](const Range& range) {
          return range.writable && symbol.address >= range.begin && symbol.address < range.end;
        });
  }
  const auto key = [](const Guard& g) { return std::tuple(g.thread_local_storage, g.variable); };
  std::sort(guards_.begin(), guards_.end(),
            [&](const Guard& a, const Guard& b) { return key(a) < key(b); });
  guards_.erase(std::unique(guards_.begin(), guards_.end(),
                            [&](const Guard& a, const Guard& b) { return key(a) == key(b); }),
                guards_.end());
}

const ObjectSymbol* ObjectSymbols::at(std::uint64_t address, bool thread_local_storage) const {
  const auto it =
      std::lower_bound(symbols_.begin(), symbols_.end(), std::tuple(thread_local_storage, address),
                       [](const ObjectSymbol& s, const auto& wanted) {
                         return std::tuple(s.thread_local_storage, s.address) < wanted;
                       });
  const bool found = it != symbols_.end() && it->address == address &&
                     it->thread_local_storage == thread_local_storage;
  return found ? &*it : nullptr;
}

const ObjectSymbol* ObjectSymbols::named(std::string_view mangled) const {
  const auto it = by_name_.find(mangled);
  return it == by_name_.end() ? nullptr : &symbols_[it->second];
}

bool ObjectSymbols::in_image(std::uint64_t address, bool thread_local_storage) const {
  if (thread_local_storage) return address < tls_size_;
  // Where the linker dropped a variable, its debug information often says 0.
  if (address == 0) return false;
  return std::any_of(segments_.begin(), segments_.end(), [address](const Range& range) {
    return address >= range.begin && address < range.end;
  });
}

std::uint64_t ObjectSymbols::thread_offset(std::uint64_t described) const {
  if (described < tls_size_ || described < tls_address_) return described;
  return described - tls_address_;
}

}  // namespace gordian
