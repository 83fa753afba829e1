// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Compares two images of one program by meaning. The graphs of objects that begin at a variable are
// walked in parallel by their types: the same values at other addresses of the heap are equal, as
// long as one object is renamed to one other. Containers are equal when their contents are. Code
// and data of modules lie at the same addresses in both images.
//
// Everything is bounded; what was left out is taken as equal and truncated() tells.
// Single-threaded.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "state/contents.h"
#include "state/range_set.h"
#include "state/value_text.h"

namespace gordian {

/// A leaf: a value, a container, or a pointer that means something else than before.
struct Difference {
  std::string name;  ///< from the variable on: "g_profile->limits->max_size"
  std::string type;  ///< static type of what differs; empty when unknown
  std::string old_text, new_text;
  std::vector<ByteRange> words;      ///< in the later image, see StateChange::words
  std::vector<ByteRange> old_words;  ///< where the same lies in the earlier image, one for one
  ByteRange object, old_object;      ///< the leaf itself, in the later and in the earlier image
  bool on_heap = false;
  bool bare = false;  ///< an array, or of unknown type: nothing stands before its elements
};

struct CompareLimits {
  std::size_t nodes = 200'000;      ///< objects visited for one variable
  std::uint64_t bytes = 256 << 20;  ///< compared for one variable
  std::size_t differences = 64;     ///< of one variable
  std::size_t elements = 50'000;    ///< of one list, tree or hash table
  TextLimits text;
};

struct CompareOptions {
  CompareLimits limits;
  /// Bytes that differ between the images; null: not known. Makes the walk faster.
  const RangeSet* changed = nullptr;
  /// Variables that are compared on their own: pointers to them are not followed.
  const RangeSet* roots = nullptr;
  bool enter_framework = false;  ///< follow pointers to objects of the test framework
};

class ValueComparer {
 public:
  /// REQUIRES: everything referred to outlives the comparer.
  ValueComparer(MemoryView before, MemoryView after, const ProgramNames& names,
                CompareOptions options = {});

  /// Of the object `name` of `type`. What an earlier call has seen is not reported again.
  std::vector<Difference> differences(std::string_view name, const Type& type, std::uint64_t before,
                                      std::uint64_t after);
  /// The same for `size` bytes of unknown type: words that point to the heap are followed.
  std::vector<Difference> untyped_differences(std::string_view name, std::uint64_t size,
                                              std::uint64_t before, std::uint64_t after);

  /// Whether any call so far has left something out.
  bool truncated() const { return truncated_; }

 private:
  /// One object of `size` bytes in both images; no type: they could be anything.
  struct Place {
    const Type* type = nullptr;
    std::uint64_t before = 0, after = 0;
    ValuePaths::Id path = 0;
    const Member* member = nullptr;
    std::uint64_t size = 0;
    bool in_block = false;  ///< bytes up to the end of a block: more, perhaps, than are in use
  };
  struct Pair {
    std::uint64_t before, after;
    const Type* type;
    bool operator==(const Pair&) const = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const;
  };
  struct Words {
    std::vector<ByteRange> before, after;
    void add(std::uint64_t a, std::uint64_t b, std::uint64_t size);
  };

  std::vector<Difference> walk(std::string_view name, Place place);
  bool spend(std::uint64_t bytes = 0);
  bool unchanged(const Place& place);
  bool pointer_free(const Type& type, int depth = 24);

  void compare(const Place& place, int depth);
  void compare_known(const Place& place, const Contents& a, const Contents& b, int depth);
  void compare_plain(const Place& place);
  void compare_record(const Place& place, const Contents& a, const Contents& b, int depth);
  void compare_vptr(const Place& record, const Element& a, const Element& b);
  void compare_one(const Place& place, const Contents& a, const Contents& b, int depth);
  void compare_callable(const Place& place, const Contents& a, const Contents& b);
  void compare_stream(const Place& place);
  void compare_raw(const Place& place);

  // Containers: element_compare.cc.
  void compare_text(const Place& place, const Contents& a, const Contents& b, int depth);
  void compare_bits(const Place& place, const Contents& a, const Contents& b);
  void compare_elements(const Place& place, const Contents& a, const Contents& b, int depth);
  void compare_row(const Place& place, const Contents& a, const Contents& b, int depth);
  void container_leaf(const Place& place, const Contents& a, const Contents& b,
                      const std::vector<Difference>& parts = {});
  std::vector<std::uint64_t> differing_in_row(const Contents& a, const Contents& b,
                                              std::size_t most);
  bool pair_up(const Contents& a, const Contents& b, std::vector<std::size_t>& partners);
  Place element_place(const Place& container, const Contents& contents, std::uint64_t i,
                      const Element& a, const Element& b);
  std::vector<Difference> differences_in(const Place& place, int depth);

  // Pointers: pointer_compare.cc.
  void compare_pointers(const Place& place, const Contents& a, const Contents& b);
  bool compare_c_strings(const Place& place, const Contents& a, const Contents& b);
  void pointer_leaf(const Place& place, std::uint64_t before, std::uint64_t after);
  bool retargeted(std::uint64_t before, std::uint64_t after);
  bool gone(const MemoryView& view, std::uint64_t address) const;
  bool is_static(const MemoryView& view, std::uint64_t address) const;
  void follow(const Place& pointer, const Type& type, std::uint64_t before, std::uint64_t after);
  void follow_untyped(const Place& pointer, std::uint64_t before, std::uint64_t after);
  void enqueue(const Place& place);
  /// True when all of the array, its first element included, is settled.
  bool follow_array(const Place& pointer, const Type& type, std::uint64_t before,
                    std::uint64_t after);
  bool follow_plain_array(const Place& pointer, Contents a, Contents b);
  std::uint64_t array_length(const Type& type, std::uint64_t before, std::uint64_t after) const;

  // Bytes without a type: untyped_compare.cc.
  void compare_untyped(const Place& place);
  bool compare_by_shape(const Place& place);
  bool compare_strings_by_shape(const Place& place);
  bool compare_streams_by_layout(const Place& place);
  Place block_place(const Place& pointer, std::uint64_t before, std::uint64_t after,
                    std::uint64_t size);
  bool word_differs(const Place& place, std::uint64_t before, std::uint64_t after);
  void untyped_leaf(const Place& place, Words words);

  Words changed_words(std::uint64_t before, std::uint64_t after, std::uint64_t size);
  void leaf(const Place& place, Words words, std::string old_text, std::string new_text);
  void leaf(const Place& place, Words words);
  void leaf(const Place& place);  ///< with those words of the object itself that changed
  bool on_heap(ByteRange object) const;
  std::string text(const MemoryView& view, const Place& place, std::uint64_t address) const;

  MemoryView before_, after_;
  const ProgramNames& names_;
  CompareOptions options_;
  bool truncated_ = false;

  ValuePaths paths_;
  ByteRange root_;
  std::size_t nodes_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Difference>* found_ = nullptr;
  std::deque<Place> queue_;
  std::unordered_set<Pair, PairHash> visited_, arrays_;
  std::unordered_map<std::uint64_t, std::uint64_t> renamed_, renamed_back_;
  std::unordered_map<const Type*, bool> pointer_free_;
};

}  // namespace gordian
