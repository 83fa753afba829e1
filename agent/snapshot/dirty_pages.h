// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which pages were written since they were last protected. One interface over what the machine
// offers; each way is probed by doing it, never by asking for a version.
//   userfaultfd   asynchronous write protection, Linux 6.7: a first write to a page costs about a
//                 microsecond, and the kernel's own writes (read(2) into a buffer) are seen too
#pragma once

#include "agent/snapshot/machine.h"

namespace gordian_agent {

class DirtyPages {
 public:
  /// False: this way does not work here. Once per process: descriptors do not survive a fork.
  bool open();
  void close();

  /// From now on writes to these pages are noticed.
  bool watch(Range range);
  bool protect(Range range);

  /// Calls fn(run) for runs of written pages in the range, in ascending order. The range must be
  /// watched.
  template <class Fn>
  bool each_written(Range range, Fn fn) const {
    return each(range, kWrittenPages, fn);
  }
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
  template <class Fn>
  void each_descriptor(Fn fn) const {
    fn(fault_fd_);
    fn(map_fd_);
  }

 private:
  enum : int { kBatch = 64 };
  enum Kind { kWrittenPages, kWrittenAmongOthers, kPresentPages, kOwnPages, kOtherPages };
  template <class Fn>
  bool each(Range range, Kind kind, Fn fn) const {
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
  int scan(Range range, Kind kind, Range* found, uint64_t* reached) const;
  bool populated(Range range) const;
  bool write_protect(Range range) const;
  bool works();

  int fault_fd_, map_fd_;
};

}  // namespace gordian_agent
