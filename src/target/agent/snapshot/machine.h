// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Memory that a rollback does not touch. All the rest of the process goes back to its snapshot
// state, our own variables included; what must outlive that lies in one Machine, between guard
// pages so that the kernel never merges it with a mapping of the program.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace gordian_agent {

const uint64_t kPageSize = 4096;

struct Range {
  uint64_t begin, end;
  bool contains(uint64_t at) const { return at >= begin && at < end; }
};

/// What a scan of pages looks for.
enum PageKind {
  kWrittenPages,  // in a range that is watched
  // The same over a stretch with other mappings in between, which are passed over. Slower by page
  // and faster by mapping: for many small ones, and where PageWay::by_mapping.
  kWrittenAmongOthers,
  kPresentPages,  // in memory, watched or not
  kOwnPages,      // the process's own, in memory: not those that show a file as it is
  kOtherPages     // not in memory, or showing a file as it is
};

/// Whether it holds zeros only.
bool is_empty(const void* page);
/// Zeroed memory outside all snapshots; nullptr when there is none. Never given back.
void* lasting_memory(size_t size);
/// Whether so much more could be had now.
bool lasting_memory_left(size_t size);
/// The mappings behind lasting_memory(), guards included.
int lasting_ranges(const Range** ranges);
/// Moves a descriptor out of the way of programs that expect the next free number.
int out_of_the_way(int fd);

}  // namespace gordian_agent
