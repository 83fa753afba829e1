// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/containers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace gordian {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

bool readable(const MemoryImage& image, std::uint64_t begin, std::uint64_t size) {
  return size == 0 || (image.value<char>(begin) && image.value<char>(begin + size - 1));
}

std::optional<Contents> string_contents(const ObjectReader& object, std::string_view data,
                                        std::string_view length) {
  const Field pointer = object.field(data);
  const auto base = object.word(data), total = object.word(length);
  if (!pointer || !object.field(length)) return std::nullopt;
  if (!base || !total) return damaged_contents();
  const Type* character = pointer.type->target();
  if (character == nullptr || character->size == 0) character = object.argument(0);
  return row_contents(object, Form::text, character, *base, *total);
}

std::optional<Contents> bit_vector(const ObjectReader& object) {
  const auto begin = object.word("_M_impl._M_start._M_p");
  const auto end = object.word("_M_impl._M_finish._M_p");
  const Field rest = object.field("_M_impl._M_finish._M_offset");
  if (!begin || !end || !rest) return std::nullopt;
  const auto bits = object.image.value<std::uint32_t>(object.address + rest.offset);
  if (!bits || *end < *begin || *bits >= 64 || *end - *begin > kMostBytes)
    return damaged_contents();
  return bit_contents(object, *begin, (*end - *begin) * 8 + *bits);
}

std::optional<Contents> vector_contents(const ObjectReader& object) {
  const Field start = object.field("_M_impl._M_start");
  if (!start) return std::nullopt;
  if (start.type->kind != TypeKind::pointer) return bit_vector(object);
  const auto begin = object.word("_M_impl._M_start"), end = object.word("_M_impl._M_finish");
  const Type* element = start.type->target();
  if (element == nullptr) element = object.argument(0);
  if (element == nullptr || element->size == 0) return std::nullopt;
  if (!begin || !end || *end < *begin || (*end - *begin) % element->size != 0) {
    return damaged_contents();
  }
  return row_contents(object, Form::sequence, element, *begin, (*end - *begin) / element->size);
}

std::optional<Contents> span_contents(const ObjectReader& object, std::string_view data,
                                      std::string_view length) {
  auto contents = string_contents(object, data, length);
  if (contents && contents->form == Form::text) contents->form = Form::sequence;
  return contents;
}

/// The addresses of a deque's elements, walked from block to block of its map.
std::optional<Contents> deque_contents(const ObjectReader& object) {
  const Field cursor = object.field("_M_impl._M_start._M_cur");
  const Type* element = cursor ? cursor.type->target() : nullptr;
  if (element == nullptr) element = object.argument(0);
  if (!cursor || element == nullptr || element->size == 0) return std::nullopt;
  auto at = object.word("_M_impl._M_start._M_cur"), last = object.word("_M_impl._M_start._M_last");
  auto node = object.word("_M_impl._M_start._M_node");
  const auto end = object.word("_M_impl._M_finish._M_cur");
  const auto end_first = object.word("_M_impl._M_finish._M_first");
  const auto end_node = object.word("_M_impl._M_finish._M_node");
  if (!at || !last || !node || !end || !end_first || !end_node) return damaged_contents();
  const std::uint64_t size = element->size, per_block = size < 512 ? 512 / size : 1;
  const std::uint64_t blocks = (*end_node - *node) / 8;
  if (*end_node < *node || blocks > kMostBytes || *last < *at || *end < *end_first) {
    return damaged_contents();
  }
  Contents contents{.form = Form::sequence};
  contents.total =
      blocks == 0 ? (*end - *at) / size
                  : (*last - *at) / size + (blocks - 1) * per_block + (*end - *end_first) / size;
  if (contents.total > kMostBytes) return damaged_contents();
  while (contents.elements.size() < std::min<std::uint64_t>(contents.total, object.most)) {
    if (*at == *last) {
      at = word_at(object.image, *node += 8);
      if (!at) return damaged_contents();
      last = *at + per_block * size;
    }
    contents.elements.push_back({element, *at});
    *at += size;
  }
  return contents;
}

std::optional<Contents> bitset_contents(const ObjectReader& object) {
  const Field words = object.field("_M_w");
  const std::size_t open = object.type.name.find('<');
  if (!words || open == std::string::npos) return std::nullopt;
  Contents contents{.form = Form::bits, .base = object.address + words.offset, .fixed = true};
  const char* digits = object.type.name.data() + open + 1;
  std::from_chars(digits, object.type.name.data() + object.type.name.size(), contents.total);
  if (contents.total > object.type.size * 8) return damaged_contents();
  return contents;
}

std::optional<Contents> optional_contents(const ObjectReader& object) {
  Field payload = object.field("_M_payload");
  if (!payload) return std::nullopt;
  const ObjectReader inner = object.inside(payload);
  const Field engaged = inner.field("_M_engaged"), value = inner.field("_M_payload._M_value");
  const Type* type = value ? value.type : object.argument(0);
  const Field storage = value ? value : inner.field("_M_payload");
  if (!engaged || !storage || type == nullptr) return std::nullopt;
  return maybe_contents(inner, engaged, {type, inner.address + storage.offset});
}

std::optional<Contents> variant_contents(const ObjectReader& object) {
  const Field index = object.field("_M_index"), storage = object.field("_M_u");
  const auto& types = object.type.type_arguments;
  if (!index || !storage || types.empty() || index.type->size > 8) return std::nullopt;
  std::uint64_t value = 0;
  if (!object.image.read(object.address + index.offset, &value, index.type->size)) {
    return damaged_contents();
  }
  Contents contents{.form = Form::choice, .index = value};
  if (value < types.size()) {
    if (types[value] == nullptr) return std::nullopt;
    contents.elements.push_back({types[value], object.address + storage.offset});
  } else if (value != (~std::uint64_t{0} >> (64 - 8 * index.type->size))) {
    return damaged_contents();
  }
  contents.total = contents.elements.size();
  return contents;
}

/// A tuple is a chain of bases, each with one _Head_base<index, type, ...>, the last one first.
void add_heads(const Type& type, std::uint64_t address, int depth, std::vector<Element>& to) {
  if (depth == 0) return;
  for (const Member& member : type.members) {
    if (!member.is_base || member.type == nullptr || to.size() >= 64) continue;
    const std::uint64_t at = address + member.offset;
    if (member.type->name.find("_Head_base<") == std::string::npos) {
      add_heads(*member.type, at, depth - 1, to);
    } else if (const Field head = find_field(*member.type, "_M_head_impl")) {
      to.push_back({head.type, at + head.offset});
    } else if (!member.type->members.empty() && member.type->members[0].type) {
      to.push_back({member.type->members[0].type, at});  // an empty class, as a base
    }
  }
}

std::vector<Element> tuple_elements(const Type& type, std::uint64_t address) {
  std::vector<Element> elements;
  for (const Member& member : type.members) {
    if (!member.is_base || member.type == nullptr) continue;
    // Each _Tuple_impl has the rest as its first base and its own head as the second.
    std::vector<Element> chain;
    add_heads(*member.type, address + member.offset, 64, chain);
    std::reverse(chain.begin(), chain.end());
    elements.insert(elements.end(), chain.begin(), chain.end());
  }
  return elements;
}

std::optional<Contents> tuple_contents(const ObjectReader& object) {
  Contents contents;
  contents.form = Form::tuple;
  contents.elements = tuple_elements(object.type, object.address);
  contents.total = contents.elements.size();
  if (contents.total == 0 && object.type.size > 1) return std::nullopt;
  return contents;
}

std::optional<Contents> pointer_in(const ObjectReader& object, std::uint64_t at, const Type* type) {
  const auto target = word_at(object.image, at);
  if (!target) return damaged_contents();
  Contents contents{.form = Form::pointer,
                    .target = *target,
                    .target_type = type != nullptr ? type->target() : nullptr};
  if (contents.target_type == nullptr) contents.target_type = object.argument(0);
  return contents;
}

/// A unique_ptr keeps its pointer at the head of a tuple with the deleter.
std::optional<Contents> unique_pointer(const ObjectReader& object) {
  const Field data = object.field("_M_t");
  if (!data) return std::nullopt;
  const Field inner = find_field(*data.type, "_M_t");
  const Type& tuple = inner ? *inner.type : *data.type;
  const std::uint64_t at = object.address + data.offset + (inner ? inner.offset : 0);
  const auto elements = tuple_elements(tuple, at);
  if (elements.empty() || elements[0].type->kind != TypeKind::pointer) return std::nullopt;
  return pointer_in(object, elements[0].address, elements[0].type);
}

std::optional<Contents> shared_pointer(const ObjectReader& object, bool weak) {
  const Field pointer = object.field("_M_ptr");
  if (!pointer) return std::nullopt;
  auto contents = pointer_in(object, object.address + pointer.offset, pointer.type);
  if (!weak || contents->form != Form::pointer) return contents;
  const Field counter = object.field("_M_refcount._M_pi");
  const Type* base = counter ? counter.type->target() : nullptr;
  const Field uses = base != nullptr ? find_field(*base, "_M_use_count") : Field{};
  const auto at = counter ? word_at(object.image, object.address + counter.offset) : std::nullopt;
  if (!uses || !at || *at == 0) return contents;
  contents->expired = object.image.value<std::int32_t>(*at + uses.offset).value_or(0) <= 0;
  return contents;
}

/// Its manager tells what is in it; a plain function stands in its first word.
std::optional<Contents> function_contents(const ObjectReader& object) {
  const Field stored = object.field("_M_functor");
  const auto manager = object.word("_M_manager");
  if (!stored || !manager) return std::nullopt;
  return Contents{.form = Form::callable,
                  .total = stored.type->size,
                  .base = object.address + stored.offset,
                  .target = *manager};
}

std::string unit_of(const Type& duration) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kUnits{{
      {"std::ratio<1, 1000000000>", " ns"},
      {"std::ratio<1, 1000000>", " us"},
      {"std::ratio<1, 1000>", " ms"},
      {"std::ratio<1, 1>", " s"},
      {"std::ratio<60, 1>", " min"},
      {"std::ratio<3600, 1>", " h"},
      {"std::ratio<86400, 1>", " d"},
      {"std::ratio<604800, 1>", " weeks"},
  }};
  std::string name;
  for (char c : duration.name) {
    const bool suffix = c == 'l' && !name.empty() && name.back() >= '0' && name.back() <= '9';
    if (!suffix) name += c;  // "1000l" with some compilers
  }
  for (const auto& [ratio, unit] : kUnits) {
    if (name.find(ratio) != name.npos) return std::string(unit);
  }
  return " ticks";
}

std::optional<Contents> complex_contents(const ObjectReader& object) {
  const Type* part = object.argument(0);
  if (part == nullptr || part->size * 2 != object.type.size) return std::nullopt;
  return Contents{.form = Form::tuple,
                  .total = 2,
                  .elements = {{part, object.address}, {part, object.address + part->size}}};
}

std::optional<Contents> pair_contents(const ObjectReader& object) {
  const Field first = object.field("first"), second = object.field("second");
  if (!first || !second) return std::nullopt;
  Contents contents{.form = Form::tuple, .total = 2};
  for (const Member& member : object.type.members) {
    if (member.name == "first" || member.name == "second") {
      contents.elements.push_back({member.type, object.address + member.offset, &member});
    }
  }
  return contents;
}

std::optional<Contents> stream_contents(const ObjectReader& object) {
  if (!stream_state(object)) return std::nullopt;
  return Contents{.form = Form::stream};
}

}  // namespace

Contents damaged_contents() {
  return Contents{.form = Form::damaged};
}

Contents row_contents(const ObjectReader& object, Form form, const Type* element,
                      std::uint64_t base, std::uint64_t total) {
  if (element == nullptr || element->size == 0) return damaged_contents();
  if (total > kMostBytes / element->size) return damaged_contents();
  if (!readable(object.image, base, total * element->size)) return damaged_contents();
  return Contents{
      .form = form, .total = total, .row_type = element, .base = base, .stride = element->size};
}

std::optional<Contents> array_contents(const ObjectReader& object, std::string_view path) {
  const Field elements = object.field(path);
  if (!elements || elements.type->kind != TypeKind::array) return std::nullopt;
  Contents contents =
      contents_of(object.image, *elements.type, object.address + elements.offset, object.most);
  if (contents.form == Form::text) contents.form = Form::sequence;
  return contents;
}

std::optional<Contents> same_as(const ObjectReader& object,
                                std::initializer_list<std::string_view> paths, std::string suffix) {
  for (std::string_view path : paths) {
    const Field inner = object.field(path);
    if (!inner) continue;
    return Contents{.form = Form::same,
                    .total = 1,
                    .elements = {{inner.type, object.address + inner.offset}},
                    .suffix = std::move(suffix)};
  }
  return std::nullopt;
}

Contents maybe_contents(const ObjectReader& object, const Field& engaged, const Element& value) {
  const auto there = object.image.value<unsigned char>(object.address + engaged.offset);
  if (!there || *there > 1) return damaged_contents();
  Contents contents{.form = Form::maybe, .total = *there};
  if (*there) contents.elements.push_back(value);
  return contents;
}

Contents bit_contents(const ObjectReader& object, std::uint64_t base, std::uint64_t total) {
  if (total > kMostBytes || !readable(object.image, base, (total + 7) / 8)) {
    return damaged_contents();
  }
  return Contents{.form = Form::bits, .total = total, .base = base};
}

std::optional<Contents> container_contents(const ObjectReader& object) {
  const std::string_view name = std_class(object.type);
  if (name.empty()) return std::nullopt;
  if (name == "basic_string") {
    return string_contents(object, "_M_dataplus._M_p", "_M_string_length");
  }
  if (name == "basic_string_view") return string_contents(object, "_M_str", "_M_len");
  if (name == "vector") return vector_contents(object);
  if (name == "array") return array_contents(object, "_M_elems");
  if (name == "deque") return deque_contents(object);
  if (name == "bitset") return bitset_contents(object);
  if (name == "initializer_list") return span_contents(object, "_M_array", "_M_len");
  return node_container_contents(object, name);
}

std::optional<Contents> std_value_contents(const ObjectReader& object) {
  const std::string_view name = std_class(object.type);
  if (name.empty()) return std::nullopt;
  if (name == "optional") return optional_contents(object);
  if (name == "variant") return variant_contents(object);
  if (name == "tuple") return tuple_contents(object);
  if (name == "pair") return pair_contents(object);
  if (name == "unique_ptr") return unique_pointer(object);
  if (name == "shared_ptr") return shared_pointer(object, false);
  if (name == "weak_ptr") return shared_pointer(object, true);
  if (name == "reference_wrapper") return same_as(object, {"_M_data"});
  if (name == "function") return function_contents(object);
  if (name == "chrono::duration") return same_as(object, {"__r"}, unit_of(object.type));
  if (name == "chrono::time_point") return same_as(object, {"__d"});
  if (name == "complex") return complex_contents(object);
  if (name == "queue" || name == "stack" || name == "priority_queue") return same_as(object, {"c"});
  if (name == "filesystem::path" || name == "filesystem::__cxx11::path") {
    return same_as(object, {"_M_pathname"});
  }
  if (name == "atomic" || name == "atomic_flag" || name.substr(0, 13) == "__atomic_base") {
    return same_as(object, {"_M_i", "_M_base", "_M_b", "_M_p", "_M_fp"});
  }
  if (name.find("stream") != name.npos || name == "basic_ios") return stream_contents(object);
  return std::nullopt;
}

}  // namespace gordian
