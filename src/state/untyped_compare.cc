// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Bytes without a type. Words that point to blocks of the heap in both images are taken as
// pointers; everything else is compared as it is.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "state/containers.h"
#include "state/value_compare.h"
#include "state/value_text.h"

namespace gordian {
namespace {

// Without debug information a std::string is 32 bytes. Those of libstdc++ give themselves away: a
// short one points into itself, a long one to a block of the heap that its capacity fits into, and
// a zero ends the text. For the x86-64 ABI.

constexpr std::uint64_t kStringSize = 32;

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

/// The text of what looks like a std::string of readable characters; nullopt: it does not.
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

constexpr std::uint64_t kMostBytes = 1 << 20;

/// The end of a block may be more than was asked for: what lies there may be left from an earlier
/// use. Nobody asks for less than a word, and the smallest block has three.
std::uint64_t surely_used(std::uint64_t block_size) {
  return block_size <= 24 ? std::min<std::uint64_t>(block_size, 8) : block_size - 8;
}

std::string quoted(std::string text) {
  constexpr std::size_t kLongestRun = 200;
  const std::size_t length = text.size();
  if (length > kLongestRun) text.resize(kLongestRun);
  text = '"' + escaped(text, '"') + '"';
  return length > kLongestRun ? text + fmt::format("... ({} characters)", length) : text;
}

}  // namespace

/// True when both look like a class that is known, and that settles it.
bool ValueComparer::compare_by_shape(const Place& place) {
  if (place.type != nullptr || place.in_block) return false;
  return compare_strings_by_shape(place) || compare_streams_by_layout(place);
}

bool ValueComparer::compare_strings_by_shape(const Place& place) {
  if (place.size != kStringSize) return false;
  const auto from = string_by_shape(before_, place.before);
  const auto to = string_by_shape(after_, place.after);
  if (!from || !to || *from == *to) return from && to;
  Words words = changed_words(place.before, place.after, place.size);
  if (words.after.empty()) return false;  // its characters lie elsewhere
  leaf(place, std::move(words), quoted(*from), quoted(*to));
  found_->back().type = "std::string by its shape";
  found_->back().bare = false;
  return true;
}

/// Other parts of a stream than its format have no text: bytes tell of these.
bool ValueComparer::compare_streams_by_layout(const Place& place) {
  const auto from = stream_by_layout(*before_.memory, place.before, place.size);
  const auto to = stream_by_layout(*after_.memory, place.after, place.size);
  if (!from || !to || from->text == to->text) return false;
  Words words = changed_words(from->address, to->address, to->size);
  if (words.after.empty()) words = changed_words(place.before, place.after, place.size);
  leaf(place, std::move(words), from->text, to->text);
  found_->back().type = "stream by its layout";
  found_->back().bare = false;
  return true;
}

void ValueComparer::compare_untyped(const Place& place) {
  if (!spend(std::min(place.size, kMostBytes))) return;
  if (compare_by_shape(place)) return;
  if (place.size > kMostBytes) truncated_ = true;
  const std::uint64_t size = std::min(place.size, kMostBytes);
  Words words;
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t part = std::min(8 - (place.after + at) % 8, size - at);
    std::uint64_t from = 0, to = 0;
    const bool there = before_.memory->read(place.before + at, &from, part);
    const bool still = after_.memory->read(place.after + at, &to, part);
    if (!there && !still) break;
    const bool last_word = place.in_block && size - at <= 8;
    const bool follow = part == 8 && !last_word;
    const bool differs = follow ? word_differs(place, from, to) : from != to;
    if (there != still || differs) words.add(place.before + at, place.after + at, part);
    at += part;
  }
  if (!words.after.empty()) untyped_leaf(place, std::move(words));
}

/// The rest of a block, as far as it means something.
ValueComparer::Place ValueComparer::block_place(const Place& pointer, std::uint64_t before,
                                                std::uint64_t after, std::uint64_t size) {
  if (before != after) size = surely_used(size);
  return {nullptr, before, after, paths_.target(pointer.path), nullptr, size, true};
}

/// Whether two words mean different things. Blocks that they point to are compared later.
bool ValueComparer::word_differs(const Place& place, std::uint64_t before, std::uint64_t after) {
  if (before == 0 || after == 0) return before != after;
  const auto from = before_.heap->block_of(before), to = after_.heap->block_of(after);
  if (!from || !to) return before != after;
  if (from->end() - before != to->end() - after) return true;
  if (retargeted(before, after)) return true;
  enqueue(block_place(place, before, after, to->end() - after));
  return false;
}

/// A word has a value; of more, the text shows the first that differs and where it is.
void ValueComparer::untyped_leaf(const Place& place, Words words) {
  const bool is_union = place.type != nullptr && place.type->kind == TypeKind::union_type;
  if (is_union) return leaf(place, std::move(words));  // its members can be shown
  auto describe = [&](const MemoryView& view, std::uint64_t base, std::uint64_t address) {
    const std::uint64_t size = place.size <= 8 ? place.size : words.after[0].size;
    const std::uint64_t at = place.size <= 8 ? base : address;
    const auto word = size == 8 ? word_at(*view.memory, at) : std::nullopt;
    const auto block = word ? view.heap->block_of(*word) : std::nullopt;
    std::string text = block ? fmt::format("pointer to {} bytes", block->end() - *word)
                             : bytes_text(view, at, size);
    return at == base ? text : text + fmt::format(" (at +{})", at - base);
  };
  std::string from = describe(before_, place.before, words.before[0].begin);
  std::string to = describe(after_, place.after, words.after[0].begin);
  leaf(place, std::move(words), std::move(from), std::move(to));
}

}  // namespace gordian
