// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A container is one leaf, unless its elements can be told apart and only one of them differs
// (a few in an array, whose elements are rather members).
#include <algorithm>
#include <cstring>
#include <map>

#include "state/type_shape.h"
#include "state/value_compare.h"

namespace gordian {
namespace {

constexpr std::size_t kNamedInArray = 4;
constexpr std::uint64_t kChunk = 4096;
constexpr TextLimits kKeyText{1000, 64, 4};

std::size_t named_elements(const Contents& contents) {
  if (contents.form == Form::set) return 0;
  return contents.fixed ? kNamedInArray : 1;
}

}  // namespace

void ValueComparer::compare_text(const Place& place, const Contents& a, const Contents& b,
                                 int depth) {
  if (b.fixed) {  // a buffer: a string first, but perhaps not only
    const auto from = c_string_length(*before_.memory, a.base, a.total).value_or(a.total);
    const auto to = c_string_length(*after_.memory, b.base, b.total).value_or(b.total);
    Contents old_text = a, new_text = b;
    old_text.total = from;
    new_text.total = to;
    const bool same = from == to && differing_in_row(old_text, new_text, 1).empty();
    return same ? compare_row(place, a, b, depth) : leaf(place);
  }
  if (a.total != b.total || !differing_in_row(a, b, 1).empty()) container_leaf(place, a, b);
}

void ValueComparer::compare_bits(const Place& place, const Contents& a, const Contents& b) {
  if (a.total != b.total) return leaf(place);
  const std::uint64_t whole = b.total / 8, rest = b.total % 8;
  Contents bytes_a = a, bytes_b = b;
  Type byte;
  byte.kind = TypeKind::natural;
  byte.size = 1;
  bytes_a.row_type = bytes_b.row_type = &byte;
  bytes_a.stride = bytes_b.stride = 1;
  bytes_a.total = bytes_b.total = whole;
  bool differ = !differing_in_row(bytes_a, bytes_b, 1).empty();
  if (!differ && rest != 0) {
    const int mask = (1 << rest) - 1;
    const int from = before_.memory->value<unsigned char>(a.base + whole).value_or(0);
    const int to = after_.memory->value<unsigned char>(b.base + whole).value_or(0);
    differ = ((from ^ to) & mask) != 0;
  }
  bytes_a.total = bytes_b.total = (b.total + 7) / 8;
  if (differ) container_leaf(place, bytes_a, bytes_b);
}

/// Its bookkeeping differs; or else elements do, and `parts` or their row say where.
void ValueComparer::container_leaf(const Place& place, const Contents& a, const Contents& b,
                                   const std::vector<Difference>& parts) {
  Words words = changed_words(place.before, place.after, place.type->size);
  if (words.after.empty() && b.in_a_row() && a.total == b.total) {
    words = changed_words(a.base, b.base, b.total * b.stride);
  }
  if (words.after.empty()) {
    for (const Difference& part : parts) {
      for (std::size_t i = 0; i < part.words.size(); ++i) {
        words.add(part.old_words[i].begin, part.words[i].begin, part.words[i].size);
      }
    }
  }
  leaf(place, std::move(words));
}

/// The first `most` elements that differ, of plain ones in a row.
std::vector<std::uint64_t> ValueComparer::differing_in_row(const Contents& a, const Contents& b,
                                                           std::size_t most) {
  std::vector<std::uint64_t> found;
  const std::uint64_t size = b.stride, per_chunk = std::max<std::uint64_t>(kChunk / size, 1);
  if (size > kChunk) return found;
  if (options_.changed != nullptr && a.base == b.base &&
      !options_.changed->touches({b.base, b.total * size})) {
    return found;
  }
  unsigned char from[kChunk], to[kChunk];
  for (std::uint64_t i = 0; i < b.total && found.size() < most; i += per_chunk) {
    const std::uint64_t count = std::min(per_chunk, b.total - i);
    if (!spend(count * size)) break;
    const bool there = before_.memory->read(a.base + i * size, from, count * size);
    const bool still = after_.memory->read(b.base + i * size, to, count * size);
    if (!there && !still) break;
    if (there && still && std::memcmp(from, to, count * size) == 0) continue;
    for (std::uint64_t k = 0; k < count && found.size() < most; ++k) {
      const bool same = there && still && std::memcmp(from + k * size, to + k * size, size) == 0;
      if (!same) found.push_back(i + k);
    }
  }
  return found;
}

void ValueComparer::compare_row(const Place& place, const Contents& a, const Contents& b,
                                int depth) {
  const std::size_t named = named_elements(b);
  const auto differing = differing_in_row(a, b, named + 1);
  if (differing.size() > named) return container_leaf(place, a, b);
  for (std::uint64_t i : differing) {
    compare(element_place(place, b, i, a.at(i), b.at(i)), depth + 1);
  }
}

ValueComparer::Place ValueComparer::element_place(const Place& container, const Contents& contents,
                                                  std::uint64_t i, const Element& a,
                                                  const Element& b) {
  ValuePaths::Id path = container.path;
  if (contents.form == Form::mapping) {
    path = paths_.key(path, value_text(after_, names_, *b.key_type, b.key_address, nullptr));
  } else {
    path = paths_.index(path, i);
  }
  return {b.type, a.address, b.address, path, nullptr, b.type->size};
}

std::vector<Difference> ValueComparer::differences_in(const Place& place, int depth) {
  std::vector<Difference> found;
  std::vector<Difference>* const outer = found_;
  found_ = &found;
  compare(place, depth);
  found_ = outer;
  return found;
}

/// For each element of `b` the one of `a` with the same key, told by its text; false when the keys
/// are not the same.
bool ValueComparer::pair_up(const Contents& a, const Contents& b,
                            std::vector<std::size_t>& partners) {
  auto key = [this](const MemoryView& view, const Element& element) {
    const bool pair = element.key_type != nullptr;
    return value_text(view, names_, pair ? *element.key_type : *element.type,
                      pair ? element.key_address : element.address, nullptr, kKeyText);
  };
  std::multimap<std::string, std::size_t> places;
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    places.emplace(key(before_, a.elements[i]), i);
  for (const Element& element : b.elements) {
    const auto found = places.find(key(after_, element));
    if (found == places.end()) return false;
    partners.push_back(found->second);
    places.erase(found);
  }
  return true;
}

void ValueComparer::compare_elements(const Place& place, const Contents& a, const Contents& b,
                                     int depth) {
  if (a.total != b.total) return container_leaf(place, a, b);
  if (b.in_a_row() && is_plain(*b.row_type)) return compare_row(place, a, b, depth);
  std::vector<std::size_t> partners;
  if (!b.ordered && !pair_up(a, b, partners)) return container_leaf(place, a, b);
  if (b.known() < b.total) truncated_ = true;
  std::vector<Difference> parts;
  std::size_t differing = 0;
  for (std::uint64_t i = 0; i < std::min(a.known(), b.known()); ++i) {
    if (!spend()) break;
    const Element from = a.at(partners.empty() ? i : partners[i]), to = b.at(i);
    if (to.key_type != nullptr && b.ordered) {
      const Place key{to.key_type, from.key_address, to.key_address, place.path, nullptr, 0};
      const auto inner = differences_in(key, depth + 1);
      if (!inner.empty()) return container_leaf(place, a, b, inner);
    }
    if (unchanged({to.type, from.address, to.address, 0, nullptr, 0})) continue;
    auto inner = differences_in(element_place(place, b, i, from, to), depth + 1);
    if (inner.empty()) continue;
    parts.insert(parts.end(), inner.begin(), inner.end());
    if (++differing > named_elements(b)) return container_leaf(place, a, b, parts);
  }
  found_->insert(found_->end(), parts.begin(), parts.end());
}

}  // namespace gordian
