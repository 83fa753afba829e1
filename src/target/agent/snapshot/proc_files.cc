// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/proc_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "target/agent/snapshot/raw_syscall.h"
#include "wire/small_text.h"

namespace gordian_agent {
namespace {

struct DirectoryEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

int number(const char* s) {
  int value = 0;
  for (; *s >= '0' && *s <= '9'; ++s) value = value * 10 + (*s - '0');
  return *s ? -1 : value;
}

bool is_about_rights(const char* line) {
  static const char* const kFields[] = {
      "Uid:",        "Gid:",     "Groups:",       "VmLck:",  "CapEff:",
      "NoNewPrivs:", "Seccomp:", "Cpus_allowed:", "CapPrm:", "THP_enabled:"};
  for (size_t i = 0; i < sizeof kFields / sizeof *kFields; ++i) {
    if (strncmp(line, kFields[i], strlen(kFields[i])) == 0) return true;
  }
  return false;
}

uint64_t mixed(uint64_t hash, const char* from, size_t size) {
  for (size_t i = 0; i < size; ++i) hash = (hash ^ (uint8_t)from[i]) * 0x100000001b3u;
  return hash;
}

uint64_t with_calls(uint64_t hash) {
  static const int kOptions[] = {PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_GET_KEEPCAPS,
                                 PR_GET_TIMERSLACK, PR_GET_CHILD_SUBREAPER};
  const int kOfProcess = 1;        // who an I/O priority is asked for
  const int kGetMemoryMerge = 68;  // PR_GET_MEMORY_MERGE, Linux 6.4
  const long answers[] = {raw(SYS_getpriority, PRIO_PROCESS, 0),
                          raw(SYS_personality, 0xffffffffl),
                          raw(SYS_getpgid, 0),
                          raw(SYS_getsid, 0),
                          raw(SYS_sched_getscheduler, 0),
                          raw(SYS_ioprio_get, kOfProcess, 0),
                          raw(SYS_prctl, kGetMemoryMerge, 0, 0, 0, 0, 0)};
  hash = mixed(hash, (const char*)answers, sizeof answers);
  for (size_t i = 0; i < sizeof kOptions / sizeof *kOptions; ++i) {
    int value = 0;  // an answer comes here or as the result
    const long result = raw(SYS_prctl, kOptions[i], &value, 0, 0, 0, 0);
    hash =
        mixed(mixed(hash, (const char*)&result, sizeof result), (const char*)&value, sizeof value);
  }
  return hash;
}

uint64_t with_files(uint64_t hash) {
  static const char* const kPlaces[] = {"/",
                                        "/proc/self/ns/mnt",
                                        "/proc/self/ns/net",
                                        "/proc/self/ns/uts",
                                        "/proc/self/ns/ipc",
                                        "/proc/self/ns/user",
                                        "/proc/self/ns/pid_for_children"};
  for (size_t i = 0; i < sizeof kPlaces / sizeof *kPlaces; ++i) {
    struct stat st;
    if (raw(SYS_stat, kPlaces[i], &st) != 0) continue;
    hash = mixed(hash, (const char*)&st.st_dev, sizeof st.st_dev);
    hash = mixed(hash, (const char*)&st.st_ino, sizeof st.st_ino);
  }
  char oom[16];
  long size = read_proc("/proc/self/oom_score_adj", oom, sizeof oom);
  return size > 0 ? mixed(hash, oom, (size_t)size) : hash;
}

}  // namespace

long read_proc(const char* path, char* buffer, size_t size) {
  long fd = raw(SYS_open, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fd;
  size_t have = 0;
  long n = 0;
  while (have < size && (n = raw(SYS_read, fd, buffer + have, size - have)) > 0) have += (size_t)n;
  raw(SYS_close, fd);
  return n < 0 ? n : (long)have;
}

int open_descriptor_list() {
  return (int)raw(SYS_open, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int next_descriptors(int list, int* fds, int most) {
  alignas(8) char buffer[2048];  // at 24 bytes or more each: at most 85 entries
  (void)most;
  int count = 0;
  while (count == 0) {
    long n = raw(SYS_getdents64, list, buffer, sizeof buffer);
    if (n <= 0) return 0;
    for (long at = 0; at < n;) {
      DirectoryEntry* entry = (DirectoryEntry*)(buffer + at);
      int fd = entry->name[0] == '.' ? -1 : number(entry->name);
      if (fd >= 0) fds[count++] = fd;
      at += entry->size;
    }
  }
  return count;
}

void close_descriptor_list(int list) {
  raw(SYS_close, list);
}

int live_threads() {
  struct stat st;
  return raw(SYS_stat, "/proc/self/task", &st) == 0 ? (int)st.st_nlink - 2 : 2;
}

bool has_relatives(int keeper) {
  siginfo_t info;
  if (raw(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, 0, 0) != -ECHILD) return true;
  unsigned parent = (unsigned)raw(SYS_getppid), self = (unsigned)raw(SYS_getpid);
  gordian_wire::SmallText path;
  path << "/proc/" << parent << "/task/" << parent << "/children";
  char buffer[512];
  long size = read_proc(path.data, buffer, sizeof buffer);
  if (size < 0 || size == (long)sizeof buffer) return true;
  unsigned pid = 0;
  for (long i = 0; i < size; ++i) {
    if (buffer[i] >= '0' && buffer[i] <= '9') {
      pid = pid * 10 + (unsigned)(buffer[i] - '0');
      continue;
    }
    if (pid && pid != self && pid != (unsigned)keeper) return true;
    pid = 0;
  }
  return false;
}

bool has_posix_timers() {
  char some[64];
  return read_proc("/proc/self/timers", some, sizeof some) != 0;
}

uint64_t attributes_hash() {
  char buffer[4096];
  long size = read_proc("/proc/self/status", buffer, sizeof buffer - 1);
  uint64_t hash = 0xcbf29ce484222325u;
  if (size <= 0) return 0;
  buffer[size] = 0;
  for (char* line = buffer; *line;) {
    char* end = strchr(line, '\n');
    if (!end) break;
    if (is_about_rights(line)) hash = mixed(hash, line, (size_t)(end - line));
    line = end + 1;
  }
  return with_files(with_calls(hash));
}

}  // namespace gordian_agent
