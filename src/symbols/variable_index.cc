// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_index.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

#include "symbols/line_files.h"
#include "symbols/object_symbols.h"
#include "symbols/source_names.h"
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
    for (const auto& guard : symbols_.guards()) {
      index_.guards.push_back({guard.guard, guard.variable, guard.thread_local_storage});
    }
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

}  // namespace gordian
