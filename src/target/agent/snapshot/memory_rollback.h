// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Puts all private writable memory back to what it was. A page that is written in test after test
// is left unprotected (hot) and compared each time, which is cheaper than a fault; one that has
// cooled down is protected again.
#pragma once

#include "target/agent/snapshot/address_space.h"
#include "target/agent/snapshot/dirty_pages.h"

namespace gordian_agent {

struct CheckpointCosts;

struct Page {
  uint64_t at;          // 0 = free entry
  const char* content;  // nullptr: all zero, once known
  uint16_t hits;        // times seen written since it was last protected for good
  uint16_t clean;       // times in a row that it was written but not changed
  bool known;
};

/// What pages held at the snapshot. The *keeper* is a copy of the process made at that moment,
/// which sleeps and holds the content of all memory; a page is fetched from it when it is first
/// seen written, and kept. So a snapshot of a large heap costs no copy of it.
class Pristine {
 public:
  /// Forks the keeper. Its memory is the snapshot. `keeper_pid` is shared memory: it appears there.
  bool open(volatile uint32_t* keeper_pid);
  int keeper() const { return keeper_; }

  /// The entry of a page; nullptr when there is no memory for more. Stays valid until the next
  /// call.
  Page* page(uint64_t at);
  /// Makes the pages known. False if the keeper cannot be read.
  bool fetch(const uint64_t* pages, int count);
  /// The keeper's memory, for comparing.
  bool read(uint64_t from, char* to, size_t size) const;

  enum : int { kFetchMost = 64 };

 private:
  bool grow();
  char* take_store();

  int keeper_;
  Page* table_;
  uint32_t capacity_, used_;
  char* store_;
  uint64_t store_left_;
};

class MemoryRollback {
 public:
  /// In a forked child its descriptors speak of the parent's memory: to be closed there.
  DirtyPages& tracking() { return dirty_; }
  int keeper() const { return pristine_.keeper(); }
  /// Watches the tracked mappings and makes the keeper: this is the moment of the snapshot.
  bool begin(const AddressSpace& space, volatile uint32_t* keeper_pid);
  bool restore(CheckpointCosts* costs);
  /// Looks for what neither rights nor written pages tell, after calls that nobody saw: memory that
  /// was replaced, pages that were dropped, constants that were changed. True if there may be any.
  bool changed_unseen(const AddressSpace& space) const;
  /// For tests of ours: from now on the program's own variables are left as they are.
  void leave_out_program(const AddressSpace& space);
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
