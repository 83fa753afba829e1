// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/kernel_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "target/agent/snapshot/proc_files.h"
#include "target/agent/snapshot/raw_syscall.h"

namespace gordian_agent {
namespace {

namespace wire = gordian_wire;

bool settable(int number) {
  return number != SIGKILL && number != SIGSTOP;
}

}  // namespace

void KernelState::keep(int fd) {
  if (kept_count_ < kMostFiles * 2) kept_[kept_count_++] = fd;
}

bool KernelState::is_kept(int fd) const {
  for (int i = 0; i < kept_count_; ++i) {
    if (kept_[i] == fd) return true;
  }
  return false;
}

const KernelState::OpenFile* KernelState::file(int fd) const {
  for (int i = 0; i < file_count_; ++i) {
    if (files_[i].fd == fd) return &files_[i];
  }
  return nullptr;
}

/// A second descriptor of each open file, so that one which a test closes can come back.
bool KernelState::record_files() {
  file_count_ = 0;
  bool fits = true;
  int fds[kMostFiles];
  int count = 0;
  each_descriptor([&](int fd) {
    if (is_kept(fd)) return;
    if (count < kMostFiles)
      fds[count++] = fd;
    else
      fits = false;
  });
  for (int i = 0; fits && i < count; ++i) {
    long copy = raw(SYS_fcntl, fds[i], F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return false;
    OpenFile& file = files_[file_count_++];
    file.fd = fds[i];
    file.backup = out_of_the_way((int)copy);
    file.fd_flags = (int)raw(SYS_fcntl, fds[i], F_GETFD);
    file.flags = (int)raw(SYS_fcntl, fds[i], F_GETFL);
    file.position = raw(SYS_lseek, fds[i], 0, SEEK_CUR);
    struct stat st;
    if (raw(SYS_fstat, fds[i], &st) != 0) return false;
    file.device = st.st_dev;
    file.inode = st.st_ino;
    keep(file.backup);
  }
  return fits;
}

/// A handler during which SIGSYS is blocked would be killed by its first system call.
bool KernelState::can_pass_gate() const {
  const bool other_stack = !(alternate_.flags & SS_DISABLE);
  for (int i = 1; i <= kSignalCount; ++i) {
    bool handled = settable(i) && actions_[i].handler > 1;
    if (handled && (actions_[i].mask & kSigsysBit)) return false;
    if (handled && other_stack && has_own_stack(actions_[i]) && !is_of_crashes(i)) return false;
  }
  return true;
}

bool KernelState::record() {
  long directory = raw(SYS_open, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  directory_ = directory < 0 ? -1 : out_of_the_way((int)directory);
  keep(directory_);
  umask_ = (uint32_t)raw(SYS_umask, 0);
  raw(SYS_umask, umask_);
  for (int i = 1; i <= kSignalCount; ++i) {
    if (settable(i)) raw(SYS_rt_sigaction, i, 0, &actions_[i], 8);
  }
  raw(SYS_sigaltstack, 0, &alternate_);
  if (!can_pass_gate()) return false;
  for (int i = 0; i < kTimerCount; ++i) raw(SYS_getitimer, i, &timers_[i]);
  for (int i = 0; i < kLimitCount; ++i) raw(SYS_prlimit64, 0, i, 0, &limits_[i]);
  raw(SYS_prctl, PR_GET_NAME, name_);
  heap_end_ = (uint64_t)raw(SYS_brk, 0);
  attributes_ = attributes_hash();
  bool timers_run = false;
  for (int i = 0; i < kTimerCount; ++i) {
    timers_run = timers_run || timers_[i].it_value.tv_sec || timers_[i].it_value.tv_usec;
  }
  return record_files() && directory_ >= 0 && !timers_run && attributes_ != 0;
}

Obstacle KernelState::obstacle(uint32_t effects) const {
  return effects & kThreads ? unseen_changes() : wire::kNoObstacle;
}

/// Threads need a moment to leave the kernel's list after pthread_join has returned.
Obstacle KernelState::unseen_changes() const {
  for (int tries = 0; live_threads() > 1; ++tries) {
    if (tries == 10) return wire::kLiveThreads;
    struct timespec ms = {0, 1000000};
    raw(SYS_nanosleep, &ms, 0);
  }
  if (has_posix_timers()) return wire::kUnknownCall;
  if (attributes_hash() != attributes_) return wire::kUnknownCall;
  return wire::kNoObstacle;
}

/// Whether our second descriptor is still what it was.
bool KernelState::is_same_file(const OpenFile& file) const {
  struct stat now;
  return raw(SYS_fstat, file.backup, &now) == 0 && now.st_dev == file.device &&
         now.st_ino == file.inode;
}

bool KernelState::put_files_back() const {
  int extra[kMostFiles];
  bool again = true;
  while (again) {  // more than fit at once: another round
    int count = 0;
    again = false;
    each_descriptor([&](int fd) {
      if (is_kept(fd) || file(fd)) return;
      if (count < kMostFiles)
        extra[count++] = fd;
      else
        again = true;
    });
    for (int i = 0; i < count; ++i) raw(SYS_close, extra[i]);
  }
  for (int i = 0; i < file_count_; ++i) {
    const OpenFile& f = files_[i];
    if (!is_same_file(f)) return false;
    raw(SYS_dup3, f.backup, f.fd, f.fd_flags & FD_CLOEXEC ? O_CLOEXEC : 0);
    if ((int)raw(SYS_fcntl, f.fd, F_GETFL) != f.flags) raw(SYS_fcntl, f.fd, F_SETFL, f.flags);
    if (f.position >= 0) raw(SYS_lseek, f.fd, f.position, SEEK_SET);
  }
  return true;
}

/// Called with all signals blocked; timers are off already.
void KernelState::drop_pending_signals() const {
  const struct timespec now = {0, 0};
  uint64_t pending = 0;
  for (int tries = 0; tries < 1024; ++tries) {
    if (raw(SYS_rt_sigpending, &pending, 8) != 0 || pending == 0) return;
    raw(SYS_rt_sigtimedwait, &pending, 0, &now, 8);
  }
}

void KernelState::put_signals_back() const {
  drop_pending_signals();
  for (int i = 1; i <= kSignalCount; ++i) {
    KernelSigaction action;
    if (!settable(i) || raw(SYS_rt_sigaction, i, 0, &action, 8) != 0) continue;
    if (memcmp(&action, &actions_[i], sizeof action) != 0) {
      raw(SYS_rt_sigaction, i, &actions_[i], 0, 8);
    }
  }
  raw(SYS_sigaltstack, &alternate_, 0);
}

bool KernelState::put_limits_back() const {
  for (int i = 0; i < kLimitCount; ++i) {
    struct rlimit now;
    if (raw(SYS_prlimit64, 0, i, 0, &now) != 0) continue;
    if (memcmp(&now, &limits_[i], sizeof now) == 0) continue;
    if (raw(SYS_prlimit64, 0, i, &limits_[i], 0) != 0) return false;
  }
  return true;
}

Obstacle KernelState::put_back(uint32_t effects) const {
  if ((effects & kLimits) && !put_limits_back()) return wire::kLoweredLimit;
  if (effects & kTimers) {
    for (int i = 0; i < kTimerCount; ++i) raw(SYS_setitimer, i, &timers_[i], 0);
  }
  if (effects & kSignals) put_signals_back();
  if ((effects & kDescriptors) && !put_files_back()) return wire::kClosedOurs;
  if (effects & kDirectory) {
    long entered = raw(SYS_fchdir, directory_);
    if (entered != 0) return entered == -EBADF ? wire::kClosedOurs : wire::kLostDirectory;
  }
  if (effects & kUmask) raw(SYS_umask, umask_);
  if (effects & kName) raw(SYS_prctl, PR_SET_NAME, name_);
  return wire::kNoObstacle;
}

void KernelState::put_heap_end_back() const {
  if ((uint64_t)raw(SYS_brk, 0) != heap_end_) raw(SYS_brk, heap_end_);
}

}  // namespace gordian_agent
