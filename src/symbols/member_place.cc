// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/member_place.h"

namespace gordian {
namespace {

constexpr std::uint64_t kWidestField = 128;

/// DW_AT_data_member_location: a number, or an expression that adds one.
std::optional<std::uint64_t> byte_offset(Dwarf_Die member) {
  Dwarf_Attribute memory;
  Dwarf_Attribute* location = dwarf_attr(&member, DW_AT_data_member_location, &memory);
  if (location == nullptr) return 0;  // of unions, and of what begins a class
  Dwarf_Word number = 0;
  if (dwarf_formudata(location, &number) == 0) return number;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(location, &ops, &count) != 0 || count != 1) return std::nullopt;
  if (ops[0].atom != DW_OP_plus_uconst) return std::nullopt;
  return ops[0].number;
}

/// In storage units of the declared type where the field does not cross one: that is how it is
/// read. Otherwise (packed) from the byte it begins in.
MemberPlace field_at(std::uint64_t first_bit, std::uint64_t bits, std::uint64_t type_size) {
  const std::uint64_t unit = type_size == 0 || type_size > 16 ? 1 : type_size;
  std::uint64_t offset = first_bit / 8 / unit * unit;
  if (first_bit - offset * 8 + bits > unit * 8) offset = first_bit / 8;
  return {offset, static_cast<std::uint32_t>(bits),
          static_cast<std::uint32_t>(first_bit - offset * 8)};
}

}  // namespace

std::optional<MemberPlace> member_place(Dwarf_Die member, std::uint64_t type_size) {
  if (has_attribute(member, DW_AT_external) || has_attribute(member, DW_AT_declaration)) {
    return std::nullopt;
  }
  const auto offset = byte_offset(member);
  if (!offset) return std::nullopt;
  const auto bits = constant(member, DW_AT_bit_size);
  if (!bits || *bits == 0) return MemberPlace{*offset, 0, 0};
  if (*bits > kWidestField) return std::nullopt;
  if (const auto first = constant(member, DW_AT_data_bit_offset)) {
    if (*offset > UINT64_MAX / 16) return std::nullopt;
    return field_at(*offset * 8 + *first, *bits, type_size);
  }
  const auto from_top = constant(member, DW_AT_bit_offset);
  if (!from_top) return field_at(*offset * 8, *bits, type_size);
  // DWARF 3 counts from the highest bit of the storage unit.
  const std::uint64_t unit = constant(member, DW_AT_byte_size).value_or(type_size);
  if (unit > 16 || *from_top > unit * 8 || *from_top + *bits > unit * 8) return std::nullopt;
  const auto low = static_cast<std::uint32_t>(unit * 8 - *from_top - *bits);
  return MemberPlace{*offset, static_cast<std::uint32_t>(*bits), low};
}

std::uint64_t member_pointer_size(Dwarf_Die type) {
  auto target = reference(type, DW_AT_type);
  if (target) target = without_qualifiers(*target);
  return target && dwarf_tag(&*target) == DW_TAG_subroutine_type ? 16 : 8;
}

}  // namespace gordian
