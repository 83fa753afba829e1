// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The mappings of this process: which of them a snapshot covers, and what a test did to them.
#pragma once

#include "target/agent/snapshot/machine.h"

namespace gordian_agent {

struct Mapping {
  uint64_t begin, end, offset, inode;
  uint32_t device;
  uint8_t protection;  // PROT_*
  bool shared, heap, stack, special;

  bool anonymous() const { return inode == 0 && !special; }
  /// Private and writable: its content is part of a snapshot.
  bool tracked() const { return (protection & 2) && !shared && !special; }
};

struct AddressSpace {
  enum : int { kMost = 4096 };
  Mapping at[kMost];
  int count;
};

/// Reads the mappings, without those that hold lasting memory. False: too many, or unreadable.
bool read_address_space(AddressSpace* space);

struct SpaceChanges {
  enum : int { kMost = 256 };
  Range added[kMost];
  int count;
  bool lost;  // an old mapping is gone, moved, or differs in rights or content's source
};

/// What is mapped now that was not, and whether anything that was is not any more. Growth of the
/// stack is no change; growth of the heap is for brk to undo and not listed.
void compare_spaces(const AddressSpace& before, const AddressSpace& now, SpaceChanges* changes);

}  // namespace gordian_agent
