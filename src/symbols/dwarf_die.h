// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small questions to one entry (DIE) of debug information. What is damaged has no answer. Chains
// of references are followed for a bounded number of steps, and siblings only forward in the file,
// so that no cycle can hold us. libdw's own dwarf_peel_type and dwarf_aggregate_size are not used:
// a type that refers to itself keeps them busy for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace gordian {

/// A string of this very entry; "" when it has none.
std::string_view string_of(Dwarf_Die die, unsigned attribute);
inline std::string_view die_name(Dwarf_Die die) {
  return string_of(die, DW_AT_name);
}
/// The name by which the linker knows it; "" when it is the plain one.
std::string_view linkage_name(Dwarf_Die die);

/// Of DWARF 4 and before: the section .debug_types instead of .debug_info.
bool in_types_section(Dwarf_CU* unit);

bool has_attribute(Dwarf_Die die, unsigned attribute);
bool has_flag(Dwarf_Die die, unsigned attribute);
/// An unsigned constant of this very entry.
std::optional<std::uint64_t> constant(Dwarf_Die die, unsigned attribute);
std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute);
/// DW_AT_type, of the entry or of what it completes.
std::optional<Dwarf_Die> type_of(Dwarf_Die die);

/// The entry at the end of the chain of DW_AT_abstract_origin and DW_AT_specification: the one
/// that stands where the source has it.
Dwarf_Die declared_entry(Dwarf_Die die);

/// Without typedefs, const, volatile and the like; nullopt for const void and damage.
std::optional<Dwarf_Die> without_qualifiers(Dwarf_Die type);

std::optional<Dwarf_Die> first_child(Dwarf_Die die);
std::optional<Dwarf_Die> next_sibling(Dwarf_Die die);

/// Calls visit(child) for each child until it returns false.
template <class Visit>
void each_child(Dwarf_Die parent, Visit visit) {
  for (auto child = first_child(parent); child; child = next_sibling(*child)) {
    if (!visit(*child)) return;
  }
}

/// A place in memory that an expression names without looking at registers or memory.
struct StaticPlace {
  std::uint64_t address = 0;  ///< as linked; thread_local: in the module's TLS block
  bool thread_local_storage = false;
};
/// DW_AT_location of a variable with static or thread storage; nullopt for all others.
std::optional<StaticPlace> static_place(Dwarf_Die variable);

/// Where a member or base lies in its class, in the ways of DWARF 2 to 5.
struct MemberPlace {
  std::uint64_t offset = 0;
  std::uint32_t bit_size = 0;    ///< 0 = no bit field
  std::uint32_t bit_offset = 0;  ///< from the lowest bit at `offset`
};

/// Nullopt for static members, and for virtual bases: each object has those elsewhere.
std::optional<MemberPlace> member_place(Dwarf_Die member, std::uint64_t type_size);

/// Of a pointer to member data or to a member function, in the ABI that all our compilers share.
std::uint64_t member_pointer_size(Dwarf_Die type);

/// The dimensions of an array type, outermost first; 0 where the number is not a constant.
inline std::vector<std::uint64_t> array_bounds(Dwarf_Die array, std::size_t most) {
  std::vector<std::uint64_t> result;
  each_child(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
    const auto count = constant(child, DW_AT_count);
    const auto last = constant(child, DW_AT_upper_bound);
    result.push_back(count ? *count : last ? *last + 1 : 0);
    return result.size() < most;
  });
  return result;
}

// Where the entries of debug information stand: libdw knows no parents, and asking it for scopes
// scans a unit anew each time. Here each unit is walked once; then the qualified name of any type,
// function or variable in it is a look-up. Units are walked when they are first asked about, and
// only some are kept. One thread at a time.

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
  std::string qualified_name(Dwarf_Die die) { return qualified_name(die, 0); }
  /// The name of a scope with what follows a name in it: "", "app::", "f()::".
  std::string prefix(const UnitScopes& unit, UnitScopes::Index scope) {
    return prefix(unit, scope, 0);
  }

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
