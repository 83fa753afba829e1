// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/dwarf_die.h"

#include <algorithm>

#include "symbols/types.h"

namespace gordian {
namespace {

constexpr int kDeepestNesting = 128;
constexpr std::size_t kUnitsKept = 48;
constexpr std::size_t kLongestName = 1 << 16;
constexpr std::string_view kLambdaScope = "{lambda}";

bool is_class(int tag) {
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_interface_type;
}

bool has_call_operator(Dwarf_Die type) {
  bool found = false;
  each_child(type, [&](Dwarf_Die child) {
    found = dwarf_tag(&child) == DW_TAG_subprogram && die_name(child) == "operator()";
    return !found;
  });
  return found;
}

/// The name of a class as a scope. Compilers name closures in their own ways, or not at all.
std::string type_piece(Dwarf_Die type) {
  std::string_view name = die_name(type);
  if (name.empty()) {
    // Clang names a class only in its own unit.
    if (const auto full = reference(type, DW_AT_signature)) name = die_name(*full);
  }
  if (name.starts_with("<lambda")) return std::string(kLambdaScope);
  if (name.empty() && has_call_operator(type)) return std::string(kLambdaScope);
  return common_spelling(std::string(name));
}

}  // namespace

UnitScopes::UnitScopes(Dwarf_Die unit) {
  scopes_.push_back({unit, kFile, Kind::file, false, false});
  walk(unit, kFile, 0);
}

void UnitScopes::walk(Dwarf_Die parent, Index scope, int depth) {
  if (depth > kDeepestNesting) return;
  each_child(parent, [&](Dwarf_Die child) {
    visit(child, dwarf_tag(&child), scope, depth + 1);
    return true;
  });
}

void UnitScopes::visit(Dwarf_Die die, int tag, Index scope, int depth) {
  const auto place = [&] { places_.push_back({dwarf_dieoffset(&die), scope}); };
  switch (tag) {
    case DW_TAG_namespace:
      return walk(die, open_scope(die, scope, Kind::name_space), depth);
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
      return walk(die, scope, depth);
    case DW_TAG_subprogram:
      place();
      if (dwarf_haschildren(&die) != 1 || has_flag(die, DW_AT_declaration)) return;
      return walk(die, open_scope(die, scope, Kind::function), depth);
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
    case DW_TAG_enumeration_type:
      place();
      if (!scopes_[scope].internal && !has_flag(die, DW_AT_declaration) &&
          !has_attribute(die, DW_AT_signature)) {
        shared_types_.push_back({die, scope});
      }
      if (!is_class(tag) || dwarf_haschildren(&die) != 1) return;
      return walk(die, open_scope(die, scope, Kind::type), depth);
    case DW_TAG_member:
      // Data of each object, unless it is a static one.
      if (!has_attribute(die, DW_AT_external) && !has_attribute(die, DW_AT_declaration)) return;
      [[fallthrough]];
    case DW_TAG_variable:
      place();
      variables_.push_back({die, scope});
      return;
    default:
      return;
  }
}

UnitScopes::Index UnitScopes::open_scope(Dwarf_Die die, Index parent, Kind kind) {
  Scope scope{die, parent, kind, scopes_[parent].internal, scopes_[parent].in_function};
  if (kind == Kind::function) scope.internal = scope.in_function = true;
  if (kind == Kind::name_space && die_name(die).empty()) scope.internal = true;
  scopes_.push_back(scope);
  return static_cast<Index>(scopes_.size() - 1);
}

UnitScopes::Index UnitScopes::around(Dwarf_Die die) const {
  const std::uint64_t offset = dwarf_dieoffset(&die);
  const auto it = std::lower_bound(places_.begin(), places_.end(), offset,
                                   [](const Place& p, std::uint64_t o) { return p.offset < o; });
  return it == places_.end() || it->offset != offset ? kFile : it->scope;
}

std::shared_ptr<const UnitScopes> ScopeNames::unit_of(Dwarf_Die die) {
  if (const auto known = units_.find(die.cu); known != units_.end()) return known->second;
  if (units_.size() >= kUnitsKept) units_.clear();
  Dwarf_Die unit;
  if (dwarf_diecu(&die, &unit, nullptr, nullptr) == nullptr) unit = die;
  return units_[die.cu] = std::make_shared<const UnitScopes>(unit);
}
std::string ScopeNames::qualified_name(Dwarf_Die die, int depth) {
  const Dwarf_Die declared = declared_entry(die);
  Dwarf_Die shape = declared;
  const std::string name = is_class(dwarf_tag(&shape))
                               ? type_piece(declared)
                               : common_spelling(std::string(die_name(declared)));
  if (name.empty()) return "";
  const auto unit = unit_of(declared);
  return prefix(*unit, unit->around(declared), depth + 1) + name;
}
std::string ScopeNames::prefix(const UnitScopes& unit, UnitScopes::Index index, int depth) {
  if (index == UnitScopes::kFile || depth > kDeepestNesting) return "";
  const auto known = unit.prefixes_.find(index);
  if (known != unit.prefixes_.end()) return known->second;
  const UnitScopes::Scope& scope = unit.scope(index);
  std::string result;
  if (scope.kind == UnitScopes::Kind::function) {
    result = function_name(scope.die, depth + 1) + "::";
  } else {
    const Dwarf_Die declared = declared_entry(scope.die);
    const auto home = unit_of(declared);
    const bool moved = declared.addr != scope.die.addr;
    result = prefix(moved ? *home : unit, moved ? home->around(declared) : scope.parent, depth + 1);
    const std::string name = scope.kind == UnitScopes::Kind::type ? type_piece(declared)
                                                                  : std::string(die_name(declared));
    if (!name.empty()) result += name + "::";
  }
  if (result.size() > kLongestName) result.clear();
  return unit.prefixes_[index] = result;
}

std::string ScopeNames::function_name(Dwarf_Die die, int depth) {
  const Dwarf_Die declared = declared_entry(die);
  std::string name(die_name(declared));
  if (name.empty()) return name_of_symbol(linkage_name(die));
  const auto unit = unit_of(declared);
  std::string scope = prefix(*unit, unit->around(declared), depth);
  if (name == "operator()" && scope.ends_with("{lambda}::")) {
    scope.resize(scope.size() - 2);  // what is called is the lambda
    return scope + "()";
  }
  return scope + common_spelling(std::move(name)) + "()";
}

bool ScopeNames::is_internal(Dwarf_Die die) {
  const Dwarf_Die declared = declared_entry(die);
  const auto unit = unit_of(declared);
  return unit->scope(unit->around(declared)).internal;
}

bool ScopeNames::is_in_function(Dwarf_Die die) {
  const Dwarf_Die declared = declared_entry(die);
  const auto unit = unit_of(declared);
  return unit->scope(unit->around(declared)).in_function;
}

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (unsigned char c : name) hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

}  // namespace gordian
