// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Values as text for people: "log: ", {1, 2, 3}, {"ll": "ls -l"}, pointer to 7, {a = 1, b = 2}.
// What is long is cut, and the text says how much is missing. And the ways to values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "state/contents.h"
#include "state/heap_blocks.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"
#include "symbols/types.h"

namespace gordian {

/// How an object is reached from a variable, written as in source code:
/// g_profile->limits->max_size, *data_, g_seats[3], g_users["ann"].age. Millions of objects are
/// reached and few are named: steps are kept as a tree and put together when asked for.
class ValuePaths {
 public:
  using Id = std::uint32_t;

  /// Begins anew with the name of a variable. Ids from before are void.
  Id start(std::string root);
  /// Names are not copied: those of members live as long as their types.
  Id member(Id parent, const std::string& name);
  Id index(Id parent, std::uint64_t i);
  Id key(Id parent, std::string text);  ///< ["ann"]
  Id get(Id parent, std::uint64_t i);   ///< std::get<1>(...)
  Id target(Id parent);                 ///< what a pointer points to

  /// The middle of a path of very many steps is left out: "g_list->next->next...->next->value".
  std::string text(Id id) const;

 private:
  enum class Kind : std::uint8_t { root, member, index, key, get, target };
  struct Step {
    Id parent = 0;
    Kind kind = Kind::root;
    std::uint64_t number = 0;  ///< index, or position in keys_
    const std::string* name = nullptr;
  };

  Id add(Step step);

  std::string root_;
  std::vector<Step> steps_;
  std::vector<std::string> keys_;
};

/// A bool, character, number or enumerator: true, 'x', -3, 0.5, red.
std::string plain_text(const MemoryImage& image, const Type& type, std::uint64_t address,
                       const Member* member);

/// UTF-8 passes through; control characters, `quote`, backslashes and broken bytes are escaped.
std::string escaped(std::string_view bytes, char quote);

/// The UTF-8 of one code point; what is none becomes a question mark.
std::string utf8_of(std::uint32_t code_point);

/// What else is known about addresses of the program. Every question may have no answer.
struct ProgramNames {
  /// Of the function that begins there.
  std::function<std::string(std::uint64_t)> function = [](std::uint64_t) { return std::string(); };
  /// Of the object with static storage duration that begins there.
  std::function<std::string(std::uint64_t)> object = [](std::uint64_t) { return std::string(); };
  /// The class whose objects point to this table of virtual functions.
  std::function<const Type*(std::uint64_t)> dynamic_type = [](std::uint64_t) -> const Type* {
    return nullptr;
  };
  /// Code and data of the program and its libraries: what lies there stays where it is, so that
  /// pointers to other places mean other things. Empty: everything that is on no heap.
  RangeSet modules;
};

/// Memory and its heap, at one moment.
struct MemoryView {
  const MemoryImage* memory;
  const HeapBlocks* heap;
};

struct TextLimits {
  std::size_t length = 200;   ///< about: what is begun is finished
  std::size_t elements = 64;  ///< of each container that does not lie in a row
  int depth = 4;              ///< records in records
};

/// The value of the object of `type` at `address`; the bit field `member` of it when given.
std::string value_text(MemoryView view, const ProgramNames& names, const Type& type,
                       std::uint64_t address, const Member* member = nullptr,
                       const TextLimits& limits = {});

/// `size` bytes without a type: a number for 1, 2, 4 and 8, else in hexadecimal.
std::string bytes_text(MemoryView view, std::uint64_t address, std::uint64_t size);

/// "a Profile", "an app::Engine".
std::string with_article(const std::string& name);

/// The number in a bit field or in a plain value of at most 8 bytes, sign included.
std::optional<std::int64_t> plain_value(const MemoryImage& image, const Type& type,
                                        std::uint64_t address, const Member* member);

/// The length of the string that begins at `address`; nullopt when there is no end that can be
/// read, or not before `most` bytes.
std::optional<std::uint64_t> c_string_length(const MemoryImage& image, std::uint64_t address,
                                             std::uint64_t most = 1 << 20);

/// What a pointer to it points to: the class that the object says it is, where it begins.
Element pointee_of(const MemoryImage& image, const ProgramNames& names, const Type& type,
                   std::uint64_t address);

}  // namespace gordian
