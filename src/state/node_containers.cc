// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Lists, trees and hash tables. A node is its links and then the value, at the next address that
// its alignment allows. Links may lead anywhere, also in a circle: every walk is bounded by the
// number of elements that the container says it has.
#include <algorithm>

#include "state/containers.h"

namespace gordian {
namespace {

constexpr std::uint64_t kTreeLinks = 32;  // colour, parent, left, right
constexpr int kHighestTree = 128;

std::optional<Contents> list_contents(const ObjectReader& object) {
  const Field head = object.field("_M_impl._M_node");
  const Type* value = object.argument(0);
  if (!head || value == nullptr) return std::nullopt;
  const std::uint64_t end = object.address + head.offset;
  const auto first = word_at(object.image, end);
  if (!first) return damaged_contents();
  if (*first == 0) return list_from(object, *value, 16, end, end);  // not constructed yet
  Contents contents = list_from(object, *value, 16, *first, end);
  const auto size = object.word("_M_impl._M_node._M_size");
  if (size) contents.total = std::max(contents.total, *size);
  return contents;
}

std::optional<Contents> forward_list_contents(const ObjectReader& object) {
  const auto first = object.word("_M_impl._M_head._M_next");
  const Type* value = object.argument(0);
  if (!first || value == nullptr) return std::nullopt;
  return list_from(object, *value, 8, *first, 0);
}

struct TreeNode {
  std::uint64_t colour, parent, left, right;
};

/// The node after `at` in order; nullopt when the links lead nowhere.
std::optional<std::uint64_t> next_in_tree(const MemoryImage& image, std::uint64_t at) {
  auto node = image.value<TreeNode>(at);
  if (!node) return std::nullopt;
  if (node->right != 0) {
    at = node->right;
    for (int height = 0; height < kHighestTree; ++height) {
      node = image.value<TreeNode>(at);
      if (!node) return std::nullopt;
      if (node->left == 0) return at;
      at = node->left;
    }
    return std::nullopt;
  }
  for (int height = 0; height < kHighestTree; ++height) {
    const std::uint64_t parent_at = node->parent;
    const auto parent = image.value<TreeNode>(parent_at);
    if (!parent) return std::nullopt;
    if (parent->right != at) return parent_at;
    at = parent_at;
    node = parent;
  }
  return std::nullopt;
}

std::optional<Contents> tree_contents(const ObjectReader& object, bool pairs) {
  const Field tree = object.field("_M_t"), header = object.field("_M_t._M_impl._M_header");
  const auto count = object.word("_M_t._M_impl._M_node_count");
  if (!tree || !header || !count || tree.type->type_arguments.size() < 2) return std::nullopt;
  const Type* value = tree.type->type_arguments[1];
  const auto ends = object.image.value<TreeNode>(object.address + header.offset);
  if (value == nullptr || !ends) return std::nullopt;
  Contents contents{.form = Form::set, .total = *count};
  const std::uint64_t offset = aligned(kTreeLinks, *value);
  std::optional<std::uint64_t> node = ends->left;
  while (contents.elements.size() < std::min<std::uint64_t>(*count, object.most)) {
    if (!node || *node == 0 || *node == object.address + header.offset) return damaged_contents();
    contents.elements.push_back({value, *node + offset});
    node = next_in_tree(object.image, *node);
  }
  if (pairs && !split_pairs(contents, *value)) return std::nullopt;
  return contents;
}

std::optional<Contents> hash_contents(const ObjectReader& object, bool pairs) {
  const Field table = object.field("_M_h");
  const auto first = object.word("_M_h._M_before_begin._M_nxt");
  const auto count = object.word("_M_h._M_element_count");
  if (!table || !first || !count || table.type->type_arguments.size() < 2) return std::nullopt;
  const Type* value = table.type->type_arguments[1];
  if (value == nullptr) return std::nullopt;
  Contents contents = list_from(object, *value, 8, *first, 0);
  if (contents.form == Form::damaged || contents.total > *count) return damaged_contents();
  if (contents.total < std::min<std::uint64_t>(*count, object.most)) return damaged_contents();
  contents.form = Form::set;
  contents.ordered = false;
  contents.total = *count;
  if (pairs && !split_pairs(contents, *value)) return std::nullopt;
  return contents;
}

}  // namespace

Contents list_from(const ObjectReader& object, const Type& value, std::uint64_t links,
                   std::uint64_t first, std::uint64_t end) {
  Contents contents{.form = Form::sequence};
  const std::uint64_t offset = aligned(links, value);
  std::uint64_t node = first;
  while (node != end && contents.elements.size() < object.most) {
    contents.elements.push_back({&value, node + offset});
    const auto next = word_at(object.image, node);
    if (!next) return damaged_contents();
    node = *next;
  }
  contents.total = contents.elements.size();
  return contents;
}

bool split_pairs(Contents& contents, const Type& pair) {
  const Field key = find_field(pair, "first"), value = find_field(pair, "second");
  if (!key || !value) return false;
  for (Element& element : contents.elements) {
    const std::uint64_t at = element.address;
    element = {value.type, at + value.offset, nullptr, key.type, at + key.offset};
  }
  contents.form = Form::mapping;
  return true;
}

std::optional<Contents> node_container_contents(const ObjectReader& object, std::string_view name) {
  if (name == "list") return list_contents(object);
  if (name == "forward_list") return forward_list_contents(object);
  if (name == "map" || name == "multimap") return tree_contents(object, true);
  if (name == "set" || name == "multiset") return tree_contents(object, false);
  if (name == "unordered_map" || name == "unordered_multimap") return hash_contents(object, true);
  if (name == "unordered_set" || name == "unordered_multiset") return hash_contents(object, false);
  return std::nullopt;
}

}  // namespace gordian
