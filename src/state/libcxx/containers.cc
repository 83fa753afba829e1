// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// libc++, whose classes stand in the inline namespace std::__1 (versions 7 and later). Values that
// share their place with an empty object are kept in a member __value_ of a pair; later versions do
// without.
#include <algorithm>
#include <cstddef>

#include "state/containers.h"

namespace gordian {
namespace {

constexpr std::uint64_t kTreeLinks = 25;  // left, right, parent, colour
constexpr std::uint64_t kListLinks = 16, kForwardLinks = 8, kHashLinks = 16;
constexpr int kHighestTree = 128;

/// A member that may be one half of a pair.
Field paired(const ObjectReader& object, std::string_view name) {
  const Field whole = object.field(name);
  if (!whole || whole.type->kind != TypeKind::structure) return whole;
  const Field half = find_field(*whole.type, "__value_");
  return half ? Field{half.type, whole.offset + half.offset} : whole;
}

/// The lowest bit of the first byte says where the characters are.
std::optional<Contents> string_contents(const ObjectReader& object) {
  Field whole = paired(object, "__r_");
  if (!whole) whole = object.field("__rep_");
  if (!whole) return std::nullopt;
  const ObjectReader rep = object.inside(whole);
  const Field own = rep.field("__s.__data_");
  const auto first = object.image.value<unsigned char>(rep.address);
  const Type* character = object.argument(0);
  if (!own || !rep.field("__l.__data_") || character == nullptr) return std::nullopt;
  if (!first) return damaged_contents();
  if ((*first & 1) == 0) {
    if (std::uint64_t{*first} / 2 * character->size > whole.type->size) return damaged_contents();
    return row_contents(object, Form::text, character, rep.address + own.offset, *first / 2);
  }
  const auto data = rep.word("__l.__data_"), size = rep.word("__l.__size_");
  if (!data || !size) return damaged_contents();
  return row_contents(object, Form::text, character, *data, *size);
}

std::optional<Contents> view_contents(const ObjectReader& object, Form form) {
  for (const auto& [data, size] : {std::pair("__data", "__size"), std::pair("__data_", "__size_"),
                                   std::pair("__begin_", "__size_")}) {
    const auto base = object.word(data), total = object.word(size);
    if (base && total) return row_contents(object, form, object.argument(0), *base, *total);
  }
  return std::nullopt;
}

std::optional<Contents> vector_contents(const ObjectReader& object) {
  const auto begin = object.word("__begin_"), end = object.word("__end_");
  const auto bits = object.word("__size_");
  const Type* element = object.argument(0);
  if (begin && bits) return bit_contents(object, *begin, *bits);
  if (!begin || !end || element == nullptr || element->size == 0) return std::nullopt;
  if (*end < *begin || (*end - *begin) % element->size != 0) return damaged_contents();
  return row_contents(object, Form::sequence, element, *begin, (*end - *begin) / element->size);
}

std::optional<Contents> deque_contents(const ObjectReader& object) {
  const auto blocks = object.word("__map_.__begin_"), start = object.word("__start_");
  const auto total = object.word(paired(object, "__size_"));
  const Type* element = object.argument(0);
  if (!blocks || !start || !total || element == nullptr || element->size == 0) return std::nullopt;
  const std::uint64_t per_block = element->size < 256 ? 4096 / element->size : 16;
  Contents contents{.form = Form::sequence, .total = *total};
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(*total, object.most); ++i) {
    const std::uint64_t index = *start + i;
    const auto block = word_at(object.image, *blocks + index / per_block * 8);
    if (!block) return damaged_contents();
    contents.elements.push_back({element, *block + index % per_block * element->size});
  }
  return contents;
}

/// Nodes from `node` to `end`, of which there are `total`; the next one is named at `link`.
Contents chain(const ObjectReader& object, const Type& value, std::uint64_t offset,
               std::uint64_t link, std::uint64_t node, std::uint64_t end, std::uint64_t total) {
  Contents contents{.form = Form::sequence, .total = total};
  while (node != end && contents.elements.size() < object.most) {
    contents.elements.push_back({&value, node + offset});
    const auto next = word_at(object.image, node + link);
    if (!next || contents.elements.size() > total) return damaged_contents();
    node = *next;
  }
  if (contents.elements.size() < std::min<std::uint64_t>(total, object.most)) {
    return damaged_contents();
  }
  return contents;
}

std::optional<Contents> list_contents(const ObjectReader& object) {
  const Field end = object.field("__end_");
  Field size = paired(object, "__size_alloc_");
  if (!size) size = object.field("__size_");
  const auto first = object.word("__end_.__next_"), total = object.word(size);
  const Type* value = object.argument(0);
  if (!end || !first || !total || value == nullptr) return std::nullopt;
  const std::uint64_t end_at = object.address + end.offset;
  const std::uint64_t from = *first == 0 ? end_at : *first;  // not constructed yet
  return chain(object, *value, aligned(kListLinks, *value), 8, from, end_at, *total);
}

std::optional<Contents> forward_list_contents(const ObjectReader& object) {
  const auto first = object.word(paired(object, "__before_begin_"));
  const Type* value = object.argument(0);
  if (!first || value == nullptr) return std::nullopt;
  return list_from(object, *value, kForwardLinks, *first, 0);
}

struct TreeNode {
  std::uint64_t left, right, parent;
};

/// The node after `at` in order; nullopt when the links lead nowhere.
std::optional<std::uint64_t> next_in_tree(const MemoryImage& image, std::uint64_t at) {
  auto node = image.value<TreeNode>(at);
  if (!node) return std::nullopt;
  if (node->right != 0) {
    at = node->right;
    for (int height = 0; height < kHighestTree; ++height) {
      const auto left = word_at(image, at);
      if (!left || *left == 0) return left ? std::optional(at) : std::nullopt;
      at = *left;
    }
    return std::nullopt;
  }
  for (int height = 0; height < kHighestTree; ++height) {
    const auto parent = word_at(image, at + offsetof(TreeNode, parent));
    const auto left = parent ? word_at(image, *parent) : std::nullopt;
    if (!left || *left == at) return left ? parent : std::nullopt;
    at = *parent;
  }
  return std::nullopt;
}

/// Keys and values stand in a class of their own around the pair.
bool split_values(Contents& contents, const Type& value) {
  for (std::string_view name : {"__cc_", "__cc"}) {
    const Field pair = find_field(value, name);
    if (!pair) continue;
    for (Element& element : contents.elements) element.address += pair.offset;
    return split_pairs(contents, *pair.type);
  }
  return split_pairs(contents, value);
}

std::optional<Contents> tree_contents(const ObjectReader& object, bool pairs) {
  const Field tree = object.field("__tree_");
  if (!tree || tree.type->type_arguments.empty()) return std::nullopt;
  const ObjectReader inner = object.inside(tree);
  Field size = paired(inner, "__pair3_");
  if (!size) size = inner.field("__size_");
  const auto first = inner.word("__begin_node_"), total = inner.word(size);
  const Type* value = tree.type->type_arguments[0];
  if (!first || !total || value == nullptr) return std::nullopt;
  Contents contents{.form = Form::set, .total = *total};
  const std::uint64_t offset = aligned(kTreeLinks, *value);
  std::optional<std::uint64_t> node = *first;
  while (contents.elements.size() < std::min<std::uint64_t>(*total, object.most)) {
    if (!node || *node == 0) return damaged_contents();
    contents.elements.push_back({value, *node + offset});
    node = next_in_tree(object.image, *node);
  }
  if (pairs && !split_values(contents, *value)) return std::nullopt;
  return contents;
}

std::optional<Contents> hash_contents(const ObjectReader& object, bool pairs) {
  const Field table = object.field("__table_");
  if (!table || table.type->type_arguments.empty()) return std::nullopt;
  const ObjectReader inner = object.inside(table);
  Field first = paired(inner, "__p1_"), size = paired(inner, "__p2_");
  if (!first) first = inner.field("__first_node_");
  if (!size) size = inner.field("__size_");
  const auto node = inner.word(first), total = inner.word(size);
  const Type* value = table.type->type_arguments[0];
  if (!node || !total || value == nullptr) return std::nullopt;
  Contents contents = chain(inner, *value, aligned(kHashLinks, *value), 0, *node, 0, *total);
  if (contents.form == Form::damaged) return contents;
  contents.form = Form::set;
  contents.ordered = false;
  if (pairs && !split_values(contents, *value)) return std::nullopt;
  return contents;
}

std::optional<Contents> optional_contents(const ObjectReader& object) {
  const Field value = object.field("__val_"), engaged = object.field("__engaged_");
  if (!value || !engaged) return std::nullopt;
  return maybe_contents(object, engaged, {value.type, object.address + value.offset});
}

std::optional<Contents> pointer_contents(const ObjectReader& object, bool weak) {
  const auto target = object.word(paired(object, "__ptr_"));
  if (!target) return std::nullopt;
  Contents contents{.form = Form::pointer, .target = *target, .target_type = object.argument(0)};
  if (weak) {
    const auto counts = object.word("__cntrl_");
    const auto owners = counts && *counts != 0 ? word_at(object.image, *counts + 8) : std::nullopt;
    contents.expired = owners == UINT64_MAX;  // owners are counted from -1
  }
  return contents;
}

}  // namespace

std::optional<Contents> libcxx_contents(const ObjectReader& object) {
  if (!object.type.name.starts_with("std::__1::")) return std::nullopt;
  const std::string_view name = std_class(object.type);
  if (name == "basic_string") return string_contents(object);
  if (name == "basic_string_view") return view_contents(object, Form::text);
  if (name == "initializer_list") return view_contents(object, Form::sequence);
  if (name == "vector") return vector_contents(object);
  if (name == "array") return array_contents(object, "__elems_");
  if (name == "deque") return deque_contents(object);
  if (name == "list") return list_contents(object);
  if (name == "forward_list") return forward_list_contents(object);
  if (name == "map" || name == "multimap") return tree_contents(object, true);
  if (name == "set" || name == "multiset") return tree_contents(object, false);
  if (name == "unordered_map" || name == "unordered_multimap") return hash_contents(object, true);
  if (name == "unordered_set" || name == "unordered_multiset") return hash_contents(object, false);
  if (name == "optional") return optional_contents(object);
  if (name == "unique_ptr" || name == "shared_ptr") return pointer_contents(object, false);
  if (name == "weak_ptr") return pointer_contents(object, true);
  if (name == "atomic" || name == "__atomic_base" || name == "__cxx_atomic_impl" ||
      name == "__cxx_atomic_base_impl") {
    return same_as(object, {"__a_value", "__a_"});
  }
  return std::nullopt;
}

}  // namespace gordian
