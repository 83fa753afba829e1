// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which pages were written since the snapshot, or since they were last protected. One interface
// over what the machine offers, a file and a row of page_ways (probe.cc) for each way; each is
// probed by doing it (probe.h), never by asking for a version. None may miss a write; all may name
// pages that were not written.
#pragma once

#include "target/agent/snapshot/machine.h"
#include "target/agent/snapshot/probe.h"

namespace gordian_agent {

typedef gordian_wire::SnapshotBackend Backend;

/// A way at work. Nothing is pure: that would need a library that is not there.
class PageTracker {
 public:
  static void* operator new(size_t, void* memory) { return memory; }  // <new> is not libc's
  /// False: this way does not work here. Once per process: descriptors do not survive a fork.
  virtual bool open() { return false; }
  virtual void close() {}
  /// From the snapshot on, writes to these pages are noticed. In ascending order, and before the
  /// keeper is made.
  virtual bool watch(Range) { return false; }
  /// The pages are as at the snapshot: from now on writes to them are noticed again, where that can
  /// be had.
  virtual bool protect(Range) { return false; }
  /// Whether the next scan must expect that old pages were emptied (MADV_DONTNEED).
  virtual void suspect_emptied(bool) {}
  /// Up to `most` runs of pages in ascending order; `reached` says how far it looked. Negative on
  /// error.
  virtual int scan(Range, PageKind, Range*, int, uint64_t*) const { return -1; }
  /// What it has open; how many.
  virtual int descriptors(int (&)[2]) const { return 0; }
  /// Whose memory is registered with it cannot be registered with another; -1: there is none.
  virtual int fault_fd() const { return -1; }
};

const size_t kTrackerSize = 64;  // what is larger asks for lasting_memory()

/// PageWay::make of a way.
template <class Tracker>
PageTracker* make_tracker(void* memory) {
  static_assert(sizeof(Tracker) <= kTrackerSize, "DirtyPages has no room for it");
  return new (memory) Tracker();
}

/// In memory that is zero at first and that no rollback touches.
class DirtyPages {
 public:
  bool open(const PageWay& way) {
    if (way_ != &way) tracker_ = way.make(state_);
    way_ = &way;
    return tracker_->open();
  }
  bool open(Backend backend) {
    for (const PageWay* way : page_ways) {
      if (way->backend == backend) return open(*way);
    }
    return false;
  }
  void close() {
    if (tracker_) tracker_->close();
  }
  const PageWay& way() const { return *way_; }
  bool watch(Range range) { return tracker_->watch(range); }
  bool protect(Range range) { return tracker_->protect(range); }
  void suspect_emptied(bool suspected) { tracker_->suspect_emptied(suspected); }

  /// Calls fn(run) for runs of such pages in the range, in ascending order. False: it cannot be
  /// told.
  template <class Fn>
  bool each(PageKind kind, Range range, Fn fn) const {
    Range found[kBatch];
    while (range.begin < range.end) {
      uint64_t reached = range.end;
      int count = tracker_->scan(range, kind, found, kBatch, &reached);
      if (count < 0) return false;
      for (int i = 0; i < count; ++i) fn(found[i]);
      range.begin = reached;
    }
    return true;
  }
  /// False if other memory may have taken the place of this, and writes to it would go unnoticed.
  bool still_watched(Range range) const {
    return !way_->by_mapping || each(kWrittenPages, range, [](Range) {});
  }
  template <class Fn>
  void each_descriptor(Fn fn) const {
    int open[2];
    for (int i = tracker_->descriptors(open); i > 0; --i) fn(open[i - 1]);
  }
  int fault_fd() const { return tracker_->fault_fd(); }

 private:
  enum : int { kBatch = 256 };
  const PageWay* way_;
  PageTracker* tracker_;
  uint64_t state_[kTrackerSize / sizeof(uint64_t)];
};

}  // namespace gordian_agent
