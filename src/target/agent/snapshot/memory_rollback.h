// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Puts all private writable memory back to what it was. A page that is written in test after test
// is left unprotected (hot) and compared each time, which is cheaper than a fault; one that has
// cooled down is protected again.
#pragma once

#include "target/agent/snapshot/address_space.h"
#include "target/agent/snapshot/dirty_pages.h"
#include "target/agent/snapshot/pristine.h"

namespace gordian_agent {

struct CheckpointCosts;

class MemoryRollback {
 public:
  bool open_tracking(Backend backend) { return dirty_.open(backend); }
  const DirtyPages& tracking() const { return dirty_; }
  int keeper() const { return pristine_.keeper(); }
  /// Whether old pages may have been emptied since the snapshot.
  void suspect_emptied(bool suspected) { dirty_.suspect_emptied(suspected); }
  template <class Fn>
  void each_descriptor_of_ours(Fn fn) {
    dirty_.each_descriptor(fn);
  }
  /// Watches the tracked mappings and makes the keeper: this is the moment of the snapshot.
  bool begin(const AddressSpace& space, volatile uint32_t* keeper_pid);
  bool restore(CheckpointCosts* costs);
  /// Looks for what neither rights nor written pages tell, after calls that nobody saw: memory that
  /// was replaced, pages that were dropped, constants that were changed. True if there may be any.
  bool changed_unseen(const AddressSpace& space) const;
  /// For tests of ours: from now on the program's own variables are left as they are.
  void leave_out_program(const AddressSpace& space);
  /// In a forked child, where the descriptors speak of the parent's memory.
  void forget() { dirty_.close(); }

  /// Compares all tracked memory with the keeper's: fn(first address, bytes) for each page that
  /// differs. False if the keeper cannot be read.
  bool each_difference(void (*fn)(uint64_t address, uint32_t bytes)) const;

 private:
  enum : int { kMostRegions = 1024, kMostOwn = 4096 };
  struct Region {
    Range range;
    bool stack;
  };
  /// What is scanned at once: a large region, or the small ones of a stretch.
  struct Stretch {
    Range range;
    bool mixed;
  };
  void plan_scans();
  bool restore_run(Range run, CheckpointCosts* costs);
  bool restore_page(uint64_t at, CheckpointCosts* costs);
  bool restore_fetched(CheckpointCosts* costs);
  bool note_own_pages(const Mapping& m);
  bool equals_keeper(Range run) const;
  void protect_later(uint64_t at);
  bool flush_protect();
  bool drop_stack_growth(const Region& region);

  DirtyPages dirty_;
  Pristine pristine_;
  Region regions_[kMostRegions];
  int region_count_;
  Stretch stretches_[kMostRegions];
  int stretch_count_;
  Range own_[kMostOwn];  // of files, and of memory that is not watched: pages of our own
  int own_count_;
  uint64_t waiting_[Pristine::kFetchMost];  // written, content not fetched yet
  int waiting_count_;
  Range protect_;      // a run of pages to be protected again
  Range kernels_own_;  // bytes that the kernel writes whenever it likes (rseq)
};

}  // namespace gordian_agent
