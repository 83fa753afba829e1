// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Makes plain types of debug information. A class comes with everything that is inside of an
// object of it; what pointers lead to is made when it is asked for. A class that is only declared
// where it is used is looked up in the other units by its name. Damage makes a type opaque.
// Types live as long as the reader, which must not move. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbols/dwarf_die.h"
#include "symbols/types.h"

namespace gordian {

class TypeReader {
 public:
  /// The complete class, union or enumeration of this qualified name, in whatever unit.
  using FindType = std::function<std::optional<Dwarf_Die>(const std::string& name)>;

  TypeReader(ScopeNames& names, FindType find) : names_(names), find_(std::move(find)) {}
  TypeReader(const TypeReader&) = delete;
  TypeReader& operator=(const TypeReader&) = delete;

  /// Null for void, and when too many types were asked for.
  const Type* read(Dwarf_Die die);

  /// The bytes of an object of this type, without making it; 0 when that is not known.
  std::uint64_t size_of(Dwarf_Die type) { return size_of(std::optional(type), 0); }

  /// "app::Widget", "int*", "char[4][8]": without cv and typedefs.
  std::string name_of(Dwarf_Die type) { return name_of(type, 0, ""); }

 private:
  struct Waiting {
    Type* type;
    Dwarf_Die die;
  };
  const Type* by_value(std::optional<Dwarf_Die> die, int depth);
  void fill(Type& type, Dwarf_Die die, int depth);
  void fill_class(Type& type, Dwarf_Die die, int depth);
  void fill_pointer(Type& type, Dwarf_Die die);
  void fill_enumeration(Type& type, Dwarf_Die die);
  void fill_array(Type& type, Dwarf_Die die, int depth);
  std::optional<Member> member(Dwarf_Die die, int depth);
  void read_arguments(const Waiting& waiting);
  const Type* opaque(Dwarf_Die die);
  Type* new_type() { return &types_.emplace_back(); }
  /// Without qualifiers; the definition, when `die` only declares.
  std::optional<Dwarf_Die> definition(Dwarf_Die die);
  std::string name_of(Dwarf_Die type, int depth, const std::string& declarator);
  std::string parameters(Dwarf_Die function, int depth);
  std::uint64_t size_of(std::optional<Dwarf_Die> type, int depth);

  ScopeNames& names_;
  FindType find_;
  std::deque<Type> types_;
  struct Known {
    Type* type = nullptr;
    bool complete = false;
  };
  std::unordered_map<void*, Known> known_;  ///< by the address of the entry in the file
  std::unordered_map<void*, std::optional<Dwarf_Die>> definitions_;
  std::vector<Waiting> waiting_;  ///< for their template arguments
};

}  // namespace gordian
