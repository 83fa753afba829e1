// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/value_compare.h"

#include <algorithm>
#include <cstring>

#include "state/containers.h"
#include "state/type_shape.h"

namespace gordian {
namespace {

constexpr int kDepth = 48;  // objects in objects, by value
constexpr std::uint64_t kComparedAtOnce = 4096;
constexpr std::size_t kMostWords = 32;

}  // namespace

ValueComparer::ValueComparer(MemoryView before, MemoryView after, const ProgramNames& names,
                             CompareOptions options)
    : before_(before), after_(after), names_(names), options_(std::move(options)) {}

std::size_t ValueComparer::PairHash::operator()(const Pair& pair) const {
  std::uint64_t hash = pair.before * 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 29) ^ pair.after) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 32) ^ reinterpret_cast<std::uintptr_t>(pair.type);
}

void ValueComparer::Words::add(std::uint64_t a, std::uint64_t b, std::uint64_t size) {
  if (after.size() >= kMostWords) return;
  before.push_back({a, size});
  after.push_back({b, size});
}

std::vector<Difference> ValueComparer::differences(std::string_view name, const Type& type,
                                                   std::uint64_t before, std::uint64_t after) {
  return walk(name, {&type, before, after, 0, nullptr, type.size});
}

std::vector<Difference> ValueComparer::untyped_differences(std::string_view name,
                                                           std::uint64_t size, std::uint64_t before,
                                                           std::uint64_t after) {
  return walk(name, {nullptr, before, after, 0, nullptr, size});
}

/// Breadth first: of several ways to an object the shortest one names it.
std::vector<Difference> ValueComparer::walk(std::string_view name, Place place) {
  std::vector<Difference> found;
  found_ = &found;
  nodes_ = bytes_ = 0;
  root_ = {place.after, place.size};
  place.path = paths_.start(std::string(name));
  queue_.assign(1, place);
  while (!queue_.empty() && found.size() < options_.limits.differences) {
    const Place next = queue_.front();
    queue_.pop_front();
    if (next.type != nullptr) {
      compare(next, 0);
    } else {
      compare_untyped(next);
    }
  }
  if (!queue_.empty()) truncated_ = true;
  queue_.clear();
  found_ = nullptr;
  return found;
}

/// False when the budget of this variable is used up.
bool ValueComparer::spend(std::uint64_t bytes) {
  ++nodes_;
  bytes_ += std::min(bytes, options_.limits.bytes);
  const bool enough = nodes_ <= options_.limits.nodes && bytes_ <= options_.limits.bytes &&
                      found_->size() < options_.limits.differences;
  if (!enough) truncated_ = true;
  return enough;
}

bool ValueComparer::pointer_free(const Type& type, int depth) {
  const auto known = pointer_free_.find(&type);
  if (known != pointer_free_.end()) return known->second;
  bool free = true;
  if (type.kind == TypeKind::array) {
    const Type* element = type.target();
    free = element != nullptr && depth > 0 && pointer_free(*element, depth - 1);
  } else if (type.kind == TypeKind::structure) {
    free = !type.members.empty() || type.size <= 1;
    for (const Member& member : type.members) {
      free = free && depth > 0 && member.type != nullptr && pointer_free(*member.type, depth - 1);
    }
  } else {
    free = is_plain(type) || type.kind == TypeKind::floating;
  }
  // Too deep is no answer that a shorter way would have to repeat.
  if (depth > 0) pointer_free_.emplace(&type, free);
  return free;
}

/// A quick yes for what has no pointers in it.
bool ValueComparer::unchanged(const Place& place) {
  const std::uint64_t size = place.type->size;
  if (!pointer_free(*place.type)) return false;
  if (options_.changed != nullptr && place.before == place.after &&
      !options_.changed->touches({place.after, size})) {
    return true;
  }
  if (size == 0 || size > kComparedAtOnce) return size == 0;
  char a[kComparedAtOnce], b[kComparedAtOnce];
  const bool there = before_.memory->read(place.before, a, size);
  if (there != after_.memory->read(place.after, b, size)) return false;
  return !there || std::memcmp(a, b, size) == 0;
}

void ValueComparer::compare(const Place& place, int depth) {
  if (!spend(place.type->size <= kComparedAtOnce ? place.type->size : 0)) return;
  if (depth > kDepth) {
    truncated_ = true;
    return;
  }
  if (unchanged(place)) return;
  const std::size_t most = options_.limits.elements;
  const Contents a = contents_of(*before_.memory, *place.type, place.before, most);
  const Contents b = contents_of(*after_.memory, *place.type, place.after, most);
  if (a.form != b.form) return leaf(place);
  compare_known(place, a, b, depth);
}

void ValueComparer::compare_known(const Place& place, const Contents& a, const Contents& b,
                                  int depth) {
  switch (b.form) {
    case Form::plain:
      return compare_plain(place);
    case Form::text:
      return compare_text(place, a, b, depth);
    case Form::sequence:
    case Form::set:
    case Form::mapping:
      return compare_elements(place, a, b, depth);
    case Form::bits:
      return compare_bits(place, a, b);
    case Form::pointer:
      return compare_pointers(place, a, b);
    case Form::maybe:
    case Form::choice:
    case Form::same:
      return compare_one(place, a, b, depth);
    case Form::record:
    case Form::tuple:
      return compare_record(place, a, b, depth);
    case Form::callable:
      return compare_callable(place, a, b);
    case Form::stream:
      return compare_stream(place);
    case Form::unknown:
      return compare_untyped(place);
    case Form::damaged:
      return compare_raw(place);
  }
}

void ValueComparer::compare_plain(const Place& place) {
  Words words;
  if (place.member != nullptr && place.member->bit_size != 0) {
    const auto a = plain_value(*before_.memory, *place.type, place.before, place.member);
    const auto b = plain_value(*after_.memory, *place.type, place.after, place.member);
    if (a == b) return;
    const std::uint64_t bits = place.member->bit_offset + std::uint64_t{place.member->bit_size};
    words.add(place.before, place.after, (bits + 7) / 8);
    return leaf(place, std::move(words));
  }
  // A long double is 10 bytes and padding.
  const bool wide = place.type->kind == TypeKind::floating && place.type->size == 16;
  const std::uint64_t size = wide ? 10 : std::min<std::uint64_t>(place.type->size, 16);
  char a[16] = {}, b[16] = {};
  const bool there = before_.memory->read(place.before, a, size);
  const bool still = after_.memory->read(place.after, b, size);
  if (there == still && std::memcmp(a, b, size) == 0) return;
  words.add(place.before, place.after, place.type->size);
  leaf(place, std::move(words));
}

void ValueComparer::compare_record(const Place& place, const Contents& a, const Contents& b,
                                   int depth) {
  for (std::size_t i = 0; i < b.elements.size() && i < a.elements.size(); ++i) {
    const Element& from = a.elements[i];
    const Element& to = b.elements[i];
    const Member* member = to.member;
    if (member != nullptr && is_vptr(*member)) {
      compare_vptr(place, from, to);
      continue;
    }
    ValuePaths::Id path = place.path;
    if (member == nullptr) {
      path = paths_.get(path, i);
    } else if (!member->name.empty() && !member->is_base) {
      path = paths_.member(path, member->name);
    }
    compare({to.type, from.address, to.address, path, member, to.type->size}, depth + 1);
  }
}

/// An object that was made anew, in place, as one of another class.
void ValueComparer::compare_vptr(const Place& record, const Element& a, const Element& b) {
  const auto from = word_at(*before_.memory, a.address), to = word_at(*after_.memory, b.address);
  if (from == to || !from || !to) return;
  auto name = [this](std::uint64_t table) {
    const Type* type = names_.dynamic_type(table);
    return type != nullptr ? with_article(type_text(*type)) : std::string("of another class");
  };
  Words words;
  words.add(a.address, b.address, 8);
  leaf(record, std::move(words), *from == 0 ? "none" : name(*from), name(*to));
}

/// An object that is at most one other: an optional, a variant, an atomic.
void ValueComparer::compare_one(const Place& place, const Contents& a, const Contents& b,
                                int depth) {
  if (a.total != b.total || a.index != b.index) return leaf(place);
  if (b.elements.empty()) return;
  const Element& from = a.elements[0];
  const Element& to = b.elements[0];
  const std::size_t before = found_->size();
  const ValuePaths::Id path = b.form == Form::maybe ? paths_.target(place.path) : place.path;
  compare({to.type, from.address, to.address, path, nullptr, to.type->size}, depth + 1);
  if (b.form != Form::same || found_->size() != before + 1) return;
  Difference& inner = found_->back();
  if (inner.object.begin != to.address || inner.object.size != to.type->size) return;
  inner.type = type_text(*place.type);
  inner.bare = false;
  inner.old_text += a.suffix;
  inner.new_text += b.suffix;
}

void ValueComparer::compare_callable(const Place& place, const Contents& a, const Contents& b) {
  if (a.target != b.target) return pointer_leaf(place, a.target, b.target);
  if (b.target == 0) return;
  // The same code; what it has captured is not known to us by type.
  for (std::uint64_t at = 0; at + 8 <= std::min<std::uint64_t>(b.total, 64); at += 8) {
    const auto from = word_at(*before_.memory, a.base + at);
    const auto to = word_at(*after_.memory, b.base + at);
    if (!from || !to || !word_differs(place, *from, *to)) continue;
    leaf(place);
    Difference& found = found_->back();
    if (found.old_text == found.new_text) found.new_text += ", with other captures";
    return;
  }
}

void ValueComparer::compare_stream(const Place& place) {
  const auto a = stream_state({*before_.memory, *place.type, place.before, 0});
  const auto b = stream_state({*after_.memory, *place.type, place.after, 0});
  if (!a || !b || a->text == b->text) return;
  leaf(place, changed_words(a->address, b->address, b->size), a->text, b->text);
}

/// Of a class that we know, but in a state that it cannot have: its bytes are all there is.
void ValueComparer::compare_raw(const Place& place) {
  Words words = changed_words(place.before, place.after, place.type->size);
  if (!words.after.empty()) leaf(place, std::move(words));
}

/// Words of the later object, cut at its ends, in which bytes differ.
ValueComparer::Words ValueComparer::changed_words(std::uint64_t before, std::uint64_t after,
                                                  std::uint64_t size) {
  Words words;
  size = std::min<std::uint64_t>(size, 64 * 1024);
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t part = std::min(8 - (after + at) % 8, size - at);
    std::uint64_t a = 0, b = 0;
    const bool there = before_.memory->read(before + at, &a, part);
    const bool still = after_.memory->read(after + at, &b, part);
    if (there != still || a != b) words.add(before + at, after + at, part);
    at += part;
  }
  return words;
}

bool ValueComparer::on_heap(ByteRange object) const {
  if (object.begin >= root_.begin &&
      object.begin - root_.begin < std::max<std::uint64_t>(root_.size, 1))
    return false;
  if (after_.heap->block_of(object.begin)) return true;
  return !names_.modules.empty() && !names_.modules.contains(object.begin);
}

std::string ValueComparer::text(const MemoryView& view, const Place& place,
                                std::uint64_t address) const {
  if (place.type == nullptr) return bytes_text(view, address, place.size);
  return value_text(view, names_, *place.type, address, place.member, options_.limits.text);
}

void ValueComparer::leaf(const Place& place, Words words, std::string old_text,
                         std::string new_text) {
  Difference difference;
  difference.name = paths_.text(place.path);
  difference.type = place.type != nullptr ? type_text(*place.type) : std::string();
  difference.bare = place.type == nullptr || place.type->kind == TypeKind::array;
  difference.old_text = std::move(old_text);
  difference.new_text = std::move(new_text);
  difference.words = std::move(words.after);
  difference.old_words = std::move(words.before);
  difference.object = {place.after, place.type != nullptr ? place.type->size : place.size};
  difference.old_object = {place.before, difference.object.size};
  difference.on_heap = on_heap(difference.object);
  found_->push_back(std::move(difference));
}

void ValueComparer::leaf(const Place& place, Words words) {
  leaf(place, std::move(words), text(before_, place, place.before),
       text(after_, place, place.after));
}

void ValueComparer::leaf(const Place& place) {
  leaf(place, changed_words(place.before, place.after, place.type->size));
}

}  // namespace gordian
