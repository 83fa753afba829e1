// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test left changed: the state at two moments, compared by meaning. What the framework, the
// allocator and the linker keep for themselves is no effect.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/data_flow.h"
#include "runtime/native/held_process.h"
#include "state/external/external_state.h"
#include "state/heap_blocks.h"
#include "state/memory_diff.h"
#include "state/process_image.h"
#include "state/program_memory.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

// What is told from the mappings of an address space alone: how it changed between two moments, and
// where malloc keeps its books. Pure.

struct MappingChange {
  enum class What : std::uint8_t {
    heap_end,  ///< sbrk(): the heap grew or shrank
    added,     ///< memory without a file, where there was nothing
    loaded,    ///< a file, where there was nothing
    removed,
    rights,
  };
  What what = What::added;
  std::string name;  ///< "heap end", "memory mapped", "libresolv.so.2", "memory at 0x7f12"
  bool operator==(const MappingChange&) const = default;
};

/// Stacks grow by themselves and are left out. Neighbours that the kernel joins or splits are no
/// change. Each name once.
std::vector<MappingChange> address_space_changes(std::span<const Mapping> before,
                                                 std::span<const Mapping> after);

/// The bookkeeping of glibc's malloc inside of the C library's data. Every test changes it, and
/// only where later blocks lie depends on it, which no result should. Found by its form, as no
/// symbol names it: a long row of list heads, of which an empty one points to itself. nullopt when
/// there is none, or another malloc.
std::optional<ByteRange> allocator_state(const MemoryImage& image,
                                         std::span<const Mapping> mappings);

/// Everything of a held process that can carry a dependence, at one moment.
class StateMoment {
 public:
  /// Memory is read on demand, while the process is held. `files`: what was written, too.
  static StateMoment read(HeldProcess& held, bool files);
  /// Likewise, but somebody else keeps the memory.
  static StateMoment read(HeldProcess& held, bool files, const MemoryImage& memory);

  /// Copies all memory that can be written: the moment outlives the hold.
  void keep(HeldProcess& held);
  /// Its memory is that of another image from now on, with the same content.
  void move_to(const MemoryImage& memory) { memory_ = &memory; }

  const MemoryImage& memory() const { return *memory_; }
  /// Looked for when first asked for.
  const HeapBlocks& heap() const;
  MemoryView view() const { return {memory_, &heap()}; }

  std::vector<Mapping> mappings;
  ExternalState external;
  std::optional<FileView> files;  ///< nullopt: there is no private file system, or not asked for

 private:
  StateMoment() = default;

  std::unique_ptr<ProcessImage> own_;
  const MemoryImage* memory_ = nullptr;
  mutable std::optional<HeapBlocks> heap_;
};

/// One piece of state that is another than before.
struct NetChange {
  SharedState what;
  /// In memory: what somebody has to read to notice it, in the later image and, one for one, in the
  /// earlier. Empty: not in memory.
  std::vector<ByteRange> words, old_words;
  /// There are more words than were taken.
  bool partial = false;
  /// Each word is one value: whoever writes it, writes all of it.
  bool scalar = false;
  bool first_use = false;  ///< of a local static, see StateChange
  std::uint64_t root = 0;  ///< address of the variable that it belongs to
  bool library = false;    ///< of a library that we know no variables of
  bool on_heap = false;
  std::string value;   ///< the new one, as text
  StateEvents events;  ///< not in memory: the calls that have to do with it
};

struct NetEffect {
  std::vector<NetChange> changes;  ///< the likeliest suspects first
  std::string unsure;              ///< why there may be more; empty: there is not
};

class EffectReader {
 public:
  /// Most words of one state that are worth a watchpoint.
  static constexpr std::size_t kMostWords = 24;

  explicit EffectReader(ProgramMemory& program) : program_(program) {}

  /// REQUIRES: `program` has loaded `held`, which is at `after`.
  NetEffect compare(const HeldProcess& held, const StateMoment& before, const StateMoment& after);
  /// Likewise, where `changed` tells which bytes of memory differ, and `before` is the `after` of
  /// the call before: a walk over all variables is saved when none of what they reach has changed.
  NetEffect compare_on(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                       const RangeSet& changed);

 private:
  NetEffect compare(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                    const RangeSet& changed, bool walk);
  void add_memory(const StateMoment& before, const StateMoment& after, const RangeSet& changed,
                  NetEffect& to);
  void reach(const StateMoment& moment);
  void add_library(const RangeSet& changed, const StateMoment& before, NetEffect& to);
  void add_external(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                    NetEffect& to);

  ProgramMemory& program_;
  std::optional<ByteRange> allocator_;
  bool allocator_looked_for_ = false;
  std::vector<LiveVariable> variables_;  ///< without the framework's bookkeeping
  std::optional<RangeSet> reached_;      ///< by variables_, at the last compare_on()
};

/// The words of a changed object that its readers cannot go past. For a single value that is the
/// value. For a container it is every word of the object itself, those that changed first: elements
/// are only reached through its pointers or its size, whether these changed or not.
void choose_words(const StateChange& change, std::size_t most, NetChange& to);

}  // namespace gordian
