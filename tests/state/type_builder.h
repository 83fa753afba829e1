// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Types as debug information would describe them, built by hand: plain ones, structures of the
// tests, and the classes of libstdc++ with the members that its headers declare.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "symbols/types.h"

namespace gordian::explain_test {

class TypeBuilder {
  std::deque<Type> types_;  // first: the others are made in it

 public:
  Type& add(TypeKind kind, std::string name, std::uint64_t size) {
    Type& type = types_.emplace_back();
    type.kind = kind;
    type.name = std::move(name);
    type.size = size;
    return type;
  }

  const Type* boolean = &add(TypeKind::boolean, "bool", 1);
  const Type* character = &add(TypeKind::character, "char", 1);
  const Type* byte = &add(TypeKind::character, "unsigned char", 1);
  const Type* int32 = &add(TypeKind::integer, "int", 4);
  const Type* int64 = &add(TypeKind::integer, "long", 8);
  const Type* uint32 = &add(TypeKind::natural, "unsigned int", 4);
  const Type* uint64 = &add(TypeKind::natural, "unsigned long", 8);
  const Type* float32 = &add(TypeKind::floating, "float", 4);
  const Type* float64 = &add(TypeKind::floating, "double", 8);
  const Type* float80 = &add(TypeKind::floating, "long double", 16);
  const Type* function = &add(TypeKind::function, "int (int)", 0);

  const Type* pointer(const Type* target) {
    Type& type = add(TypeKind::pointer, (target ? target->name : "void") + "*", 8);
    type.target = [target] { return target; };
    return &type;
  }
  const Type* reference(const Type* target) {
    Type& type = const_cast<Type&>(*pointer(target));
    type.is_reference = true;
    return &type;
  }
  const Type* array(const Type* element, std::uint64_t count) {
    Type& type = add(TypeKind::array, element->name + "[" + std::to_string(count) + "]",
                     element->size * count);
    type.count = count;
    type.target = [element] { return element; };
    return &type;
  }
  /// Members as {name, type, offset}; a name that begins with ':' makes a base.
  struct Part {
    std::string name;
    const Type* type;
    std::uint64_t offset;
  };
  Type& structure(std::string name, std::uint64_t size, std::vector<Part> parts,
                  std::vector<const Type*> arguments = {}) {
    Type& type = add(TypeKind::structure, std::move(name), size);
    for (Part& part : parts) {
      Member member;
      member.is_base = part.name[0] == ':';
      if (!member.is_base) member.name = part.name;
      member.type = part.type;
      member.offset = part.offset;
      type.members.push_back(std::move(member));
    }
    type.type_arguments = std::move(arguments);
    return type;
  }

  // libstdc++.
  const Type* string();
  const Type* string_view();
  const Type* vector(const Type* element);
  const Type* bit_vector();
  const Type* std_array(const Type* element, std::uint64_t count);
  const Type* deque(const Type* element);
  const Type* list(const Type* element);
  const Type* forward_list(const Type* element);
  const Type* pair(const Type* first, const Type* second);
  const Type* map(const Type* key, const Type* value, std::string name = "map");
  const Type* set(const Type* key);
  const Type* unordered_map(const Type* key, const Type* value);
  const Type* unordered_set(const Type* key);
  const Type* optional(const Type* value);
  const Type* variant(std::vector<const Type*> alternatives);
  /// REQUIRES: offsets as in a real tuple of these.
  const Type* tuple(std::vector<Part> elements);
  const Type* unique_ptr(const Type* target);
  const Type* shared_ptr(const Type* target, std::string name = "shared_ptr");
  const Type* atomic(const Type* value);
  const Type* std_function();
  const Type* duration(std::string ratio);
  const Type* bitset(std::uint64_t bits);
  const Type* complex(const Type* part);
  const Type* ostream();

 private:
  const Type* base(const Type* type, const std::string& name) {
    return &structure(name, type->size, {{":", type, 0}});
  }
  const Type* tree(const Type* key, const Type* value);
  const Type* hash_table(const Type* key, const Type* value);
};

}  // namespace gordian::explain_test
