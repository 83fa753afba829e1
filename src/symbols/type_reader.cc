// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/type_reader.h"

#include <algorithm>
#include <array>

#include "symbols/reader.h"

namespace gordian {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostTypes = 1 << 18;
constexpr std::size_t kMostMembers = 1 << 16;
constexpr std::size_t kMostDimensions = 32;
constexpr std::uint64_t kPointerSize = 8;
constexpr std::size_t kLongestList = 4096;

bool is_pointer(int tag) {
  return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
         tag == DW_TAG_rvalue_reference_type;
}

/// char and its kin by name: int8_t and uint8_t are numbers to whoever uses them.
bool is_character_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"char", "wchar_t", "char8_t", "char16_t",
                                                      "char32_t"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

int tag_of(Dwarf_Die die) {
  return dwarf_tag(&die);
}

/// Only declared here, or defined in a unit of its own.
bool is_incomplete(Dwarf_Die type) {
  return has_flag(type, DW_AT_declaration) || has_attribute(type, DW_AT_signature);
}

/// "*" before a declarator; in parentheses where what it points to is a function or an array.
std::string pointing(std::string sign, std::optional<Dwarf_Die> target,
                     const std::string& declarator) {
  if (target) target = without_qualifiers(*target);
  const int tag = target ? tag_of(*target) : 0;
  if (tag == DW_TAG_subroutine_type || tag == DW_TAG_array_type)
    return " (" + sign + declarator + ")";
  return sign + declarator;
}

TypeKind base_kind(Dwarf_Die die, std::string_view name) {
  if (is_character_name(name)) return TypeKind::character;
  switch (constant(die, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean:
      return TypeKind::boolean;
    case DW_ATE_float:
      return TypeKind::floating;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      return TypeKind::integer;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
      return TypeKind::natural;
    case DW_ATE_UTF:
      return TypeKind::character;
    default:
      return TypeKind::opaque;
  }
}

/// Plain forms hold what the compiler wrote as unsigned; the signed ones say so themselves.
std::optional<std::int64_t> enumerator_value(Dwarf_Die die) {
  Dwarf_Attribute memory;
  Dwarf_Attribute* value = dwarf_attr(&die, DW_AT_const_value, &memory);
  if (value == nullptr) return std::nullopt;
  const unsigned form = dwarf_whatform(value);
  Dwarf_Sword number = 0;
  Dwarf_Word bits = 0;
  if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
    if (dwarf_formsdata(value, &number) != 0) return std::nullopt;
    return number;
  }
  if (dwarf_formudata(value, &bits) != 0) return std::nullopt;
  return static_cast<std::int64_t>(bits);
}

}  // namespace

const Type* TypeReader::read(Dwarf_Die die) {
  const Type* result = by_value(die, 0);
  // What only names a type as its argument need not contain it: done apart, cycles do no harm.
  while (!waiting_.empty()) {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    read_arguments(next);
  }
  return result;
}

const Type* TypeReader::by_value(std::optional<Dwarf_Die> die, int depth) {
  if (die) die = definition(*die);
  if (!die || types_.size() >= kMostTypes) return nullptr;
  const auto [known, is_new] = known_.try_emplace(die->addr);
  if (!is_new) return known->second.complete ? known->second.type : opaque(*die);
  if (depth > kDeepest) {
    known_.erase(known);
    return opaque(*die);
  }
  Type* type = known->second.type = new_type();
  fill(*type, *die, depth);
  known_[die->addr].complete = true;
  return type;
}

/// For what contains itself, or is nested deeper than any program's data.
const Type* TypeReader::opaque(Dwarf_Die die) {
  Type* type = new_type();
  type->name = name_of(die);
  type->size = constant(die, DW_AT_byte_size).value_or(0);
  return type;
}
void TypeReader::fill(Type& type, Dwarf_Die die, int depth) {
  type.name = name_of(die);
  type.size = size_of(die, depth);
  const int tag = tag_of(die);
  if (is_pointer(tag)) return fill_pointer(type, die);
  switch (tag) {
    case DW_TAG_base_type:
      type.kind = base_kind(die, type.name);
      return;
    case DW_TAG_unspecified_type:
      if (type.name != "decltype(nullptr)") return;
      type.kind = TypeKind::pointer;
      type.size = kPointerSize;
      return;
    case DW_TAG_enumeration_type:
      return fill_enumeration(type, die);
    case DW_TAG_array_type:
      return fill_array(type, die, depth);
    case DW_TAG_subroutine_type:
      type.kind = TypeKind::function;
      return;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_interface_type:
      type.kind = TypeKind::structure;
      return fill_class(type, die, depth);
    case DW_TAG_union_type:
      type.kind = TypeKind::union_type;
      return fill_class(type, die, depth);
    default:
      return;  // opaque: pointers to members, and what we do not know
  }
}

void TypeReader::fill_pointer(Type& type, Dwarf_Die die) {
  type.kind = TypeKind::pointer;
  type.size = kPointerSize;
  type.is_reference = dwarf_tag(&die) != DW_TAG_pointer_type;
  if (const auto target = reference(die, DW_AT_type)) {
    type.target = [this, target = *target] { return read(target); };
  }
}

void TypeReader::fill_enumeration(Type& type, Dwarf_Die die) {
  type.kind = TypeKind::enumeration;
  if (type.size == 0) type.size = size_of(reference(die, DW_AT_type), 0);
  each_child(die, [&](Dwarf_Die child) {
    if (tag_of(child) == DW_TAG_enumerator) {
      if (const auto value = enumerator_value(child)) {
        type.enumerators.emplace_back(die_name(child), *value);
      }
    }
    return type.enumerators.size() < kMostMembers;
  });
}

void TypeReader::fill_class(Type& type, Dwarf_Die die, int depth) {
  if (has_flag(die, DW_AT_declaration)) {
    type.kind = TypeKind::opaque;
    return;
  }
  std::vector<Member> bases, members;
  bool has_arguments = false;
  each_child(die, [&](Dwarf_Die child) {
    const int tag = tag_of(child);
    if (tag == DW_TAG_inheritance || tag == DW_TAG_member) {
      auto found = member(child, depth);
      if (found) (found->is_base ? bases : members).push_back(std::move(*found));
    }
    has_arguments |=
        tag == DW_TAG_template_type_parameter || tag == DW_TAG_GNU_template_parameter_pack;
    return bases.size() + members.size() < kMostMembers;
  });
  type.members = std::move(bases);
  std::move(members.begin(), members.end(), std::back_inserter(type.members));
  if (has_arguments) waiting_.push_back({&type, die});
}

std::optional<Member> TypeReader::member(Dwarf_Die die, int depth) {
  const auto declared = type_of(die);
  const auto place = declared ? member_place(die, size_of(*declared)) : std::nullopt;
  if (!place) return std::nullopt;
  Member result;
  result.is_base = dwarf_tag(&die) == DW_TAG_inheritance;
  if (!result.is_base) result.name = die_name(die);
  result.offset = place->offset;
  result.bit_size = place->bit_size;
  result.bit_offset = place->bit_offset;
  result.type = by_value(declared, depth + 1);
  if (result.type == nullptr) return std::nullopt;
  return result;
}

void TypeReader::fill_array(Type& type, Dwarf_Die die, int depth) {
  type.kind = TypeKind::array;
  const std::vector<std::uint64_t> bounds = array_bounds(die, kMostDimensions);
  const Type* element = by_value(reference(die, DW_AT_type), depth + 1);
  if (element == nullptr || bounds.empty() || has_attribute(die, DW_AT_byte_stride)) {
    type.kind = TypeKind::opaque;
    return;
  }
  // From the innermost dimension outwards; the outermost is `type` itself.
  const auto declared = reference(die, DW_AT_type);
  std::string dimensions;
  for (std::size_t i = bounds.size(); i-- > 0;) {
    const auto size = checked_mul(element->size, bounds[i]);
    Type* array = i == 0 ? &type : new_type();
    dimensions.insert(0, "[" + std::to_string(bounds[i]) + "]");
    array->name = name_of(*declared, 0, dimensions);
    array->size = size.value_or(0);
    array->kind = size ? TypeKind::array : TypeKind::opaque;
    array->count = bounds[i];
    array->target = [element] { return element; };
    element = array;
  }
}

void TypeReader::read_arguments(const Waiting& waiting) {
  const auto add = [&](Dwarf_Die child) {
    if (tag_of(child) == DW_TAG_template_type_parameter) {
      waiting.type->type_arguments.push_back(by_value(type_of(child), 0));
    }
    return waiting.type->type_arguments.size() < kMostMembers;
  };
  each_child(waiting.die, [&](Dwarf_Die child) {
    if (tag_of(child) == DW_TAG_GNU_template_parameter_pack) each_child(child, add);
    return add(child);
  });
}

std::optional<Dwarf_Die> TypeReader::definition(Dwarf_Die die) {
  const auto plain = without_qualifiers(die);
  if (!plain || !is_incomplete(*plain)) return plain;
  const auto known = definitions_.find(plain->addr);
  if (known != definitions_.end()) return known->second;
  std::optional<Dwarf_Die> found = reference(*plain, DW_AT_signature);
  if (!found && !names_.is_internal(*plain)) {
    const std::string name = names_.qualified_name(*plain);
    if (!name.empty()) found = find_(name);
  }
  if (found && is_incomplete(*found)) found.reset();
  return definitions_[plain->addr] = found ? found : plain;
}
std::uint64_t TypeReader::size_of(std::optional<Dwarf_Die> type, int depth) {
  if (type) type = definition(*type);
  if (!type || depth > kDeepest) return 0;
  if (const auto size = constant(*type, DW_AT_byte_size)) return *size;
  const int tag = tag_of(*type);
  if (is_pointer(tag)) return kPointerSize;
  if (tag == DW_TAG_ptr_to_member_type) return member_pointer_size(*type);
  if (tag == DW_TAG_enumeration_type) return size_of(reference(*type, DW_AT_type), depth + 1);
  if (tag != DW_TAG_array_type) return 0;
  std::uint64_t size = size_of(reference(*type, DW_AT_type), depth + 1);
  for (std::uint64_t count : array_bounds(*type, kMostDimensions)) {
    const auto product = checked_mul(size, count);
    if (!product) return 0;
    size = *product;
  }
  return size;
}
/// In the manner of C++: `declarator` is what stands around the name of a variable of this type.
std::string TypeReader::name_of(Dwarf_Die die, int depth, const std::string& declarator) {
  const auto type = without_qualifiers(die);
  if (!type) return "void" + declarator;
  if (depth > kDeepest) return "...";
  const auto target = reference(*type, DW_AT_type);
  const auto rest = [&](const std::string& inner) {
    return target ? name_of(*target, depth + 1, inner) : "void" + inner;
  };
  switch (tag_of(*type)) {
    case DW_TAG_pointer_type:
      return rest(pointing("*", target, declarator));
    case DW_TAG_reference_type:
      return rest(pointing("&", target, declarator));
    case DW_TAG_rvalue_reference_type:
      return rest(pointing("&&", target, declarator));
    case DW_TAG_ptr_to_member_type: {
      const auto owner = reference(*type, DW_AT_containing_type);
      const std::string star = (owner ? name_of(*owner, depth + 1, "") : "") + "::*";
      return rest(" " + pointing(star, target, declarator));
    }
    case DW_TAG_subroutine_type:
      return rest(declarator + parameters(*type, depth));
    case DW_TAG_array_type: {
      std::string dimensions = declarator;
      for (std::uint64_t count : array_bounds(*type, kMostDimensions)) {
        dimensions += "[" + std::to_string(count) + "]";
      }
      return rest(dimensions);
    }
    default:
      return names_.qualified_name(*type) + declarator;
  }
}

std::string TypeReader::parameters(Dwarf_Die function, int depth) {
  std::string list = "(";
  each_child(function, [&](Dwarf_Die child) {
    const auto parameter = reference(child, DW_AT_type);
    if (tag_of(child) != DW_TAG_formal_parameter || !parameter) return true;
    if (has_flag(child, DW_AT_artificial)) return true;  // this
    if (list.size() > 1) list += ", ";
    list += name_of(*parameter, depth + 1, "");
    return list.size() < kLongestList;
  });
  return list + ")";
}

}  // namespace gordian
