// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/string_shape.h"

#include <algorithm>

namespace gordian {
namespace {

constexpr std::uint64_t kOwnBuffer = 16, kOwnCapacity = 15;
constexpr std::uint64_t kLongest = 1 << 20;

struct Head {
  std::uint64_t data, length, capacity;  // the capacity only of a long one
};

/// Where its characters are has room for them.
bool has_room(const MemoryView& view, const Head& head, std::uint64_t address) {
  if (head.data == address + kOwnBuffer) return head.length <= kOwnCapacity;
  const auto block = view.heap->block_of(head.data);
  return block && block->begin == head.data && head.length <= head.capacity &&
         head.capacity > kOwnCapacity && head.capacity < block->size;
}

bool is_readable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

std::optional<std::string> string_by_shape(const MemoryView& view, std::uint64_t address) {
  const auto head = view.memory->value<Head>(address);
  if (!head || head->length > kLongest || !has_room(view, *head, address)) return std::nullopt;
  std::string text(head->length + 1, 'x');
  if (!view.memory->read(head->data, text.data(), text.size()) || text.back() != '\0') {
    return std::nullopt;
  }
  text.pop_back();
  if (!std::all_of(text.begin(), text.end(), is_readable)) return std::nullopt;
  return text;
}

}  // namespace gordian
