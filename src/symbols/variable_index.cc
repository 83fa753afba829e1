// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_index.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "symbols/elf_walk.h"
#include "symbols/reader.h"
#include "symbols/type_reader.h"

namespace gordian {
namespace {

constexpr std::size_t kMostVariables = 1 << 22;

auto place_of(const Variable& v) {
  return std::tuple(v.thread_local_storage, v.address);
}

/// Made by the compiler for itself; their bytes mean nothing to a program.
bool is_compiler_data(std::string_view mangled) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"_ZT", "_ZGV", "DW.ref.", "completed."};
  constexpr std::array<std::string_view, 3> kNames = {"_DYNAMIC", "_GLOBAL_OFFSET_TABLE_",
                                                      "__dso_handle"};
  return std::find(kNames.begin(), kNames.end(), mangled) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [mangled](std::string_view prefix) { return mangled.starts_with(prefix); });
}

bool is_external_library(const OpenElf& module) {
  std::error_code ignored;
  return is_system_path(std::filesystem::weakly_canonical(module.path(), ignored).string());
}

class IndexBuilder {
 public:
  IndexBuilder(const ObjectSymbols& symbols, DwarfFile* dwarf, ScopeNames& names)
      : symbols_(symbols), dwarf_(dwarf), names_(names) {
    if (dwarf_ != nullptr) files_.emplace(*dwarf_);
  }

  void read_debug_info() {
    dwarf_->each_unit([this](const DwarfFile::Unit& unit) {
      const auto scopes = names_.unit_of(unit.die);
      for (const auto& found : scopes->variables()) add(found.die);
      for (const auto& found : scopes->shared_types()) add_type(*scopes, found);
    });
    for (const std::string& name : dwarf_->missing()) {
      index_.notes.push_back("debug information in " + name + " is missing");
    }
  }

  VariableIndex finish(bool foreign_module) {
    index_.types.assign(types_.begin(), types_.end());
    std::sort(index_.types.begin(), index_.types.end());
    complete_sizes();
    add_symbols(foreign_module);
    index_.guards = symbols_.guards();
    for (auto& [place, draft] : drafts_) index_.variables.push_back(std::move(draft.variable));
    return std::move(index_);
  }

 private:
  struct Draft {
    Variable variable;
    std::optional<Dwarf_Die> type;
  };
  using Place = std::tuple<bool, std::uint64_t>;

  void add(Dwarf_Die die) {
    if (has_flag(die, DW_AT_declaration)) return note_declaration(die);
    auto place = static_place(die);
    if (place && place->thread_local_storage) {
      place->address = symbols_.thread_offset(place->address);
    }
    if (!place || drafts_.size() >= kMostVariables || has_flag(die, DW_AT_artificial)) return;
    if (!symbols_.in_image(place->address, place->thread_local_storage)) return;
    const Place key(place->thread_local_storage, place->address);
    // Each unit that uses an inline variable describes it: the same, but for the first.
    const auto known = drafts_.find(key);
    if (known != drafts_.end() && !known->second.variable.name.empty()) return;
    Draft draft = describe(die);
    draft.variable.address = place->address;
    draft.variable.thread_local_storage = place->thread_local_storage;
    use_symbol_name(draft.variable);
    draft.variable.owner = owner_of(draft.variable.name, draft.variable.file);
    if (!draft.variable.name.empty()) drafts_[key] = std::move(draft);
  }

  Draft describe(Dwarf_Die die) {
    Draft draft;
    Variable& variable = draft.variable;
    variable.name = names_.qualified_name(die);
    variable.local_static = names_.is_in_function(die);
    variable.file = files_->declaring_file(die);
    if (dwarf_decl_line(&die, &variable.line) != 0 || variable.line < 0) variable.line = 0;
    draft.type = type_of(die);
    if (draft.type) variable.type_id = dwarf_->id_of(*draft.type);
    return draft;
  }

  /// Compilers lose the name of a function now and then, and with -g1 all scopes; the linker knows
  /// them.
  void use_symbol_name(Variable& variable) {
    const bool has_name = !variable.name.empty() && !variable.name.starts_with("::");
    if (has_name && variable.name.find("::") != std::string::npos) return;
    const ObjectSymbol* symbol = symbols_.at(variable.address, variable.thread_local_storage);
    if (symbol == nullptr) return;
    std::string linked = name_of_symbol(symbol->name);
    if (has_name && !linked.ends_with("::" + variable.name)) return;
    variable.name = std::move(linked);
    if (variable.name.find("()::") != std::string::npos) variable.local_static = true;
  }

  /// A variable of a library without debug information still has a type where it is declared.
  void note_declaration(Dwarf_Die die) {
    std::string_view name = linkage_name(die);
    if (name.empty()) name = die_name(die);
    const ObjectSymbol* symbol = symbols_.named(name);
    if (symbol != nullptr) declared_.try_emplace(symbol, die);
  }

  void add_type(const UnitScopes& unit, const UnitScopes::Found& found) {
    // A class defined outside of where it is declared stands in the outermost scope.
    const bool elsewhere = has_attribute(found.die, DW_AT_specification);
    const std::string_view own = die_name(found.die);
    if (elsewhere ? names_.is_internal(found.die) : own.empty()) return;
    const std::string name =
        elsewhere ? names_.qualified_name(found.die)
                  : names_.prefix(unit, found.scope) + common_spelling(std::string(own));
    const auto [entry, is_new] = types_.try_emplace(name_hash(name));
    if (is_new) entry->second = dwarf_->id_of(found.die);
  }

  void complete_sizes() {
    if (dwarf_ == nullptr) return;
    TypeReader reader(names_, [this](const std::string& name) -> std::optional<Dwarf_Die> {
      const auto id = index_.type_id(name_hash(name));
      return id ? dwarf_->entry(*id) : std::nullopt;
    });
    for (auto& [place, draft] : drafts_) {
      Variable& variable = draft.variable;
      if (draft.type) variable.size = reader.size_of(*draft.type);
      const auto* symbol = symbols_.at(variable.address, variable.thread_local_storage);
      if (variable.size == 0 && symbol != nullptr) variable.size = symbol->size;
    }
  }

  void add_symbols(bool foreign_module) {
    std::vector<Draft> found;
    for (const ObjectSymbol& symbol : symbols_.all()) {
      if (!symbol.writable || is_compiler_data(symbol.name)) continue;
      const Place place(symbol.thread_local_storage, symbol.address);
      if (drafts_.contains(place) || found.size() >= kMostVariables) continue;
      found.push_back(from_symbol(symbol, foreign_module));
    }
    for (Draft& draft : found) drafts_.try_emplace(place_of(draft.variable), std::move(draft));
  }

  Draft from_symbol(const ObjectSymbol& symbol, bool foreign_module) {
    Draft draft;
    const auto declared = declared_.find(&symbol);
    if (declared != declared_.end()) draft = describe(declared->second);
    Variable& variable = draft.variable;
    variable.address = symbol.address;
    variable.size = symbol.size;
    variable.thread_local_storage = symbol.thread_local_storage;
    use_symbol_name(variable);
    variable.local_static = variable.name.find("()::") != std::string::npos;
    variable.owner = owner_of(variable.name, variable.file);
    const bool foreign = foreign_module || (symbol.from_library && variable.file.empty());
    if (foreign && variable.owner == Owner::program) variable.owner = Owner::library;
    return draft;
  }

  const ObjectSymbols& symbols_;
  DwarfFile* dwarf_;
  ScopeNames& names_;
  std::optional<LineFiles> files_;
  VariableIndex index_;
  std::map<Place, Draft> drafts_;
  std::unordered_map<std::uint64_t, std::uint64_t> types_;
  std::unordered_map<const ObjectSymbol*, Dwarf_Die> declared_;
};

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
  explicit GuardMatcher(std::vector<VariableIndex::Guard>& found) : found_(found) {}

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
  std::vector<VariableIndex::Guard>& found_;
  std::unordered_map<std::string, ObjectSymbol> guards_, variables_;
};

/// Only these can be guarded: the rest need not be remembered.
bool may_have_guard(std::string_view name) {
  return name.starts_with("_Z");
}

}  // namespace

std::optional<std::uint64_t> VariableIndex::type_id(std::uint64_t hash) const {
  const auto it = std::lower_bound(types.begin(), types.end(), std::pair(hash, std::uint64_t{0}));
  if (it == types.end() || it->first != hash) return std::nullopt;
  return it->second;
}

VariableIndex build_variable_index(const OpenElf& module, const OpenElf& symbols, DwarfFile* dwarf,
                                   ScopeNames& names) {
  const ObjectSymbols objects(module.elf(), symbols.elf());
  IndexBuilder builder(objects, dwarf, names);
  if (dwarf != nullptr) builder.read_debug_info();
  return builder.finish(dwarf == nullptr && is_external_library(module));
}

ObjectSymbols::ObjectSymbols(Elf* module, Elf* symbols) {
  read_segments(module);
  read_copies(module);
  read_table(symbols, SHT_SYMTAB);
  read_table(module, SHT_DYNSYM);
  index();
}

void ObjectSymbols::read_segments(Elf* module) {
  each_segment(module, [this](const GElf_Phdr& segment) {
    if (segment.p_type == PT_TLS) {
      tls_address_ = segment.p_vaddr;
      tls_size_ = segment.p_memsz;
    }
    const auto end = checked_add(segment.p_vaddr, segment.p_memsz);
    if (segment.p_type != PT_LOAD || !end) return;
    segments_.push_back({segment.p_vaddr, *end, (segment.p_flags & PF_W) != 0});
  });
}

/// Variables of libraries for which the linker made room in the program.
void ObjectSymbols::read_copies(Elf* module) {
  GElf_Ehdr header;
  if (gelf_getehdr(module, &header) == nullptr) return;
  each_section(module, [&](Elf_Scn* section, const GElf_Shdr& about, std::string_view) {
    if (about.sh_type != SHT_RELA) return;
    each_relocation(section, [&](const GElf_Rela& relocation) {
      if (is_copy(header.e_machine, GELF_R_TYPE(relocation.r_info))) {
        copied_[relocation.r_offset] = true;
      }
    });
  });
}

void ObjectSymbols::read_table(Elf* elf, std::uint32_t type) {
  GuardMatcher locals(guards_), globals(guards_);
  each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view) {
    if (header.sh_type != type) return;
    each_symbol(section, [&](const GElf_Sym& symbol) {
      const int kind = GELF_ST_TYPE(symbol.st_info);
      if (kind == STT_FILE) locals.match();  // locals of one source file stand together
      if (kind != STT_OBJECT && kind != STT_TLS) return;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) return;
      const auto name = symbol_name(elf, header.sh_link, symbol.st_name);
      if (!name || !in_image(symbol.st_value, kind == STT_TLS)) return;
      ObjectSymbol found{std::string(*name), symbol.st_value, symbol.st_size,
                         kind == STT_TLS,    false,           false};
      const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
      if (may_have_guard(found.name)) (local ? locals : globals).add(found);
      if (!found.name.starts_with(kGuardPrefix)) symbols_.push_back(std::move(found));
    });
  });
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
  using Guard = VariableIndex::Guard;
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
