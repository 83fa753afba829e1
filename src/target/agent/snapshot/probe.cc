// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/probe.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "target/agent/snapshot/dirty_pages.h"
#include "target/agent/snapshot/machine.h"
#include "target/agent/snapshot/proc_files.h"
#include "target/agent/snapshot/raw_syscall.h"
#include "target/agent/snapshot/syscall_gate.h"

namespace gordian_agent {
namespace {

namespace wire = gordian_wire;

const size_t kHeadroom = 16u << 20;  // a machine, its stack, and the first pages of a snapshot
enum { kUntouched, kChanged, kEmptied, kPages };

struct Trial {
  Gate gate;
  DirtyPages dirty;
  char* pages;  // kPages of them
};

/// A copy of this process that sleeps. No signal tells of its end: the program may have a handler.
long start_sleeper() {
  long pid = raw(SYS_clone, 0, 0, 0, 0);
  if (pid != 0) return pid;
  raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  for (;;) raw(SYS_pause);
}

void end_sleeper(long pid) {
  raw(SYS_kill, pid, SIGKILL);
  raw(SYS_wait4, pid, 0, __WALL, 0);
}

char* page(const Trial& trial, int number) {
  return trial.pages + (uint64_t)number * kPageSize;
}

/// Changes one page, empties another, and looks whether just these two are found.
bool finds_what_was_written(Trial* trial) {
  volatile char* changed = page(*trial, kChanged);
  volatile char* emptied = page(*trial, kEmptied);
  *changed = 2;
  if (raw(SYS_madvise, emptied, kPageSize, MADV_DONTNEED) != 0 || *emptied != 0) return false;
  Range all = {(uint64_t)(uintptr_t)trial->pages, (uint64_t)(uintptr_t)page(*trial, kPages)};
  Range found = {0, 0};
  int runs = 0;
  trial->dirty.suspect_emptied(true);
  bool scanned = trial->dirty.each(kWrittenPages, all, [&](Range run) {
    found = run;
    ++runs;
  });
  return scanned && runs == 1 && found.begin == (uint64_t)(uintptr_t)changed &&
         found.end == all.end;
}

bool can_read(long pid, const char* at, char wanted) {
  char byte = 0;
  struct iovec local = {&byte, 1}, remote = {(void*)at, 1};
  return raw(SYS_process_vm_readv, pid, &local, 1, &remote, 1, 0) == 1 && byte == wanted;
}

wire::SnapshotSupport attempt(Trial* trial) {
  for (int i = 0; i < kPages; ++i) *(volatile char*)page(*trial, i) = 1;
  Range all = {(uint64_t)(uintptr_t)trial->pages, (uint64_t)(uintptr_t)page(*trial, kPages)};
  if (!trial->dirty.watch(all)) return wire::kNoPageTracking;
  long sleeper = start_sleeper();
  if (sleeper < 0) return wire::kNoKeeper;
  bool found = finds_what_was_written(trial);
  bool readable = can_read(sleeper, page(*trial, kChanged), 1);
  end_sleeper(sleeper);
  if (!readable) return wire::kNoKeeper;
  return found ? wire::kSupported : wire::kNoPageTracking;
}

wire::SnapshotSupport attempt(Trial* trial, const PageWay& way) {
  wire::SnapshotSupport support = wire::kNoPageTracking;
  if (trial->dirty.open(way)) support = attempt(trial);
  trial->dirty.close();
  return support;
}

SnapshotProbe refused(wire::SnapshotSupport why) {
  SnapshotProbe probe = {why, wire::kNoBackend};
  return probe;
}

}  // namespace

extern const PageWay userfault_way, pagemap_way;
const PageWay* const page_ways[kPageWays] = {&userfault_way, &pagemap_way};

SnapshotProbe probe_snapshots(uint32_t avoid) {
  if (live_threads() != 1) return refused(wire::kHasThreads);
  Trial* trial = (Trial*)lasting_memory(sizeof(Trial));
  if (!trial || !(trial->pages = (char*)lasting_memory(kPages * kPageSize)) ||
      !lasting_memory_left(kHeadroom)) {
    return refused(wire::kNoMemory);
  }
  bool gated = install_gate(&trial->gate);
  remove_gate(&trial->gate);
  if (!gated) return refused(wire::kNoSyscallGate);
  wire::SnapshotSupport worst = wire::kNoPageTracking;
  for (const PageWay* way : page_ways) {
    if (avoid & (1u << way->backend)) continue;
    wire::SnapshotSupport support = attempt(trial, *way);
    SnapshotProbe probe = {support, way->backend};
    if (support == wire::kSupported) return probe;
    if (support != wire::kNoPageTracking) worst = support;
  }
  return refused(worst);
}

}  // namespace gordian_agent
