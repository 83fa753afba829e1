// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Types and variables of a program as its debug information describes them, in plain values:
// whoever walks memory by types needs nothing of DWARF. Types are owned by the DebugInfo that made
// them and complete when handed out, but the targets of pointers are made on demand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gordian {

enum class TypeKind : std::uint8_t {
  boolean,
  character,  ///< char and its kin of 1, 2 or 4 bytes
  integer,    ///< signed
  natural,    ///< unsigned
  floating,
  enumeration,
  pointer,  ///< and references
  array,
  structure,  ///< class, struct
  union_type,
  function,
  opaque,  ///< declared only, or damaged: a size at most
};

struct Type;

struct Member {
  std::string name;  ///< empty: anonymous union or struct
  const Type* type = nullptr;
  std::uint64_t offset = 0;
  std::uint32_t bit_size = 0;    ///< 0 = no bit field
  std::uint32_t bit_offset = 0;  ///< from the lowest bit at `offset`
  bool is_base = false;
};

struct Type {
  TypeKind kind = TypeKind::opaque;
  std::string name;  ///< qualified, template arguments included, without cv and typedefs
  std::uint64_t size = 0;
  bool is_reference = false;
  std::uint64_t count = 0;      ///< array: elements of this dimension
  std::vector<Member> members;  ///< structure, union: bases first, no static ones
  std::vector<std::pair<std::string, std::int64_t>> enumerators;
  std::vector<const Type*> type_arguments;  ///< of a class template, in order; void = null
  /// Pointer: what it points to; array: its element. Null when unknown (void*).
  std::function<const Type*()> target = [] { return nullptr; };
};

/// Whose memory it is: only the program's own state is ever named as a cause without being asked.
enum class Owner : std::uint8_t { program, framework, library };

/// A variable with static or thread storage duration.
struct Variable {
  std::string name;  ///< "app::g_x", "f()::count", "Pool<int>::used"; no anonymous namespaces
  std::uint64_t address = 0;  ///< as linked, of its module; thread_local: offset in its TLS block
  std::uint64_t size = 0;
  bool thread_local_storage = false;
  bool local_static = false;
  Owner owner = Owner::program;
  std::string file;  ///< of its declaration; empty without debug information
  int line = 0;
  std::uint64_t type_id = 0;  ///< for DebugInfo::type(); 0 = only the symbol is known
};

// Names as people write them in the source, whatever a compiler makes of them: no anonymous
// namespaces, functions with "()" only, no return types, no ABI tags.

/// "Pool<{anonymous}::Key, long unsigned int>" -> "Pool<Key, unsigned long>": of a name in debug
/// information. Every compiler spells a little differently; this is how demanglers do it.
std::string common_spelling(std::string name);

/// "app::f(int, char const*) const::count" -> "app::f()::count"; of a demangled name.
std::string source_name(std::string_view demangled);

/// source_name() of what the linker calls `mangled`. C names stay, without the ".0" that a compiler
/// adds to tell local statics apart.
std::string name_of_symbol(std::string_view mangled);

/// Whose variable this is, told by its name and by the file that declares it. `file` is where it is
/// declared; empty when that is not known.
Owner owner_of(std::string_view name, std::string_view file);

/// A library that came with the system, by the directory it is in.
bool is_system_path(std::string_view path);

}  // namespace gordian
