// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where a member or base lies in its class, in the ways of DWARF 2 to 5.
#pragma once

#include <cstdint>
#include <optional>

#include "symbols/dwarf_die.h"

namespace gordian {

struct MemberPlace {
  std::uint64_t offset = 0;
  std::uint32_t bit_size = 0;    ///< 0 = no bit field
  std::uint32_t bit_offset = 0;  ///< from the lowest bit at `offset`
};

/// Nullopt for static members, and for virtual bases: each object has those elsewhere.
std::optional<MemberPlace> member_place(Dwarf_Die member, std::uint64_t type_size);

/// Of a pointer to member data or to a member function, in the ABI that all our compilers share.
std::uint64_t member_pointer_size(Dwarf_Die type);

}  // namespace gordian
