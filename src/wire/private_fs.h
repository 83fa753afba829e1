// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Private views of directories, for both sides: the engine sets up layer 0 around the whole test
// process before exec, the agent puts a second layer over it for each worker. Everything lives in
// mount namespaces and tmpfs, so it vanishes with the last process; nothing is left to clean up.
//
//   root/r<d>          the real directory d, bound here before it is covered
//   root/u<d>, k<d>    layer 0: what start-up and global set-up wrote (overlay upper and work)
//   root/w/u<d>, k<d>  layer 1 of a worker, on a tmpfs of its own: what its branch wrote
//
// Directories come outermost first; one inside another is covered on top of it.
// Layer 1 has lowerdir=u<d>:r<d>, so overlays are never stacked on overlays (the kernel allows
// two). A worker whose layer 1 is still empty after a branch keeps it; otherwise it gets a new one.
// Must be C++11 clean and libc only; every function is safe between fork and exec.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wire/protocol.h"
#include "wire/small_text.h"

namespace gordian_wire {

inline bool write_whole_file(const char* path, const char* text, size_t size) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = write(fd, text, size) == (ssize_t)size;
  close(fd);
  return ok;
}

inline bool map_own_id(const char* file, unsigned id) {
  SmallText line;
  line << id << " " << id << " 1";
  return write_whole_file(file, line.data, line.size);
}

/// A mount namespace of our own (and a user namespace that allows it), cut off from the parent's.
/// Who has the right already, being in such a user namespace, makes no further one: in that, what
/// is mounted below a directory could not be left out when the directory is bound.
inline bool enter_mount_namespace(bool userns) {
  unsigned uid = (unsigned)getuid(), gid = (unsigned)getgid();
  bool allowed = unshare(CLONE_NEWNS) == 0;
  if (!allowed && (!userns || unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0)) return false;
  if (!allowed) {
    write_whole_file("/proc/self/setgroups", "deny", 4);
    if (!map_own_id("/proc/self/uid_map", uid) || !map_own_id("/proc/self/gid_map", gid)) {
      return false;
    }
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// System V segments, semaphores and message queues, which outlive a process as files do.
/// REQUIRES: enter_mount_namespace() in this process. Where the kernel has no such namespace, those
/// of the machine stay.
inline void own_ipc() {
  if (unshare(CLONE_NEWIPC) != 0) errno = 0;
}

/// How many there are; -1: the kernel does not tell.
inline long count_ipc_objects() {
  struct shm_info segments;
  struct seminfo semaphores;
  struct msginfo queues;
  long all[3];
  all[0] = syscall(SYS_shmctl, 0, SHM_INFO, &segments) < 0 ? -1 : segments.used_ids;
  all[1] = syscall(SYS_semctl, 0, 0, SEM_INFO, &semaphores) < 0 ? -1 : semaphores.semusz;
  all[2] = syscall(SYS_msgctl, 0, MSG_INFO, &queues) < 0 ? -1 : queues.msgpool;
  long count = 0;
  for (long some : all) {
    if (some < 0) return -1;
    count += some;
  }
  return count;
}

/// Inside a user namespace we hold every capability over it; the test must not.
inline void drop_capabilities() {
  __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  syscall(SYS_capset, &head, none);
}

/// The overlay's root shows the upper directory's owner and mode: make them the real one's.
inline bool make_like(const char* path, const char* model) {
  struct stat st;
  if (stat(model, &st) != 0 || mkdir(path, 0700) != 0) return false;
  if (chown(path, st.st_uid, st.st_gid) != 0) errno = 0;  // foreign owner in a user namespace
  return chmod(path, st.st_mode & 07777) == 0;
}

/// Covers `target` by an overlay whose upper layer is base/u<d>. `lower` is the lowerdir list.
inline bool cover(const char* base, unsigned d, const char* lower, const char* target,
                  bool userns) {
  SmallText upper, work, options;
  upper << base << "/u" << d;
  work << base << "/k" << d;
  options << "lowerdir=" << lower << ",upperdir=" << upper.data << ",workdir=" << work.data;
  if (userns) options << ",userxattr";
  if (!upper.whole || !work.whole || !options.whole) return false;
  if (!make_like(upper.data, target) || mkdir(work.data, 0700) != 0) return false;
  return mount("overlay", target, "overlay", 0, options.data) == 0;
}

/// Layer 0. REQUIRES: enter_mount_namespace() succeeded; header->fs_* filled.
inline bool cover_for_process(const Header* h) {
  if (mount("tmpfs", h->fs_root, "tmpfs", 0, "mode=0755") != 0) return false;
  for (unsigned d = 0; d < h->fs_dirs; ++d) {  // all of them, before the first is covered
    SmallText real;
    real << h->fs_root << "/r" << d;
    if (mkdir(real.data, 0700) != 0) return false;
    if (mount(h->fs_dir[d], real.data, nullptr, MS_BIND, nullptr) != 0) return false;
  }
  for (unsigned d = 0; d < h->fs_dirs; ++d) {
    SmallText real;
    real << h->fs_root << "/r" << d;
    if (!cover(h->fs_root, d, real.data, h->fs_dir[d], h->fs_userns != 0)) return false;
  }
  SmallText workers;
  workers << h->fs_root << "/w";
  return mkdir(workers.data, 0700) == 0;
}

/// Layer 1, first or renewed (`again`). REQUIRES: a mount namespace of the worker's own.
inline bool cover_for_worker(const Header* h, bool again) {
  SmallText base;
  base << h->fs_root << "/w";
  if (again) {
    for (unsigned d = h->fs_dirs; d-- > 0;) umount2(h->fs_dir[d], MNT_DETACH);
    umount2(base.data, MNT_DETACH);
  }
  if (mount("tmpfs", base.data, "tmpfs", 0, "mode=0755") != 0) return false;
  for (unsigned d = 0; d < h->fs_dirs; ++d) {
    SmallText lower;
    lower << h->fs_root << "/u" << d << ":" << h->fs_root << "/r" << d;
    if (!cover(base.data, d, lower.data, h->fs_dir[d], h->fs_userns != 0)) return false;
  }
  return true;
}

/// True if something stands in the upper layer of any private directory below `base`.
inline bool upper_layers_touched(const Header* h, const char* base) {
  for (unsigned d = 0; d < h->fs_dirs; ++d) {
    SmallText upper;
    upper << base << "/u" << d;
    int dir = open(upper.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return true;
    alignas(8) char entries[256];  // "." and ".." take 24 bytes each
    long n = syscall(SYS_getdents64, dir, entries, sizeof entries);
    close(dir);
    if (n > 48) return true;
  }
  return false;
}

}  // namespace gordian_wire
