// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What pages held at the snapshot. The *keeper* is a copy of the process made at that moment, which
// sleeps and holds the content of all memory; a page is fetched from it when it is first seen
// written, and kept. So a snapshot of a large heap costs no copy of it.
#pragma once

#include "target/agent/snapshot/machine.h"

namespace gordian_agent {

struct Page {
  uint64_t at;          // 0 = free entry
  const char* content;  // nullptr: all zero, once known
  uint16_t hits;        // times seen written since it was last protected for good
  uint16_t clean;       // times in a row that it was written but not changed
  bool known;
};

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

}  // namespace gordian_agent
