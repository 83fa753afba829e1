// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The part of a snapshot that the kernel holds: descriptors and their offsets, signal handling,
// working directory, umask, timers, limits, name. Recorded once, compared and put back after a test
// as far as the gate has seen it touched.
#pragma once

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "target/agent/snapshot/effects.h"
#include "target/agent/snapshot/machine.h"

namespace gordian_agent {

class KernelState {
 public:
  /// False: something that we could not put back (too many descriptors).
  bool record();
  /// Another descriptor of ours: never closed, never counted.
  void keep(int fd);

  /// Whether what the effects name can be put back at all. Changes nothing.
  Obstacle obstacle(uint32_t effects) const;
  /// Puts it back. An obstacle when the kernel refuses.
  Obstacle put_back(uint32_t effects) const;
  /// brk goes back after memory: libc may still point there until then.
  void put_heap_end_back() const;
  uint64_t heap_end() const { return heap_end_; }

 private:
  enum : int { kMostFiles = 256, kSignalCount = 64, kLimitCount = 16, kTimerCount = 3 };
  struct OpenFile {
    int fd, backup, fd_flags, flags;
    long position;  // -1: has none
    uint64_t device, inode;
  };
  struct AlternateStack {
    uint64_t sp;
    int flags;
    uint64_t size;
  };

  bool record_files();
  bool is_kept(int fd) const;
  const OpenFile* file(int fd) const;
  bool can_pass_gate() const;
  bool is_same_file(const OpenFile& file) const;
  bool put_files_back() const;
  void put_signals_back() const;
  void drop_pending_signals() const;
  bool put_limits_back() const;
  Obstacle unseen_changes() const;

  OpenFile files_[kMostFiles];
  int file_count_;
  int kept_[kMostFiles * 2];
  int kept_count_;
  int directory_;
  uint32_t umask_;
  KernelSigaction actions_[kSignalCount + 1];
  uint64_t mask_;
  AlternateStack alternate_;
  struct itimerval timers_[kTimerCount];
  struct rlimit limits_[kLimitCount];
  char name_[16];
  uint64_t heap_end_;
  uint64_t attributes_;  // hash of rights, locks, ...: what we never put back
};

}  // namespace gordian_agent
