// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names as people write them in the source, whatever a compiler makes of them: no anonymous
// namespaces, functions with "()" only, no return types, no ABI tags.
#pragma once

#include <string>
#include <string_view>

#include "symbols/types.h"

namespace gordian {

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
