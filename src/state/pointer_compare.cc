// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pointers: whether they mean the same, and what they lead to. What cannot be settled by looking
// (an object replaced by an equal one, a block that may hold one object or several) is decided so
// that no difference is invented where the bytes do not show one.
#include <fmt/format.h>

#include <algorithm>

#include "state/type_shape.h"
#include "state/value_compare.h"

namespace gordian {
namespace {

constexpr std::size_t kNamedElements = 4;
constexpr std::uint64_t kSmallestBlock = 24;  // malloc hands out no less
constexpr std::uint64_t kSlack = 15;          // at most this much more than was asked for

/// `count` objects of `type` from `base` on.
Contents row_of(const Type& type, std::uint64_t base, std::uint64_t count) {
  return Contents{.form = Form::sequence,
                  .total = count,
                  .row_type = &type,
                  .base = base,
                  .stride = type.size,
                  .fixed = true};
}

}  // namespace

void ValueComparer::compare_pointers(const Place& place, const Contents& a, const Contents& b) {
  const bool differ = a.expired != b.expired || (a.target == 0) != (b.target == 0);
  if (differ) return pointer_leaf(place, a.target, b.target);
  if (b.target == 0 || b.expired) return;
  const Type* type = b.target_type;
  if (type != nullptr && type->kind == TypeKind::function) {
    if (a.target != b.target) pointer_leaf(place, a.target, b.target);
    return;
  }
  if (type != nullptr && is_char(*type) && compare_c_strings(place, a, b)) return;
  if (retargeted(a.target, b.target)) return pointer_leaf(place, a.target, b.target);
  if (a.target == b.target && options_.roots && options_.roots->contains(b.target)) return;
  const bool was_gone = gone(before_, a.target), is_gone = gone(after_, b.target);
  if (was_gone != is_gone || (is_gone && a.target != b.target)) {
    return pointer_leaf(place, a.target, b.target);
  }
  if (is_gone) return;
  if (type == nullptr || type->size == 0 || type->kind == TypeKind::opaque) {
    return follow_untyped(place, a.target, b.target);
  }
  follow(place, *type, a.target, b.target);
}

/// False when one of them is no string.
bool ValueComparer::compare_c_strings(const Place& place, const Contents& a, const Contents& b) {
  const auto from = c_string_length(*before_.memory, a.target);
  const auto to = c_string_length(*after_.memory, b.target);
  if (!from || !to) return false;
  const Contents old_text = row_of(*b.target_type, a.target, *from);
  const Contents new_text = row_of(*b.target_type, b.target, *to);
  if (*from == *to && differing_in_row(old_text, new_text, 1).empty()) return true;
  Words words = changed_words(place.before, place.after, 8);
  if (words.after.empty()) words = changed_words(a.target, b.target, std::min(*from, *to) + 1);
  leaf(place, std::move(words));
  return true;
}

void ValueComparer::pointer_leaf(const Place& place, std::uint64_t before, std::uint64_t after) {
  leaf(place);
  Difference& difference = found_->back();
  if (difference.old_text != difference.new_text || before == after) return;
  difference.old_text += fmt::format(" at {:#x}", before);
  difference.new_text += fmt::format(" at {:#x}", after);
}

bool ValueComparer::is_static(const MemoryView& view, std::uint64_t address) const {
  if (!names_.modules.empty()) return names_.modules.contains(address);
  return view.heap->size() != 0 && !view.heap->block_of(address) && !view.heap->is_free(address);
}

/// Another object than before, not the same one at another address.
bool ValueComparer::retargeted(std::uint64_t before, std::uint64_t after) {
  const auto forth = renamed_.try_emplace(before, after).first;
  const auto back = renamed_back_.try_emplace(after, before).first;
  if (before == after) return false;
  if (is_static(before_, before) || is_static(after_, after)) return true;
  return forth->second != after || back->second != before;
}

bool ValueComparer::gone(const MemoryView& view, std::uint64_t address) const {
  return view.heap->is_free(address) || !view.memory->value<char>(address);
}

void ValueComparer::follow(const Place& pointer, const Type& type, std::uint64_t before,
                           std::uint64_t after) {
  const Element from = pointee_of(*before_.memory, names_, type, before);
  const Element to = pointee_of(*after_.memory, names_, type, after);
  if (from.type != to.type) return pointer_leaf(pointer, before, after);
  if (is_framework_type(*to.type) && !options_.enter_framework) return;
  const bool reference = pointer.type != nullptr && pointer.type->is_reference;
  if (!reference && follow_array(pointer, type, before, after)) return;
  const ValuePaths::Id path = reference ? pointer.path : paths_.target(pointer.path);
  enqueue({to.type, from.address, to.address, path, nullptr, to.type->size});
}

void ValueComparer::follow_untyped(const Place& pointer, std::uint64_t before,
                                   std::uint64_t after) {
  const auto from = before_.heap->block_of(before), to = after_.heap->block_of(after);
  if (!from || !to) {
    if (before != after) pointer_leaf(pointer, before, after);
    return;
  }
  const std::uint64_t size = to->end() - after;
  if (from->end() - before != size) return pointer_leaf(pointer, before, after);
  enqueue(block_place(pointer, before, after, size));
}

void ValueComparer::enqueue(const Place& place) {
  if (!visited_.insert({place.before, place.after, place.type}).second) return;
  if (queue_.size() + nodes_ > options_.limits.nodes) {
    truncated_ = true;
    return;
  }
  queue_.push_back(place);
}

/// How many objects of `type` begin there, 1 when in doubt. Blocks are a little larger than what
/// was asked for; where a block has moved, the rest of it may be anything and is left out.
std::uint64_t ValueComparer::array_length(const Type& type, std::uint64_t before,
                                          std::uint64_t after) const {
  const auto from = before_.heap->block_of(before), to = after_.heap->block_of(after);
  if (!from || !to || type.size == 0 || has_vptr(type)) return 1;
  const std::uint64_t room = std::min(from->end() - before, to->end() - after);
  if (before - from->begin == 8 && after - to->begin == 8) {  // new T[n] notes n for destructors
    const auto old_count = word_at(*before_.memory, before - 8);
    const auto count = word_at(*after_.memory, after - 8);
    if (old_count == count && count && *count <= room / type.size) return *count;
    return 1;
  }
  if (before != from->begin || after != to->begin) return 1;
  const bool simple = is_plain(type) || type.kind == TypeKind::pointer;
  if (!simple && room % type.size > kSlack) return 1;
  if (before == after) return room / type.size;
  return room <= kSmallestBlock ? 1 : (room - kSlack + type.size - 1) / type.size;
}

bool ValueComparer::follow_array(const Place& pointer, const Type& type, std::uint64_t before,
                                 std::uint64_t after) {
  const std::uint64_t count = array_length(type, before, after);
  if (count < 2 || !arrays_.insert({before, after, &type}).second) return false;
  if (is_plain(type)) {
    return follow_plain_array(pointer, row_of(type, before, count), row_of(type, after, count));
  }
  for (std::uint64_t i = 1; i < count && spend(); ++i) {
    const std::uint64_t at = i * type.size;
    if (unchanged({&type, before + at, after + at, 0, nullptr, 0})) continue;
    enqueue({&type, before + at, after + at, paths_.index(pointer.path, i), nullptr, type.size});
  }
  return false;
}

bool ValueComparer::follow_plain_array(const Place& pointer, Contents a, Contents b) {
  const auto differing = differing_in_row(a, b, kNamedElements + 1);
  if (differing.size() <= kNamedElements) {
    for (std::uint64_t i : differing) {
      if (i == 0) continue;  // named by the pointer alone
      enqueue({b.row_type, a.at(i).address, b.at(i).address, paths_.index(pointer.path, i), nullptr,
               b.stride});
    }
    return false;
  }
  Type all;
  all.kind = TypeKind::array;
  all.name = b.row_type->name + "[" + std::to_string(b.total) + "]";
  all.count = b.total;
  all.size = b.total * b.stride;
  all.target = [element = b.row_type] { return element; };
  const Place place{&all, a.base, b.base, paths_.target(pointer.path), nullptr, all.size};
  leaf(place, changed_words(a.base, b.base, all.size));
  return true;
}

}  // namespace gordian
