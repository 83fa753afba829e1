// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What tests did to mappings of memory: made, removed, given other rights, or filled with other
// content where no variable says what lies there. All but the mappings of others: of malloc, of
// threads, of the loader and of our agent.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/external/external_state.h"
#include "state/memory_diff.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

struct MappingMoment {
  std::span<const Mapping> mappings;
  MemoryView view;
};

/// The variable that points into some memory.
struct PointingVariable {
  std::string name;  ///< "*g_buffer"
  std::string file;  ///< of its declaration
  int line = 0;
};

struct MappingOwners {
  RangeSet others;  ///< not the program's
  RangeSet named;   ///< changes that have a name already
  RangeSet agents;  ///< our agent knows of them: its own, unless the program points there
  std::function<std::optional<PointingVariable>(ByteRange)> pointer_to;
};

/// `changed`: as from changed_ranges(). What a variable points to comes first.
std::vector<ExternalChange> mapping_changes(const MappingMoment& before, const MappingMoment& after,
                                            const RangeSet& changed, const MappingOwners& owners);

/// Looks at the words of the program's variables.
std::optional<PointingVariable> pointer_into(ByteRange range,
                                             std::span<const LiveVariable> variables,
                                             const MemoryImage& image);

/// Stacks, the main heap and the like. Large blocks of malloc are not among them: the kernel may
/// have joined them with mappings of the program.
std::vector<ByteRange> mappings_of_others(std::span<const Mapping> mappings);

/// Mappings that words in our agent's module (at `agent`) point into.
RangeSet mappings_of_agent(const MappingMoment& moment, ByteRange agent);

}  // namespace gordian
