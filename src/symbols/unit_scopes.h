// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where the entries of debug information stand: libdw knows no parents, and asking it for scopes
// scans a unit anew each time. Here each unit is walked once; then the qualified name of any type,
// function or variable in it is a look-up. Units are walked when they are first asked about, and
// only some are kept. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/dwarf_die.h"

namespace gordian {

/// All scopes of one unit.
class UnitScopes {
 public:
  using Index = std::uint32_t;
  static constexpr Index kFile = 0;  ///< the unit itself: no name

  enum class Kind : std::uint8_t { file, name_space, type, function };

  struct Scope {
    Dwarf_Die die{};
    Index parent = kFile;
    Kind kind = Kind::file;
    bool internal = false;  ///< in an anonymous namespace or a function: no other unit knows it
    bool in_function = false;
  };
  struct Found {
    Dwarf_Die die{};
    Index scope = kFile;
  };

  explicit UnitScopes(Dwarf_Die unit);

  const Scope& scope(Index index) const { return scopes_[index]; }
  std::size_t scope_count() const { return scopes_.size(); }
  /// The scope in which an entry of this unit stands.
  Index around(Dwarf_Die die) const;

  /// Whatever may have static storage, in the order of the file: DW_TAG_variable, DW_TAG_member.
  const std::vector<Found>& variables() const { return variables_; }
  /// Complete classes, unions and enumerations that other units may only declare.
  const std::vector<Found>& shared_types() const { return shared_types_; }

 private:
  struct Place {
    std::uint64_t offset = 0;
    Index scope = kFile;
  };
  void walk(Dwarf_Die parent, Index scope, int depth);
  void visit(Dwarf_Die die, int tag, Index scope, int depth);
  Index open_scope(Dwarf_Die die, Index parent, Kind kind);

  std::vector<Scope> scopes_;
  std::vector<Place> places_;  ///< by offset
  /// Names of scopes that were asked for already, for ScopeNames.
  mutable std::unordered_map<Index, std::string> prefixes_;
  friend class ScopeNames;
  std::vector<Found> variables_, shared_types_;
};

/// Qualified names over all units of a module.
class ScopeNames {
 public:
  /// The scopes of this entry's unit. Held by the caller: a later call may drop it here.
  std::shared_ptr<const UnitScopes> unit_of(Dwarf_Die die);

  /// "app::Widget<int>", "f()::count": as people write it. Empty when the entry has no name.
  std::string qualified_name(Dwarf_Die die);
  /// The name of a scope with what follows a name in it: "", "app::", "f()::".
  std::string prefix(const UnitScopes& unit, UnitScopes::Index scope);

  /// In a function, or in a namespace without a name.
  bool is_internal(Dwarf_Die die);
  bool is_in_function(Dwarf_Die die);

 private:
  std::string prefix(const UnitScopes& unit, UnitScopes::Index scope, int depth);
  std::string function_name(Dwarf_Die die, int depth);
  std::string qualified_name(Dwarf_Die die, int depth);

  std::unordered_map<void*, std::shared_ptr<const UnitScopes>> units_;  ///< by their Dwarf_CU
};

/// The hash of a qualified name, by which types are found across units.
std::uint64_t name_hash(std::string_view name);

}  // namespace gordian
