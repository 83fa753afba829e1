// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What an object in memory means: its form and the places of its parts. Classes of the standard
// library (libstdc++, libc++) are taken by what they contain, not by how they are made; all else is
// taken as declared. Printing and comparing both start here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbols/process_memory.h"
#include "symbols/types.h"

namespace gordian {

enum class Form : std::uint8_t {
  plain,     ///< bool, character, number, enumeration: its bytes
  text,      ///< characters in a row
  sequence,  ///< elements by position
  set,       ///< elements that have no position of their own
  mapping,   ///< keys and values
  bits,      ///< in words from `base` on, `total` of them
  pointer,   ///< or a reference, or a smart pointer
  maybe,     ///< one element or none
  choice,    ///< one element of the alternative `index`, or none
  same,      ///< exactly its one element
  record,    ///< members
  tuple,     ///< members without names
  callable,
  stream,   ///< formatting state
  unknown,  ///< bytes without a meaning that we know
  damaged,  ///< of a known class, but what is there cannot be one
};

/// A part of an object.
struct Element {
  const Type* type = nullptr;
  std::uint64_t address = 0;
  const Member* member = nullptr;  ///< of a record
  const Type* key_type = nullptr;  ///< of a mapping
  std::uint64_t key_address = 0;
};

struct Contents {
  Form form = Form::unknown;
  std::uint64_t total = 0;  ///< parts or bits that there are, also those not in `elements`
  std::vector<Element> elements = {};  ///< the first parts; empty when they lie in a row:
  const Type* row_type = nullptr;
  std::uint64_t base = 0, stride = 0;
  bool fixed = false;     ///< the number of elements belongs to the type
  bool ordered = true;    ///< false: equal contents may come in another order
  std::size_t index = 0;  ///< choice
  // Pointer, callable.
  std::uint64_t target = 0;
  const Type* target_type = nullptr;
  bool expired = false;     ///< weak_ptr to what has gone
  std::string suffix = {};  ///< of the value's text: " ms"

  bool in_a_row() const { return row_type != nullptr; }
  /// Parts that at() knows.
  std::uint64_t known() const { return in_a_row() ? total : elements.size(); }
  Element at(std::uint64_t i) const {
    return in_a_row() ? Element{row_type, base + i * stride} : elements[i];
  }
};

/// Of the object of `type` at `address`, with at most `most` parts that do not lie in a row.
Contents contents_of(const MemoryImage& image, const Type& type, std::uint64_t address,
                     std::size_t most);

/// A word that lies behind a field of an object, or nullopt.
std::optional<std::uint64_t> word_at(const MemoryImage& image, std::uint64_t address);

}  // namespace gordian
