// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/unseen_calls.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

namespace gordian {

const std::vector<long>& unseen_calls() {
  static const std::vector<long> calls = {
      // modes of the process that are read nowhere
      SYS_mprotect, SYS_pkey_mprotect, SYS_process_vm_writev, SYS_membarrier, SYS_prctl,
      SYS_seccomp, SYS_arch_prctl, SYS_modify_ldt, SYS_iopl, SYS_ioperm, SYS_ptrace,
      SYS_set_mempolicy, SYS_mbind, SYS_migrate_pages, SYS_sched_setaffinity,
      SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_ioprio_set, SYS_acct,
      // who and where it is
      SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
      SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_setsid, SYS_setpgid, SYS_unshare,
      SYS_setns, SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_sethostname,
      SYS_setdomainname, SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime,
      // what is shared with other processes
      SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_semget, SYS_semop, SYS_semtimedop,
      SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
      SYS_add_key, SYS_request_key, SYS_keyctl, SYS_flock,
      // what hangs on descriptors and devices
      SYS_ioctl, SYS_fcntl, SYS_setsockopt, SYS_io_setup, SYS_io_uring_setup, SYS_bpf,
      SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init, SYS_inotify_add_watch};
  return calls;
}

bool may_leave_unseen(long number, const std::array<std::uint64_t, 6>& arguments) {
  switch (number) {
    case SYS_membarrier:
      return arguments[0] != MEMBARRIER_CMD_QUERY;
    case SYS_prctl:  // names are compared, or mean nothing
      return arguments[0] != PR_SET_NAME && arguments[0] != PR_GET_NAME &&
             arguments[0] != PR_SET_VMA;
    case SYS_ioctl:
      return arguments[1] != TCGETS && arguments[1] != TIOCGWINSZ && arguments[1] != FIONREAD;
    case SYS_fcntl:  // flags and numbers are compared
      return arguments[1] == F_SETLK || arguments[1] == F_SETLKW || arguments[1] == F_SETOWN ||
             arguments[1] == F_SETSIG || arguments[1] == F_SETLEASE || arguments[1] == F_NOTIFY ||
             arguments[1] == F_OFD_SETLK || arguments[1] == F_OFD_SETLKW;
    default:
      return true;
  }
}

}  // namespace gordian
