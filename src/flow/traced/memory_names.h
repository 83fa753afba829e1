// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the bytes of a program are called, at one moment: the variable they belong to and the member
// of it, or the way from a variable to the object on the heap. Objects are walked by their types,
// as the state diff does it, so that names are the same; what the framework and libraries own is
// known as theirs.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/data_flow.h"
#include "state/contents.h"
#include "state/program_memory.h"
#include "state/range_set.h"
#include "state/value_text.h"

namespace gordian {

class MemoryNames {
 public:
  /// REQUIRES: all outlive this object; `view` is of a process that stands still, with these
  /// mappings.
  MemoryNames(ProgramMemory& program, MemoryView view, std::span<const Mapping> mappings);

  struct Name {
    Owner owner = Owner::program;
    SharedState state;  ///< of the program's own
    ByteRange range;    ///< that all has this name
  };

  /// Finds the way to all objects on the heap that have bytes in `wanted`.
  void find_heap(const RangeSet& wanted);
  /// nullopt: nothing leads there (any more).
  std::optional<Name> at(std::uint64_t address);

 private:
  struct Object {
    const Type* type = nullptr;  ///< null: unknown, `size` bytes
    std::uint64_t address = 0, size = 0;
    ValuePaths::Id path = 0;
    bool on_heap = false;
  };
  struct Found {
    std::uint64_t end = 0;
    std::string name;
    const Type* type = nullptr;
    const LiveVariable* root = nullptr;
    bool on_heap = false;
  };

  const LiveVariable* variable_at(std::uint64_t address) const;
  std::optional<Name> variable_name(std::uint64_t address);
  std::optional<Name> heap_name(std::uint64_t address);
  Name name_of(const LiveVariable& root, std::string text, const Type* type, ByteRange range,
               bool heap) const;
  /// Goes down to the smallest part of an object that has a name.
  struct Part {
    Element element;
    std::string suffix;
    std::uint64_t padding = 0;  ///< the address is between members: where the next one begins
  };
  Part part_at(Element object, std::uint64_t address);

  void walk(const LiveVariable& root);
  void visit(const Object& object, int depth);
  void visit_parts(const Object& object, const Contents& contents, int depth);
  void visit_row(const Object& object, const Contents& contents, int depth);
  void visit_words(const Object& object);
  void follow(const Object& pointer, const Contents& contents);
  void own_block(std::uint64_t address, const Object& by);
  void add(ByteRange range, const Object& object);

  ProgramMemory& program_;
  MemoryView view_;
  std::vector<const LiveVariable*> variables_;  ///< by address
  std::list<LiveVariable> libraries_;           ///< the data of each library, as one variable

  const RangeSet* wanted_ = nullptr;
  ValuePaths paths_;
  const LiveVariable* root_ = nullptr;
  std::size_t left_ = 0;
  std::deque<Object> queue_;
  std::unordered_set<std::uint64_t> seen_;     ///< blocks that were walked, by any root
  std::multimap<std::uint64_t, Found> found_;  ///< by begin
  std::uint64_t largest_ = 0;
};

}  // namespace gordian
