// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From two images of a program's memory to the state that changed, by name. Every variable is
// walked with everything that it reaches; what means the same as before is no change, wherever it
// lies now.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/explanation.h"
#include "state/range_set.h"
#include "state/value_compare.h"
#include "symbols/process_memory.h"
#include "symbols/types.h"

namespace gordian {

/// A variable of the running program.
struct LiveVariable {
  Variable variable;
  std::uint64_t address = 0;   ///< in both images
  const Type* type = nullptr;  ///< null: only the symbol is known
  std::uint64_t guard = 0;     ///< address of the guard of its initialisation; 0 = none

  std::uint64_t size() const {
    return type != nullptr && type->size != 0 ? type->size : variable.size;
  }
};

/// One piece of the program's memory that means something else than before, with its name.
struct StateChange {
  Carrier carrier;  ///< kind, name, type, values and declaration are filled in
  ByteRange root;   ///< the variable, in memory
  /// What differs: addresses in the later image. For a changed member or element its own bytes; for
  /// a container that grew, its bookkeeping. The likeliest to be read first come first.
  std::vector<ByteRange> words;
  /// Where the same lies in the earlier image, one for one.
  std::vector<ByteRange> old_words;
  /// The value, container or pointer as a whole, in the later and in the earlier image.
  ByteRange object, old_object;
  bool bare = false;  ///< see Difference
  /// Set by the first use of a local static, or of what only a guard protects.
  bool first_use = false;
};

struct MemoryDiff {
  /// State of the program itself, the likeliest suspects first: small leaves before large ones,
  /// and what a first use initialised last.
  std::vector<StateChange> program;
  /// State of the test framework and of libraries, in the order of the variables.
  std::vector<StateChange> others;
  bool truncated = false;  ///< something was too large to be compared as a whole
};

/// `changed`: as from changed_ranges(), or more; no other byte is taken to differ.
MemoryDiff state_changes(std::span<const LiveVariable> variables, MemoryView before,
                         MemoryView after, const RangeSet& changed, const ProgramNames& names,
                         const CompareLimits& limits = {});

/// Everything that the answer of state_changes() to these variables depends on: the bytes that a
/// walk reads. As long as none of them and no mapping changes, there is no difference to be found.
/// nullopt: something was too large to be walked as a whole.
std::optional<RangeSet> reached_bytes(std::span<const LiveVariable> variables, MemoryView view,
                                      const ProgramNames& names, const CompareLimits& limits = {});

/// Bytes that differ, in steps of 8, of the mappings that are writable, and of the constants of
/// modules, which may have been for a while. A page that can be read in one of the images only
/// differs as a whole. Mappings without a name of more than 4 GiB are left out: they are address
/// space that a runtime keeps for itself, such as the shadow of a sanitizer.
RangeSet changed_ranges(const MemoryImage& before, const MemoryImage& after,
                        std::span<const Mapping> mappings);

/// Without the memory through which engine and agent talk: much of it, and none of the program's.
std::vector<Mapping> program_mappings(pid_t pid);

/// What a process can have changed of itself: readable and writable.
std::vector<ByteRange> writable_ranges(std::span<const Mapping> mappings);

/// A variable of the test framework that holds the list of tests and their results: every test
/// changes it, and no test looks at it.
bool is_bookkeeping(std::string_view name);

/// An option of the framework, as people set it.
void call_flag_by_name(Carrier& carrier);

}  // namespace gordian
