// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which pages were written since the snapshot, or since they were last protected. One interface
// over what the machine offers, the best way first; each is probed by doing it (probe.h), never by
// asking for a version. None may miss a write; all may name pages that were not written.
#pragma once

#include "target/agent/snapshot/machine.h"
#include "target/agent/snapshot/pagemap_pages.h"
#include "target/agent/snapshot/userfault_pages.h"
#include "wire/protocol.h"

namespace gordian_agent {

typedef gordian_wire::SnapshotBackend Backend;

class DirtyPages {
 public:
  /// False: this way does not work here. Once per process: descriptors do not survive a fork.
  bool open(Backend backend) {
    backend_ = backend;
    return by_fault() ? fault_.open() : backend == gordian_wire::kByPagemap && map_.open();
  }
  void close() { by_fault() ? fault_.close() : map_.close(); }
  Backend backend() const { return backend_; }

  /// From the snapshot on, writes to these pages are noticed. In ascending order, and before the
  /// keeper is made.
  bool watch(Range range) { return by_fault() ? fault_.watch(range) : map_.watch(range); }
  /// The pages are as at the snapshot: from now on writes to them are noticed again, where that can
  /// be had.
  bool protect(Range range) { return by_fault() ? fault_.protect(range) : map_.protect(range); }
  /// Whether the next scan must expect that old pages were emptied (MADV_DONTNEED).
  void suspect_emptied(bool suspected) { map_.suspect_emptied(suspected); }

  /// Calls fn(run) for runs of written pages in the range, in ascending order. The range must be
  /// watched.
  template <class Fn>
  bool each_written(Range range, Fn fn) const {
    return each(range, kWrittenPages, fn);
  }
  /// Whether each_written_across() is to be had.
  bool scans_across() const { return by_fault(); }
  /// The same over a stretch with other mappings in between, which are passed over. Slower by page
  /// and faster by mapping: for many small ones.
  template <class Fn>
  bool each_written_across(Range range, Fn fn) const {
    return each(range, kWrittenAmongOthers, fn);
  }
  /// The same for pages that exist in memory, watched or not.
  template <class Fn>
  bool each_present(Range range, Fn fn) const {
    return each(range, kPresentPages, fn);
  }
  /// For pages of the process's own, in memory: not those that show a file as it is.
  template <class Fn>
  bool each_own(Range range, Fn fn) const {
    return each(range, kOwnPages, fn);
  }
  /// For pages that are not in memory or show a file as it is.
  template <class Fn>
  bool each_not_own(Range range, Fn fn) const {
    return each(range, kOtherPages, fn);
  }
  /// False if other memory may have taken the place of this, and writes to it would go unnoticed. A
  /// pagemap tells of pages, whoever mapped them: there is nothing to lose.
  bool still_watched(Range range) const {
    return !by_fault() || each_written(range, [](Range) {});
  }
  template <class Fn>
  void each_descriptor(Fn fn) const {
    by_fault() ? fault_.each_descriptor(fn) : map_.each_descriptor(fn);
  }
  /// Whose memory is registered with it cannot be registered with another; -1: there is none.
  int fault_fd() const { return by_fault() ? fault_.fault_fd() : -1; }

 private:
  enum : int { kBatch = 256 };
  bool by_fault() const { return backend_ == gordian_wire::kByUserfault; }
  template <class Fn>
  bool each(Range range, PageKind kind, Fn fn) const {
    Range found[kBatch];
    while (range.begin < range.end) {
      uint64_t reached = range.end;
      int count = scan(range, kind, found, &reached);
      if (count < 0) return false;
      for (int i = 0; i < count; ++i) fn(found[i]);
      range.begin = reached;
    }
    return true;
  }
  /// Up to kBatch runs of pages; `reached` says how far it looked. Negative on error.
  int scan(Range range, PageKind kind, Range* found, uint64_t* reached) const {
    return by_fault() ? fault_.scan(range, kind, found, kBatch, reached)
                      : map_.scan(range, kind, found, kBatch, reached);
  }

  Backend backend_;
  UserfaultPages fault_;
  PagemapPages map_;
};

}  // namespace gordian_agent
