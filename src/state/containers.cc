// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/containers.h"

#include <charconv>

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

std::optional<Contents> array_contents(const ObjectReader& object) {
  const Field elements = object.field("_M_elems");
  if (!elements || elements.type->kind != TypeKind::array) return std::nullopt;
  Contents contents =
      contents_of(object.image, *elements.type, object.address + elements.offset, object.most);
  if (contents.form == Form::text) contents.form = Form::sequence;
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
  Contents contents;
  contents.form = Form::sequence;
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
  Contents contents;
  contents.form = Form::bits;
  contents.fixed = true;
  contents.base = object.address + words.offset;
  const char* digits = object.type.name.data() + open + 1;
  std::from_chars(digits, object.type.name.data() + object.type.name.size(), contents.total);
  if (contents.total > object.type.size * 8) return damaged_contents();
  return contents;
}

}  // namespace

Contents damaged_contents() {
  Contents contents;
  contents.form = Form::damaged;
  return contents;
}

Contents row_contents(const ObjectReader& object, Form form, const Type* element,
                      std::uint64_t base, std::uint64_t total) {
  if (element == nullptr || element->size == 0) return damaged_contents();
  if (total > kMostBytes / element->size) return damaged_contents();
  if (!readable(object.image, base, total * element->size)) return damaged_contents();
  Contents contents;
  contents.form = form;
  contents.row_type = element;
  contents.base = base;
  contents.stride = element->size;
  contents.total = total;
  return contents;
}

Contents bit_contents(const ObjectReader& object, std::uint64_t base, std::uint64_t total) {
  if (total > kMostBytes || !readable(object.image, base, (total + 7) / 8)) {
    return damaged_contents();
  }
  Contents contents;
  contents.form = Form::bits;
  contents.base = base;
  contents.total = total;
  return contents;
}

std::optional<Contents> container_contents(const ObjectReader& object) {
  const std::string_view name = std_class(object.type);
  if (name.empty()) return std::nullopt;
  if (name == "basic_string") {
    return string_contents(object, "_M_dataplus._M_p", "_M_string_length");
  }
  if (name == "basic_string_view") return string_contents(object, "_M_str", "_M_len");
  if (name == "vector") return vector_contents(object);
  if (name == "array") return array_contents(object);
  if (name == "deque") return deque_contents(object);
  if (name == "bitset") return bitset_contents(object);
  if (name == "initializer_list") return span_contents(object, "_M_array", "_M_len");
  return node_container_contents(object, name);
}

}  // namespace gordian
