// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/contents.h"

#include "state/containers.h"
#include "state/type_shape.h"

namespace gordian {
namespace {

constexpr int kFlattened = 16;  // bases of bases

/// Members of bases and of anonymous structures count as members of the object.
void add_members(const Type& type, std::uint64_t address, std::size_t most, int depth,
                 std::vector<Element>& to) {
  for (const Member& member : type.members) {
    if (member.type == nullptr || to.size() >= most) continue;
    const std::uint64_t at = address + member.offset;
    const bool inner = member.is_base || (member.name.empty() && member.bit_size == 0 &&
                                          member.type->kind == TypeKind::structure);
    if (member.is_base && is_framework_type(*member.type)) continue;
    if (inner && depth > 0 && std_class(*member.type).empty()) {
      add_members(*member.type, at, most, depth - 1, to);
    } else {
      to.push_back({member.type, at, &member});
    }
  }
}

Contents record_of(const Type& type, std::uint64_t address, std::size_t most) {
  Contents contents;
  add_members(type, address, most, kFlattened, contents.elements);
  contents.total = contents.elements.size();
  const bool known = contents.total > 0 || type.size <= 1;
  contents.form = known && type.kind == TypeKind::structure ? Form::record : Form::unknown;
  return contents;
}

Contents array_of(const Type& type, std::uint64_t address) {
  Contents contents;
  const Type* element = type.target();
  if (element == nullptr || element->size == 0) return contents;
  contents.form = is_char(*element) ? Form::text : Form::sequence;
  contents.row_type = element;
  contents.base = address;
  contents.stride = element->size;
  contents.total = type.count;
  contents.fixed = true;
  return contents;
}

Contents pointer_at(const MemoryImage& image, const Type& type, std::uint64_t address) {
  Contents contents;
  const auto target = word_at(image, address);
  contents.form = target ? Form::pointer : Form::damaged;
  contents.target = target.value_or(0);
  contents.target_type = type.target();
  return contents;
}

}  // namespace

std::optional<std::uint64_t> word_at(const MemoryImage& image, std::uint64_t address) {
  return image.value<std::uint64_t>(address);
}

Contents contents_of(const MemoryImage& image, const Type& type, std::uint64_t address,
                     std::size_t most) {
  switch (type.kind) {
    case TypeKind::pointer:
      return pointer_at(image, type, address);
    case TypeKind::array:
      return array_of(type, address);
    case TypeKind::structure: {
      const ObjectReader reader{image, type, address, most};
      if (auto known = libcxx_contents(reader)) return std::move(*known);
      if (auto known = container_contents(reader)) return std::move(*known);
      if (auto known = std_value_contents(reader)) return std::move(*known);
      return record_of(type, address, most);
    }
    case TypeKind::union_type:
      return record_of(type, address, most);
    case TypeKind::function:
    case TypeKind::opaque:
      return {};
    default: {
      Contents contents;
      contents.form =
          is_plain(type) || type.kind == TypeKind::floating ? Form::plain : Form::unknown;
      return contents;
    }
  }
}

}  // namespace gordian
