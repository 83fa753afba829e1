// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Questions about a type: which class of the standard library it is, where a member lies, what it
// is called by people. Types come from debug information and may be damaged: every answer is
// bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "symbols/types.h"

namespace gordian {

/// Where a member lies in an object; `type` is null when there is no such member.
struct Field {
  const Type* type = nullptr;
  std::uint64_t offset = 0;
  explicit operator bool() const { return type != nullptr; }
};

/// The member at the end of `path` ("_M_impl._M_start"); each step looks into bases and anonymous
/// members too.
Field find_field(const Type& type, std::string_view path);

/// "vector" for std::vector<...>, also inside of the inline namespaces that libraries use; empty
/// for anything that is no class of namespace std. Deeper names keep their scopes:
/// "chrono::duration".
std::string_view std_class(const Type& type);

/// A class that has a virtual function at the beginning of its objects.
bool has_vptr(const Type& type);
/// The compiler's own member that points to the table of virtual functions.
bool is_vptr(const Member& member);

/// bool, characters, numbers, enumerations: their meaning is their bytes.
bool is_plain(const Type& type);
/// `char` itself: a pointer to one is a string for people. Not so signed and unsigned char.
bool is_char(const Type& type);
/// As the ABI has it for the members that are known; 1 when nothing is.
std::uint64_t alignment_of(const Type& type);

/// The type as people write it: "std::vector<std::string>".
std::string type_text(const Type& type);
/// The same for a name that has types in it: "Pool<std::string>::used".
std::string common_name(std::string name);

/// Of the test framework, whose objects are not the program's state.
bool is_framework_type(const Type& type);

}  // namespace gordian
