// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// System calls by what they leave behind. What is not listed counts as something that cannot be
// undone: a call that we do not know costs a fork, never a wrong result.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "target/agent/snapshot/raw_syscall.h"
#include "target/agent/snapshot/syscall_gate.h"

namespace gordian_agent {
namespace {

namespace wire = gordian_wire;

Judgement leaves(uint32_t effects) {
  Judgement judgement = {effects, wire::kNoObstacle, false};
  return judgement;
}
Judgement stopped_by(Obstacle obstacle) {
  Judgement judgement = {0, obstacle, false};
  return judgement;
}
/// Runs outside of the handler, with the gate open from there on.
Judgement in_the_open(uint32_t effects, Obstacle obstacle) {
  Judgement judgement = {effects, obstacle, true};
  return judgement;
}

bool meets_snapshot(const Gate& gate, uint64_t begin, uint64_t size) {
  uint64_t end = begin + size;
  for (int i = 0; i < gate.space->count; ++i) {
    const Mapping& m = gate.space->at[i];
    if (m.begin < end && begin < m.end) return true;
  }
  return false;
}

/// A call that changes a mapping: harmless for the test's own, not for those of the snapshot.
Judgement changes_mapping(const Gate& gate, long begin, long size) {
  if (meets_snapshot(gate, (uint64_t)begin, (uint64_t)size)) return stopped_by(wire::kOldMapping);
  return leaves(kMappings);
}

/// MADV_DONTNEED. Emptied pages count as written; not those that show a file again, nor those of
/// memory whose content is not part of the snapshot.
Judgement empties(const Gate& gate, uint64_t begin, uint64_t size) {
  uint64_t end = begin + size;
  uint32_t effects = kNoEffect;
  for (int i = 0; i < gate.space->count; ++i) {
    const Mapping& m = gate.space->at[i];
    if (m.begin >= end || begin >= m.end) continue;
    if (!m.anonymous() || !m.tracked()) return stopped_by(wire::kOldMapping);
    effects = kEmptied;
  }
  return leaves(effects);
}

Judgement advises(const Gate& gate, const long* a) {
  bool harmless = a[2] == MADV_NORMAL || a[2] == MADV_RANDOM || a[2] == MADV_SEQUENTIAL ||
                  a[2] == MADV_WILLNEED;
  if (a[2] == MADV_DONTNEED) return empties(gate, (uint64_t)a[0], (uint64_t)a[1]);
  return harmless ? leaves(kNoEffect) : changes_mapping(gate, a[0], a[1]);
}

/// Copies from memory that the program names, which need not be there.
bool peek(long from, void* to, size_t size) {
  struct iovec local = {to, size}, remote = {(void*)from, size};
  return raw(SYS_process_vm_readv, raw(SYS_getpid), &local, 1, &remote, 1, 0) == (long)size;
}

/// What is written into the files of /proc changes the process itself.
bool is_in_proc(long path) {
  char begin[6];
  return peek(path, begin, sizeof begin) && memcmp(begin, "/proc/", sizeof begin) == 0;
}

Judgement opens(long path, long flags) {
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  if (writes && is_in_proc(path)) return stopped_by(wire::kUnknownCall);
  return leaves(kDescriptors | (writes ? (uint32_t)kFiles : 0u));
}

/// Locks, leases and owners belong to the open file, which our second descriptor keeps open.
Judgement controls_file(const long* a) {
  switch (a[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_GETFD:
    case F_SETFD:
    case F_GETFL:
    case F_SETFL:
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
      return leaves(kDescriptors);
    default:
      return stopped_by(wire::kUnknownCall);
  }
}

/// A process cannot leave what it has registered for.
Judgement uses_barrier(long command) {
  const long kRegister = (1 << 2) | (1 << 4) | (1 << 6) | (1 << 8);
  return command & kRegister ? stopped_by(wire::kUnknownCall) : leaves(kNoEffect);
}

/// kill, tkill and tgkill: whom, and the signal. One's own group holds nobody else.
Judgement signals(const long* a, long number) {
  bool own = a[0] == 0 || (int)a[0] == (int)raw(SYS_getpid);
  if (!own) return stopped_by(wire::kSignalledOthers);
  KernelSigaction action;
  bool known = raw(SYS_rt_sigaction, number, 0, &action, 8) == 0;
  return known && has_own_stack(action) ? in_the_open(kEverything, wire::kNoObstacle)
                                        : leaves(kSignals);
}

/// The gate lives by SIGSYS. A program that blocks it gets what it asked for, with the gate open.
Judgement sets_mask(const long* a) {
  uint64_t mask = 0;
  bool blocks = a[1] && a[0] != SIG_UNBLOCK && peek(a[1], &mask, 8) && (mask & kSigsysBit);
  return blocks ? in_the_open(kEverything, wire::kNoObstacle) : leaves(kSignals);
}

Judgement sets_action(const long* a) {
  if (a[0] == SIGSYS)
    return in_the_open(kEverything, a[1] ? wire::kUnknownCall : wire::kNoObstacle);
  KernelSigaction action;
  bool read = a[1] && peek(a[1], &action, sizeof action);
  bool own_stack = read && has_own_stack(action) && !is_of_crashes((int)a[0]);
  bool blocks = read && (action.mask & kSigsysBit);
  return blocks || own_stack ? in_the_open(kEverything, wire::kNoObstacle) : leaves(kSignals);
}

/// Moves the offset of an inherited description; the standard streams have none that matters.
Judgement uses(long fd) {
  return leaves(fd > 2 ? (uint32_t)kDescriptors : 0u);
}

Judgement clones(uint64_t flags) {
  if ((flags & CLONE_THREAD) && (flags & CLONE_VM))
    return in_the_open(kEverything, wire::kNoObstacle);
  return in_the_open(kEverything, wire::kStartedProcess);
}

Judgement controls_process(const long* a) {
  switch (a[0]) {
    case PR_SET_NAME:
      return leaves(kName);
    case PR_SET_SECCOMP:
      return in_the_open(kEverything, wire::kUnknownCall);
    case PR_GET_NAME:
    case PR_GET_DUMPABLE:
    case PR_GET_PDEATHSIG:
    case PR_GET_TIMERSLACK:
    case PR_GET_NO_NEW_PRIVS:
    case PR_CAPBSET_READ:
      return leaves(kNoEffect);
    default:
      return stopped_by(wire::kUnknownCall);
  }
}

/// With a mask of their own these may run handlers in which SIGSYS is blocked.
Judgement waits_with_mask(long mask) {
  return mask ? in_the_open(kEverything, wire::kNoObstacle) : leaves(kNoEffect);
}

}  // namespace

Judgement judge_syscall(const Gate& gate, long number, const long* a) {
  switch (number) {
    case SYS_stat:
    case SYS_fstat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_statfs:
    case SYS_fstatfs:
    case SYS_access:
    case SYS_faccessat:
#ifdef SYS_faccessat2
    case SYS_faccessat2:
#endif
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_getxattr:
    case SYS_lgetxattr:
    case SYS_fgetxattr:
    case SYS_listxattr:
    case SYS_pread64:
    case SYS_preadv:
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_times:
    case SYS_getrusage:
    case SYS_sysinfo:
    case SYS_uname:
    case SYS_getrandom:
    case SYS_getpid:
    case SYS_getppid:
    case SYS_gettid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getgroups:
    case SYS_getresuid:
    case SYS_getresgid:
    case SYS_getpgid:
    case SYS_getpgrp:
    case SYS_getsid:
    case SYS_getpriority:
    case SYS_getrlimit:
    case SYS_getitimer:
    case SYS_capget:
    case SYS_sched_yield:
    case SYS_sched_getaffinity:
    case SYS_sched_getparam:
    case SYS_sched_getscheduler:
    case SYS_sched_get_priority_max:
    case SYS_sched_get_priority_min:
    case SYS_getcpu:
    case SYS_futex:
    case SYS_mincore:
    case SYS_msync:
    case SYS_process_vm_readv:
    case SYS_rt_sigpending:
    case SYS_restart_syscall:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_getsockopt:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_exit_group:
      return leaves(kNoEffect);

    case SYS_write:
    case SYS_writev:
      return leaves(a[0] > 2 ? (uint32_t)(kDescriptors | kFiles) : 0u);
    case SYS_read:
    case SYS_readv:
    case SYS_lseek:
    case SYS_getdents64:
    case SYS_getdents:
    case SYS_ioctl:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_shutdown:
    case SYS_setsockopt:
    case SYS_connect:
    case SYS_listen:
    case SYS_epoll_ctl:
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime:
    case SYS_fadvise64:
    case SYS_inotify_rm_watch:
      return uses(a[0]);
    case SYS_close:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_pipe:
    case SYS_pipe2:
    case SYS_socket:
    case SYS_socketpair:
    case SYS_accept:
    case SYS_accept4:
    case SYS_epoll_create:
    case SYS_epoll_create1:
    case SYS_eventfd:
    case SYS_eventfd2:
    case SYS_timerfd_create:
    case SYS_inotify_init:
    case SYS_inotify_init1:
    case SYS_inotify_add_watch:
    case SYS_memfd_create:
    case SYS_sendfile:
    case SYS_splice:
    case SYS_tee:
    case SYS_copy_file_range:
      return leaves(kDescriptors);
    case SYS_open:
      return opens(a[0], a[1]);
    case SYS_openat:
      return opens(a[1], a[2]);
    case SYS_creat:
      return opens(a[0], O_WRONLY | O_CREAT | O_TRUNC);
    case SYS_fcntl:
      return controls_file(a);
    case SYS_bind:  // of a local socket makes a file
      return leaves(kDescriptors | kFiles);
    case SYS_membarrier:
      return uses_barrier(a[0]);

    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr:
    case SYS_truncate:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_mknod:
    case SYS_mknodat:
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_link:
    case SYS_linkat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_chmod:
    case SYS_fchmodat:
    case SYS_chown:
    case SYS_lchown:
    case SYS_fchownat:
    case SYS_utime:
    case SYS_utimes:
    case SYS_utimensat:
    case SYS_futimesat:
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_removexattr:
    case SYS_sync:
    case SYS_syncfs:
      return leaves(kFiles);

    case SYS_mmap:
      return (a[3] & MAP_FIXED) ? changes_mapping(gate, a[0], a[1]) : leaves(kMappings);
    case SYS_munmap:
    case SYS_mprotect:
      return changes_mapping(gate, a[0], a[1]);
    case SYS_mremap:
      return changes_mapping(gate, a[0], a[1]);
    case SYS_madvise:
      return advises(gate, a);
    case SYS_brk:
      // Pages below the snapshot's end that are given back are lost to us, even if they return.
      return a[0] && (uint64_t)a[0] < gate.heap_end ? stopped_by(wire::kOldMapping)
                                                    : leaves(kHeapEnd);

    case SYS_rt_sigaction:
      return sets_action(a);
    case SYS_rt_sigprocmask:
      return sets_mask(a);
    case SYS_kill:
    case SYS_tkill:
      return signals(a, a[1]);
    case SYS_tgkill:
      return signals(a, a[2]);
    case SYS_sigaltstack:
    case SYS_rt_sigtimedwait:
    case SYS_pause:
      return leaves(kSignals);
    case SYS_rt_sigreturn:
      return in_the_open(kEverything, wire::kNoObstacle);
    case SYS_rt_sigsuspend:
      return in_the_open(kEverything, wire::kNoObstacle);
    case SYS_ppoll:
      return waits_with_mask(a[3]);
    case SYS_pselect6:
      return waits_with_mask(a[5]);
    case SYS_epoll_pwait:
      return waits_with_mask(a[4]);
    case SYS_signalfd4:
    case SYS_signalfd:
      return leaves(kDescriptors | kSignals);

    case SYS_chdir:
    case SYS_fchdir:
      return leaves(kDirectory);
    case SYS_umask:
      return leaves(kUmask);
    case SYS_alarm:
    case SYS_setitimer:
      return leaves(kTimers | kSignals);
    case SYS_setrlimit:
      return leaves(kLimits);
    case SYS_prlimit64:
      return leaves(a[2] ? (uint32_t)kLimits : 0u);
    case SYS_prctl:
      return controls_process(a);

    case SYS_clone:
      return clones((uint64_t)a[0]);
#ifdef SYS_clone3
    case SYS_clone3:
      return clones(*(const uint64_t*)a[0]);
#endif
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
      return in_the_open(kEverything, wire::kStartedProcess);
    case SYS_wait4:
    case SYS_waitid:
      return leaves(kNoEffect);

    // A tracer is told of each signal, the gate's too; a filter may forbid returning from one.
    case SYS_ptrace:
    case SYS_seccomp:
      return in_the_open(kEverything, wire::kUnknownCall);
    default:
      return stopped_by(wire::kUnknownCall);
  }
}

}  // namespace gordian_agent
