// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// DirtyPages by /proc/self/pagemap, which any process may read of itself. The keeper (pristine.h)
// is a forked copy, so at the snapshot every page of ours is mapped by two processes; the first
// write to one gives us a page of our own, and pagemap tells a page that one process maps from one
// that several do. Nothing is armed and nothing is remapped. A page written once stays our own, so
// it is compared after every test from then on, unless it can be given back to the kernel.
//
// Sound as long as nobody but the keeper shares our pages: a process that has forked since must not
// trust it. Memory that the kernel merges by content (KSM) is refused.
#pragma once

#include "target/agent/snapshot/machine.h"

namespace gordian_agent {

class PagemapPages {
 public:
  /// Needs a keeper to be told anything: see works().
  bool open();
  void close();
  /// Notes which pages there are. In ascending order, and before the keeper is made.
  bool watch(Range range);
  /// Gives pages that did not exist at the snapshot back to the kernel. The others stay our own.
  bool protect(Range range);
  /// See DirtyPages::scan().
  int scan(Range range, PageKind kind, Range* found, int most, uint64_t* reached) const;
  /// A page may have been emptied (MADV_DONTNEED) and read again: such a one is shared, with every
  /// process that has an empty page. True from here on: look at the content of shared pages.
  void suspect_emptied(bool suspected) { emptied_ = suspected; }
  template <class Fn>
  void each_descriptor(Fn fn) const {
    fn(map_fd_);
  }

 private:
  enum : uint32_t { kMostRuns = 1 << 16 };
  bool read_entries(uint64_t at, uint64_t* entries, size_t count) const;
  bool add_owned(uint64_t begin, uint64_t end);
  const Range* first_owned(uint64_t at) const;
  bool is_wanted(PageKind kind, uint64_t entry, uint64_t at, bool owned) const;
  bool is_written(uint64_t entry, uint64_t at, bool owned) const;

  int map_fd_;
  bool emptied_;
  Range* owned_;  // pages that held something of our own at the snapshot, ascending
  uint32_t owned_count_;
  uint64_t watched_;  // bytes
};

}  // namespace gordian_agent
