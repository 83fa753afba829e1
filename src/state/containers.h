// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What objects of libstdc++ and libc++ contain. The elements of strings and containers are found
// through the members that debug information tells of. Only the nodes of lists, trees and hash
// tables have to be known: their types are named by no member.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "state/contents.h"
#include "state/type_shape.h"

namespace gordian {

/// An object of a class, to be read by the names of its members.
struct ObjectReader {
  const MemoryImage& image;
  const Type& type;
  std::uint64_t address;
  std::size_t most;  ///< parts wanted

  Field field(std::string_view path) const { return find_field(type, path); }
  /// The word in member `path`; nullopt when there is no such member or it cannot be read.
  std::optional<std::uint64_t> word(std::string_view path) const { return word(field(path)); }
  std::optional<std::uint64_t> word(const Field& member) const {
    return member ? word_at(image, address + member.offset) : std::nullopt;
  }
  /// REQUIRES: there is such a member.
  ObjectReader inside(const Field& member) const {
    return {image, *member.type, address + member.offset, most};
  }
  const Type* argument(std::size_t i) const {
    return i < type.type_arguments.size() ? type.type_arguments[i] : nullptr;
  }
};

Contents damaged_contents();

/// `total` elements in a row; damaged when they cannot be there.
Contents row_contents(const ObjectReader& object, Form form, const Type* element,
                      std::uint64_t base, std::uint64_t total);
/// Bits in words from `base` on.
Contents bit_contents(const ObjectReader& object, std::uint64_t base, std::uint64_t total);
/// What the array in member `path` is, never as text.
std::optional<Contents> array_contents(const ObjectReader& object, std::string_view path);
/// The object is what the first of these members that it has is.
std::optional<Contents> same_as(const ObjectReader& object,
                                std::initializer_list<std::string_view> paths,
                                std::string suffix = {});
/// `value` or nothing, as the byte in member `engaged` says.
Contents maybe_contents(const ObjectReader& object, const Field& engaged, const Element& value);
/// Nodes from `first` to `end`, each `links` bytes of links, the next node first, and then a value.
Contents list_from(const ObjectReader& object, const Type& value, std::uint64_t links,
                   std::uint64_t first, std::uint64_t end);
/// Where a value lies behind so many bytes.
inline std::uint64_t aligned(std::uint64_t offset, const Type& value) {
  const std::uint64_t alignment = alignment_of(value);
  return (offset + alignment - 1) / alignment * alignment;
}
/// Splits each pair into key and value; false when the elements are no pairs.
bool split_pairs(Contents& contents, const Type& pair);

/// nullopt: not a string or container that is known.
std::optional<Contents> container_contents(const ObjectReader& object);

/// Classes of libc++ (namespace std::__1); see container_contents().
std::optional<Contents> libcxx_contents(const ObjectReader& object);

/// Those made of nodes; see container_contents().
std::optional<Contents> node_container_contents(const ObjectReader& object, std::string_view name);

/// Classes of libstdc++ that hold one thing or a few: optional, variant, tuple, pair, the smart
/// pointers, atomic, function, durations, complex numbers, adaptors and streams. nullopt: none of
/// them.
std::optional<Contents> std_value_contents(const ObjectReader& object);

/// How a stream formats: "hex", "dec, precision 3, fill '0'", and whether it has failed. The
/// addresses of what decides it come along, to be compared.
struct StreamState {
  std::string text;
  std::uint64_t address = 0, size = 0;  ///< of the formatting state, in memory
};
std::optional<StreamState> stream_state(const ObjectReader& object);

/// The same for what is `size` bytes of unknown type, by the layout that libstdc++ has had for
/// streams since GCC 5 on x86-64. nullopt when what lies there cannot be one.
std::optional<StreamState> stream_by_layout(const MemoryImage& image, std::uint64_t address,
                                            std::uint64_t size);

}  // namespace gordian
