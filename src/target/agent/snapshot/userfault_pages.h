// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// DirtyPages by userfaultfd with asynchronous write protection (Linux 6.7): a first write to a page
// costs about a microsecond, a scan next to nothing, and the kernel's own writes (read(2) into a
// buffer) are seen too. Containers often forbid it.
#pragma once

#include "target/agent/snapshot/machine.h"

namespace gordian_agent {

class UserfaultPages {
 public:
  bool open();
  void close();
  bool watch(Range range);
  bool protect(Range range);
  /// See DirtyPages::scan().
  int scan(Range range, PageKind kind, Range* found, int most, uint64_t* reached) const;
  template <class Fn>
  void each_descriptor(Fn fn) const {
    fn(fault_fd_);
    fn(map_fd_);
  }
  int fault_fd() const { return fault_fd_; }

 private:
  bool populated(Range range) const;
  bool write_protect(Range range) const;
  bool works();

  int fault_fd_, map_fd_;
};

}  // namespace gordian_agent
