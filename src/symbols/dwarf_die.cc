// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/dwarf_die.h"

#include <string.h>

#include <algorithm>

namespace gordian {
namespace {

constexpr int kLongestChain = 16;
/// No name is that long; damage makes some that are.
constexpr std::size_t kLongestText = 1 << 16;

/// The bytes from `at`, which lies in this unit, to the unit's end.
std::size_t left_in_unit(Dwarf_CU* unit, const unsigned char* at) {
  Dwarf_Die top;
  Dwarf_Off next = 0, type_offset = 0;
  std::uint64_t signature = 0;
  if (dwarf_cu_die(unit, &top, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == nullptr) {
    return 0;
  }
  const Dwarf_Off offset = dwarf_dieoffset(&top);
  const Dwarf_Off header = offset - dwarf_cuoffset(&top);
  const bool types = in_types_section(unit);
  if (dwarf_next_unit(dwarf_cu_getdwarf(unit), header, &next, nullptr, nullptr, nullptr, nullptr,
                      nullptr, types ? &signature : nullptr, types ? &type_offset : nullptr) != 0) {
    return 0;
  }
  // A damaged header may say more than the section holds: then there is no last entry.
  const auto find = types ? dwarf_offdie_types : dwarf_offdie;
  Dwarf_Die last;
  if (next <= offset || find(dwarf_cu_getdwarf(unit), next - 1, &last) == nullptr) return 0;
  const auto* end = static_cast<const unsigned char*>(top.addr) + (next - offset);
  return at >= end ? 0 : static_cast<std::size_t>(end - at);
}

/// libdw looks whether strings in their own sections end; those among the entries are ours to see.
std::string_view text(Dwarf_Attribute* attribute) {
  const char* string = attribute == nullptr ? nullptr : dwarf_formstring(attribute);
  if (string == nullptr) return "";
  if (dwarf_whatform(attribute) != DW_FORM_string) {
    const std::size_t length = ::strnlen(string, kLongestText);
    return length == kLongestText ? "" : std::string_view(string, length);
  }
  const std::size_t most = std::min(left_in_unit(attribute->cu, attribute->valp), kLongestText);
  const std::size_t size = ::strnlen(string, most);
  return size == most ? "" : std::string_view(string, size);
}

/// The number of the first operation; split debug information keeps it in a table elsewhere.
std::optional<std::uint64_t> operand(Dwarf_Attribute* location, const Dwarf_Op& op) {
  Dwarf_Attribute entry;
  Dwarf_Addr address = 0;
  Dwarf_Word word = 0;
  switch (op.atom) {
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
      if (dwarf_getlocation_attr(location, &op, &entry) != 0) return std::nullopt;
      if (dwarf_formaddr(&entry, &address) != 0) return std::nullopt;
      return address;
    case DW_OP_constx:
    case DW_OP_GNU_const_index:
      if (dwarf_getlocation_attr(location, &op, &entry) != 0) return std::nullopt;
      if (dwarf_formaddr(&entry, &address) == 0) return address;
      if (dwarf_formudata(&entry, &word) != 0) return std::nullopt;
      return word;
    case DW_OP_addr:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_constu:
      return op.number;
    default:
      return std::nullopt;
  }
}

bool makes_address(const Dwarf_Op& op) {
  return op.atom == DW_OP_addr || op.atom == DW_OP_addrx || op.atom == DW_OP_GNU_addr_index;
}

bool makes_thread_address(const Dwarf_Op& op) {
  return op.atom == DW_OP_GNU_push_tls_address || op.atom == DW_OP_form_tls_address;
}

bool is_qualifier(int tag) {
  switch (tag) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
    case DW_TAG_immutable_type:
    case DW_TAG_packed_type:
    case DW_TAG_shared_type:
      return true;
    default:
      return false;
  }
}

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

bool in_types_section(Dwarf_CU* unit) {
  Dwarf_Half version = 0;
  std::uint8_t type = 0;
  if (dwarf_cu_info(unit, &version, &type, nullptr, nullptr, nullptr, nullptr, nullptr) != 0) {
    return false;
  }
  return version < 5 && type == DW_UT_type;
}

std::string_view string_of(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute memory;
  return text(dwarf_attr(&die, attribute, &memory));
}

std::string_view linkage_name(Dwarf_Die die) {
  Dwarf_Attribute memory;
  const std::string_view name = text(dwarf_attr_integrate(&die, DW_AT_linkage_name, &memory));
  if (!name.empty()) return name;
  return text(dwarf_attr_integrate(&die, DW_AT_MIPS_linkage_name, &memory));
}

bool has_attribute(Dwarf_Die die, unsigned attribute) {
  return dwarf_hasattr(&die, attribute) != 0;
}

bool has_flag(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute memory;
  bool set = false;
  Dwarf_Attribute* found = dwarf_attr(&die, attribute, &memory);
  return found != nullptr && dwarf_formflag(found, &set) == 0 && set;
}

std::optional<std::uint64_t> constant(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute memory;
  Dwarf_Word value = 0;
  Dwarf_Attribute* found = dwarf_attr(&die, attribute, &memory);
  if (found == nullptr || dwarf_formudata(found, &value) != 0) return std::nullopt;
  return value;
}

std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute memory;
  Dwarf_Die target;
  Dwarf_Attribute* found = dwarf_attr(&die, attribute, &memory);
  if (found == nullptr || dwarf_formref_die(found, &target) == nullptr) return std::nullopt;
  return target;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die die) {
  Dwarf_Attribute memory;
  Dwarf_Die target;
  Dwarf_Attribute* found = dwarf_attr_integrate(&die, DW_AT_type, &memory);
  if (found == nullptr || dwarf_formref_die(found, &target) == nullptr) return std::nullopt;
  return target;
}

Dwarf_Die declared_entry(Dwarf_Die die) {
  for (int step = 0; step < kLongestChain; ++step) {
    auto next = reference(die, DW_AT_abstract_origin);
    if (!next) next = reference(die, DW_AT_specification);
    if (!next) break;
    die = *next;
  }
  return die;
}

std::optional<Dwarf_Die> without_qualifiers(Dwarf_Die type) {
  for (int step = 0; step < kLongestChain * 4; ++step) {
    if (!is_qualifier(dwarf_tag(&type))) return type;
    const auto next = reference(type, DW_AT_type);
    if (!next) return std::nullopt;
    type = *next;
  }
  return std::nullopt;
}

std::optional<Dwarf_Die> first_child(Dwarf_Die die) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0 || child.addr <= die.addr) return std::nullopt;
  return child;
}

std::optional<Dwarf_Die> next_sibling(Dwarf_Die die) {
  Dwarf_Die sibling;
  if (dwarf_siblingof(&die, &sibling) != 0 || sibling.addr <= die.addr) return std::nullopt;
  return sibling;
}

std::optional<StaticPlace> static_place(Dwarf_Die variable) {
  Dwarf_Attribute memory;
  Dwarf_Attribute* location = dwarf_attr(&variable, DW_AT_location, &memory);
  const bool is_expression = location != nullptr && (dwarf_hasform(location, DW_FORM_exprloc) ||
                                                     dwarf_hasform(location, DW_FORM_block1) ||
                                                     dwarf_hasform(location, DW_FORM_block));
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (!is_expression || dwarf_getlocation(location, &ops, &count) != 0) return std::nullopt;
  if (count == 0 || count > 2) return std::nullopt;
  const auto number = operand(location, ops[0]);
  if (!number) return std::nullopt;
  if (count == 2 && makes_thread_address(ops[1])) return StaticPlace{*number, true};
  if (!makes_address(ops[0])) return std::nullopt;
  if (count == 1) return StaticPlace{*number, false};
  if (ops[1].atom != DW_OP_plus_uconst) return std::nullopt;
  return StaticPlace{*number + ops[1].number, false};
}

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
