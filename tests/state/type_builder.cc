// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "tests/state/type_builder.h"

#include <algorithm>

namespace gordian::explain_test {
namespace {

std::uint64_t rounded(std::uint64_t size, std::uint64_t to) {
  return (size + to - 1) / to * to;
}

std::uint64_t alignment(const Type* type) {
  std::uint64_t most = 1;
  for (const Member& member : type->members) most = std::max(most, alignment(member.type));
  if (type->kind == TypeKind::array) return alignment(type->target());
  return type->members.empty() ? std::min<std::uint64_t>(type->size, 16) : most;
}

}  // namespace

const Type* TypeBuilder::string() {
  const Type* hider = &structure("std::__cxx11::basic_string<char>::_Alloc_hider", 8,
                                 {{"_M_p", pointer(character), 0}});
  Type& local = add(TypeKind::union_type, "", 16);
  local.members.push_back({"_M_local_buf", array(character, 16)});
  local.members.push_back({"_M_allocated_capacity", uint64});
  Type& type =
      structure("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                32, {{"_M_dataplus", hider, 0}, {"_M_string_length", uint64, 8}}, {character});
  type.members.push_back({"", &local, 16});
  return &type;
}

const Type* TypeBuilder::string_view() {
  return &structure("std::basic_string_view<char, std::char_traits<char> >", 16,
                    {{"_M_len", uint64, 0}, {"_M_str", pointer(character), 8}}, {character});
}

const Type* TypeBuilder::vector(const Type* element) {
  const Type* to = pointer(element);
  const Type* data =
      &structure("data", 24, {{"_M_start", to, 0}, {"_M_finish", to, 8}, {"_M_end", to, 16}});
  const Type* impl = base(data, "impl");
  const Type* whole = &structure("std::_Vector_base", 24, {{"_M_impl", impl, 0}});
  Type& type =
      structure("std::vector<" + element->name + ", std::allocator<" + element->name + "> >", 24,
                {{":", whole, 0}}, {element});
  return &type;
}

const Type* TypeBuilder::bit_vector() {
  const Type* iterator_base = &structure("std::_Bit_iterator_base", 16,
                                         {{"_M_p", pointer(uint64), 0}, {"_M_offset", uint32, 8}});
  const Type* iterator = base(iterator_base, "std::_Bit_iterator");
  const Type* data =
      &structure("data", 40, {{"_M_start", iterator, 0}, {"_M_finish", iterator, 16}});
  const Type* whole = &structure("std::_Bvector_base", 40, {{"_M_impl", base(data, "impl"), 0}});
  return &structure("std::vector<bool, std::allocator<bool> >", 40, {{":", whole, 0}}, {boolean});
}

const Type* TypeBuilder::std_array(const Type* element, std::uint64_t count) {
  return &structure("std::array<" + element->name + ", " + std::to_string(count) + ">",
                    element->size * count, {{"_M_elems", array(element, count), 0}}, {element});
}

const Type* TypeBuilder::deque(const Type* element) {
  const Type* to = pointer(element);
  const Type* iterator = &structure(
      "iterator", 32,
      {{"_M_cur", to, 0}, {"_M_first", to, 8}, {"_M_last", to, 16}, {"_M_node", pointer(to), 24}});
  const Type* data = &structure("data", 80,
                                {{"_M_map", pointer(to), 0},
                                 {"_M_map_size", uint64, 8},
                                 {"_M_start", iterator, 16},
                                 {"_M_finish", iterator, 48}});
  const Type* whole = &structure("std::_Deque_base", 80, {{"_M_impl", base(data, "impl"), 0}});
  return &structure("std::deque<" + element->name + ">", 80, {{":", whole, 0}}, {element});
}

const Type* TypeBuilder::list(const Type* element) {
  const Type* links =
      &structure("std::__detail::_List_node_base", 16,
                 {{"_M_next", pointer(nullptr), 0}, {"_M_prev", pointer(nullptr), 8}});
  const Type* header = &structure("std::__detail::_List_node_header", 24,
                                  {{":", links, 0}, {"_M_size", uint64, 16}});
  const Type* impl = &structure("impl", 24, {{"_M_node", header, 0}});
  const Type* whole = &structure("std::_List_base", 24, {{"_M_impl", impl, 0}});
  return &structure("std::__cxx11::list<" + element->name + ">", 24, {{":", whole, 0}}, {element});
}

const Type* TypeBuilder::forward_list(const Type* element) {
  const Type* head = &structure("std::_Fwd_list_node_base", 8, {{"_M_next", pointer(nullptr), 0}});
  const Type* impl = &structure("impl", 8, {{"_M_head", head, 0}});
  const Type* whole = &structure("std::_Fwd_list_base", 8, {{"_M_impl", impl, 0}});
  return &structure("std::forward_list<" + element->name + ">", 8, {{":", whole, 0}}, {element});
}

const Type* TypeBuilder::pair(const Type* first, const Type* second) {
  const std::uint64_t all = std::max(alignment(first), alignment(second));
  const std::uint64_t at = rounded(first->size, alignment(second));
  return &structure("std::pair<" + first->name + " const, " + second->name + ">",
                    rounded(at + second->size, all), {{"first", first, 0}, {"second", second, at}},
                    {first, second});
}

const Type* TypeBuilder::tree(const Type* key, const Type* value) {
  const Type* to = pointer(nullptr);
  const Type* node = &structure(
      "std::_Rb_tree_node_base", 32,
      {{"_M_color", uint32, 0}, {"_M_parent", to, 8}, {"_M_left", to, 16}, {"_M_right", to, 24}});
  const Type* header = &structure("std::_Rb_tree_header", 40,
                                  {{"_M_header", node, 0}, {"_M_node_count", uint64, 32}});
  const Type* less = &structure("std::_Rb_tree_key_compare", 1, {});
  const Type* impl = &structure("impl", 48, {{":", less, 0}, {":", header, 8}});
  return &structure("std::_Rb_tree", 48, {{"_M_impl", impl, 0}}, {key, value});
}

const Type* TypeBuilder::map(const Type* key, const Type* value, std::string name) {
  return &structure("std::" + name + "<" + key->name + ", " + value->name + ">", 48,
                    {{"_M_t", tree(key, pair(key, value)), 0}}, {key, value});
}

const Type* TypeBuilder::set(const Type* key) {
  return &structure("std::set<" + key->name + ">", 48, {{"_M_t", tree(key, key), 0}}, {key});
}

const Type* TypeBuilder::hash_table(const Type* key, const Type* value) {
  const Type* to = pointer(nullptr);
  const Type* before = &structure("std::__detail::_Hash_node_base", 8, {{"_M_nxt", to, 0}});
  return &structure("std::_Hashtable", 56,
                    {{"_M_buckets", pointer(to), 0},
                     {"_M_bucket_count", uint64, 8},
                     {"_M_before_begin", before, 16},
                     {"_M_element_count", uint64, 24},
                     {"_M_single_bucket", to, 48}},
                    {key, value});
}

const Type* TypeBuilder::unordered_map(const Type* key, const Type* value) {
  return &structure("std::unordered_map<" + key->name + ", " + value->name + ">", 56,
                    {{"_M_h", hash_table(key, pair(key, value)), 0}}, {key, value});
}

const Type* TypeBuilder::unordered_set(const Type* key) {
  return &structure("std::unordered_set<" + key->name + ">", 56,
                    {{"_M_h", hash_table(key, key), 0}}, {key});
}

const Type* TypeBuilder::optional(const Type* value) {
  Type& storage = add(TypeKind::union_type, "std::_Storage", value->size);
  storage.members.push_back({"_M_value", value});
  const std::uint64_t size = rounded(value->size + 1, alignment(value));
  const Type* inner =
      &structure("std::_Optional_payload_base", size,
                 {{"_M_payload", &storage, 0}, {"_M_engaged", boolean, value->size}});
  const Type* payload = base(inner, "std::_Optional_payload");
  const Type* whole = &structure("std::_Optional_base", size, {{"_M_payload", payload, 0}});
  return &structure("std::optional<" + value->name + ">", size, {{":", whole, 0}}, {value});
}

const Type* TypeBuilder::variant(std::vector<const Type*> alternatives) {
  std::uint64_t size = 0, align = 1;
  for (const Type* type : alternatives) {
    size = std::max(size, type->size);
    align = std::max(align, alignment(type));
  }
  size = rounded(size, align);
  const Type* all = &add(TypeKind::union_type, "std::_Variadic_union", size);
  const Type* whole = &structure("std::_Variant_storage", rounded(size + 1, align),
                                 {{"_M_u", all, 0}, {"_M_index", byte, size}});
  return &structure("std::variant<...>", whole->size, {{":", whole, 0}}, std::move(alternatives));
}

const Type* TypeBuilder::tuple(std::vector<Part> elements) {
  const Type* rest = nullptr;
  std::uint64_t end = 8;
  for (const Part& part : elements) end = std::max(end, part.offset + part.type->size);
  for (std::size_t i = elements.size(); i-- > 0;) {
    const Type* head = &structure(
        "std::_Head_base<" + std::to_string(i) + ", " + elements[i].type->name + ", false>",
        elements[i].type->size, {{"_M_head_impl", elements[i].type, 0}});
    std::vector<Part> parts;
    if (rest != nullptr) parts.push_back({":", rest, 0});
    parts.push_back({":", head, elements[i].offset});
    rest = &structure("std::_Tuple_impl<" + std::to_string(i) + ">", end, parts);
  }
  return &structure("std::tuple<...>", end, {{":", rest, 0}});
}

const Type* TypeBuilder::unique_ptr(const Type* target) {
  const Type* deleter = &structure("std::default_delete", 1, {});
  const Type* both = tuple({{"", pointer(target), 0}, {"", deleter, 0}});
  const Type* impl = &structure("std::__uniq_ptr_impl", 8, {{"_M_t", both, 0}});
  return &structure(
      "std::unique_ptr<" + target->name + ", std::default_delete<" + target->name + "> >", 8,
      {{"_M_t", base(impl, "std::__uniq_ptr_data"), 0}}, {target});
}

const Type* TypeBuilder::shared_ptr(const Type* target, std::string name) {
  const Type* counted = &structure("std::_Sp_counted_base", 16,
                                   {{"_M_use_count", int32, 8}, {"_M_weak_count", int32, 12}});
  const Type* count = &structure("std::__shared_count", 8, {{"_M_pi", pointer(counted), 0}});
  const Type* whole = &structure("std::__shared_ptr", 16,
                                 {{"_M_ptr", pointer(target), 0}, {"_M_refcount", count, 8}});
  return &structure("std::" + name + "<" + target->name + ">", 16, {{":", whole, 0}}, {target});
}

const Type* TypeBuilder::atomic(const Type* value) {
  const Type* inner = &structure("std::__atomic_base", value->size, {{"_M_i", value, 0}});
  return &structure("std::atomic<" + value->name + ">", value->size, {{":", inner, 0}}, {value});
}

const Type* TypeBuilder::std_function() {
  const Type* any = &add(TypeKind::union_type, "std::_Any_data", 16);
  const Type* whole = &structure("std::_Function_base", 24,
                                 {{"_M_functor", any, 0}, {"_M_manager", pointer(function), 16}});
  return &structure("std::function<int (int)>", 32,
                    {{":", whole, 0}, {"_M_invoker", pointer(function), 24}});
}

const Type* TypeBuilder::duration(std::string ratio) {
  return &structure("std::chrono::duration<long, std::ratio<" + ratio + "> >", 8,
                    {{"__r", int64, 0}}, {int64});
}

const Type* TypeBuilder::bitset(std::uint64_t bits) {
  const Type* words = array(uint64, (bits + 63) / 64);
  const Type* inner = &structure("std::_Base_bitset", words->size, {{"_M_w", words, 0}});
  return &structure("std::bitset<" + std::to_string(bits) + ">", words->size, {{":", inner, 0}});
}

const Type* TypeBuilder::complex(const Type* part) {
  const Type* value = &add(TypeKind::opaque, "complex", part->size * 2);
  return &structure("std::complex<" + part->name + ">", value->size, {{"_M_value", value, 0}},
                    {part});
}

const Type* TypeBuilder::ostream() {
  const Type* inner = &structure("std::ios_base", 216,
                                 {{"_M_precision", int64, 8},
                                  {"_M_width", int64, 16},
                                  {"_M_flags", uint32, 24},
                                  {"_M_exception", uint32, 28},
                                  {"_M_streambuf_state", uint32, 32}});
  const Type* ios =
      &structure("std::basic_ios<char, std::char_traits<char> >", 264,
                 {{":", inner, 0}, {"_M_fill", character, 224}, {"_M_fill_init", boolean, 225}});
  return &structure("std::basic_ostream<char, std::char_traits<char> >", 8,
                    {{":", ios, 0}, {"_vptr.basic_ostream", pointer(pointer(function)), 0}});
}

}  // namespace gordian::explain_test
