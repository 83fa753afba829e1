// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/memory_rollback.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "target/agent/agent.h"
#include "target/agent/snapshot/checkpoint.h"
#include "target/agent/snapshot/raw_syscall.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// glibc 2.35 and newer: where the kernel writes the processor's number into the thread's block.
extern "C" {
extern __attribute__((weak)) const ptrdiff_t __rseq_offset;
}

namespace gordian_agent {
namespace {

const uint16_t kHot = 2, kCooled = 32;
alignas(4096) const char kZeroPage[4096] = {0};

Range rseq_area() {
  Range none = {0, 0};
  if (!&__rseq_offset) return none;
  uint64_t thread;
  asm("movq %%fs:0, %0" : "=r"(thread));
  uint64_t begin = thread + (uint64_t)__rseq_offset;
  Range area = {begin, begin + 32};
  return area;
}

bool equal_and_copied(char* to, const char* from, size_t size) {
  if (memcmp(to, from, size) == 0) return true;
  memcpy(to, from, size);
  return false;
}

/// Never returns. Runs in a copy of the process, on a copy of our stack: touches nothing else.
void sleep_as_keeper(volatile uint32_t* own_pid) {
  raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  raw(SYS_prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // our sibling reads us; EINVAL without Yama
  if (raw(SYS_close_range, 0, ~0u, 0) != 0) {          // hold no pipe open that tests wait on
    for (int fd = 0; fd < 1024; ++fd) raw(SYS_close, fd);
  }
  __atomic_store_n(own_pid, (uint32_t)raw(SYS_getpid), __ATOMIC_RELEASE);
  for (;;) raw(SYS_pause);
}

uint32_t slot_of(uint64_t page, uint32_t capacity) {
  return (uint32_t)((page / kPageSize * 0x9e3779b97f4a7c15u) >> 32) & (capacity - 1);
}

Page* find(Page* table, uint32_t capacity, uint64_t at) {
  uint32_t i = slot_of(at, capacity);
  while (table[i].at && table[i].at != at) i = (i + 1) & (capacity - 1);
  return &table[i];
}

}  // namespace

bool Pristine::open(volatile uint32_t* keeper_pid) {
  capacity_ = used_ = 0;
  store_left_ = 0;
  if (!grow()) return false;
  *keeper_pid = 0;
  // A sibling, not a child: tests wait for their children.
  long pid = raw(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0);
  if (pid < 0) return false;
  if (pid == 0) sleep_as_keeper(keeper_pid);
  keeper_ = (int)pid;
  // It tells that it is ready where a test elsewhere may write as well: not to be waited for long.
  const uint64_t kPatience = 1000000000;
  for (uint64_t start = now_ns(); __atomic_load_n(keeper_pid, __ATOMIC_ACQUIRE) == 0;) {
    if (now_ns() - start > kPatience) {
      raw(SYS_kill, pid, SIGKILL);
      return false;
    }
    raw(SYS_sched_yield);
  }
  uint64_t probe = 0;
  return read((uint64_t)(uintptr_t)&capacity_, (char*)&probe, 4) && probe == capacity_;
}

bool Pristine::grow() {
  uint32_t wanted = capacity_ ? capacity_ * 4 : 4096;
  Page* table = (Page*)lasting_memory(wanted * sizeof(Page));
  if (!table) return false;
  for (uint32_t i = 0; i < capacity_; ++i) {
    if (table_[i].at) *find(table, wanted, table_[i].at) = table_[i];
  }
  table_ = table;
  capacity_ = wanted;
  return true;
}

Page* Pristine::page(uint64_t at) {
  if (used_ * 2 >= capacity_ && !grow()) return nullptr;
  Page* entry = find(table_, capacity_, at);
  if (!entry->at) {
    entry->at = at;
    ++used_;
  }
  return entry;
}

char* Pristine::take_store() {
  if (store_left_ == 0) {
    const size_t kChunk = 4u << 20;
    store_ = (char*)lasting_memory(kChunk);
    if (!store_) return nullptr;
    store_left_ = kChunk;
  }
  char* taken = store_;
  store_ += kPageSize;
  store_left_ -= kPageSize;
  return taken;
}

bool Pristine::read(uint64_t from, char* to, size_t size) const {
  struct iovec local = {to, size}, remote = {(void*)from, size};
  return raw(SYS_process_vm_readv, keeper_, &local, 1, &remote, 1, 0) == (long)size;
}

bool Pristine::fetch(const uint64_t* pages, int count) {
  char* buffers[kFetchMost];
  struct iovec local[kFetchMost], remote[kFetchMost];
  for (int i = 0; i < count; ++i) {
    buffers[i] = take_store();
    if (!buffers[i]) return false;
    local[i].iov_base = buffers[i];
    remote[i].iov_base = (void*)pages[i];
    local[i].iov_len = remote[i].iov_len = kPageSize;
  }
  long wanted = (long)(count * (int)kPageSize);
  if (raw(SYS_process_vm_readv, keeper_, local, count, remote, count, 0) != wanted) return false;
  for (int i = 0; i < count; ++i) {
    Page* entry = page(pages[i]);
    if (!entry) return false;
    entry->content = is_empty(buffers[i]) ? nullptr : buffers[i];
    entry->known = true;
  }
  return true;
}

bool MemoryRollback::begin(const AddressSpace& space, volatile uint32_t* keeper_pid) {
  region_count_ = waiting_count_ = own_count_ = 0;
  protect_.begin = protect_.end = 0;
  kernels_own_ = rseq_area();
  for (int i = 0; i < space.count; ++i) {
    const Mapping& m = space.at[i];
    if (!note_own_pages(m)) return false;
    if (!m.tracked()) continue;
    if (region_count_ == kMostRegions) return false;
    Region region = {{m.begin, m.end}, m.stack};
    if (!dirty_.watch(region.range)) return false;
    regions_[region_count_++] = region;
  }
  plan_scans();
  return pristine_.open(keeper_pid);
}

// A scan costs a microsecond to begin with, some 50 ns for each mapping that it passes over, and
// little more for each page: small regions that lie near each other are scanned together.
void MemoryRollback::plan_scans() {
  const uint64_t kSmall = 256 * 1024, kNear = 64u << 20;
  stretch_count_ = 0;
  for (int i = 0; i < region_count_; ++i) {
    Range range = regions_[i].range;
    bool small = dirty_.way().by_mapping && range.end - range.begin <= kSmall && !regions_[i].stack;
    Stretch* last = stretch_count_ > 0 ? &stretches_[stretch_count_ - 1] : nullptr;
    if (small && last && last->mixed && range.end - last->range.begin < kNear) {
      last->range.end = range.end;
      continue;
    }
    Stretch stretch = {range, small};
    stretches_[stretch_count_++] = stretch;
  }
}

/// The data segment of the executable, which comes first in the address space, and the anonymous
/// memory right behind it: what its static variables lie in. Heap, stack and libraries must go back
/// all the same, or the process would not live to tell.
void MemoryRollback::leave_out_program(const AddressSpace& space) {
  const Mapping& program = space.at[0];
  uint64_t end = program.begin;
  for (int i = 0; i < space.count && space.at[i].begin - end < kPageSize; ++i) {
    const Mapping& m = space.at[i];
    if (m.heap || (m.inode != 0 && m.inode != program.inode)) break;
    end = m.end;
  }
  int kept = 0;
  for (int i = 0; i < region_count_; ++i) {
    if (regions_[i].range.begin >= end) regions_[kept++] = regions_[i];
  }
  region_count_ = kept;
  plan_scans();
}

bool MemoryRollback::flush_protect() {
  bool done = protect_.begin == protect_.end || dirty_.protect(protect_);
  protect_.begin = protect_.end = 0;
  return done;
}

void MemoryRollback::protect_later(uint64_t at) {
  if (protect_.end != at) {
    flush_protect();
    protect_.begin = at;
  }
  protect_.end = at + kPageSize;
}

/// The page is known. Around the kernel's own bytes, never through them.
bool MemoryRollback::restore_page(uint64_t at, CheckpointCosts* costs) {
  Page* page = pristine_.page(at);
  const char* content = page->content ? page->content : kZeroPage;
  char* memory = (char*)at;
  bool same;
  if (kernels_own_.begin < at + kPageSize && at < kernels_own_.end) {
    size_t first = kernels_own_.begin > at ? (size_t)(kernels_own_.begin - at) : 0;
    size_t behind = (size_t)(kernels_own_.end - at);
    same = equal_and_copied(memory, content, first);
    if (behind < kPageSize) {
      same &= equal_and_copied(memory + behind, content + behind, kPageSize - behind);
    }
  } else {
    same = equal_and_copied(memory, content, kPageSize);
  }
  page->clean = same ? (uint16_t)(page->clean + 1) : 0;
  bool cooled = page->clean >= kCooled;
  if (cooled) page->clean = 0;
  page->hits = cooled ? 0 : (uint16_t)(page->hits < kHot ? page->hits + 1 : kHot);
  if (page->hits < kHot) protect_later(at);
  ++costs->pages_written;
  costs->pages_changed += !same;
  return true;
}

bool MemoryRollback::restore_fetched(CheckpointCosts* costs) {
  int count = waiting_count_;
  waiting_count_ = 0;
  if (count == 0) return true;
  if (!pristine_.fetch(waiting_, count)) return false;
  for (int i = 0; i < count; ++i) {
    if (!restore_page(waiting_[i], costs)) return false;
  }
  return true;
}

bool MemoryRollback::restore_run(Range run, CheckpointCosts* costs) {
  for (uint64_t at = run.begin; at < run.end; at += kPageSize) {
    Page* page = pristine_.page(at);
    if (!page) return false;
    if (page->known) {
      if (!restore_page(at, costs)) return false;
      continue;
    }
    waiting_[waiting_count_++] = at;
    if (waiting_count_ == Pristine::kFetchMost && !restore_fetched(costs)) return false;
  }
  return true;
}

/// Pages that the stack grew into are emptied: a test finds zeros below, as in a fresh process.
bool MemoryRollback::drop_stack_growth(const Region& region) {
  // The kernel keeps 128 MB below the stack's top free of other mappings; half of that is ours to
  // look at.
  const uint64_t kFurthest = 64u << 20;
  uint64_t next = region.range.begin - kPageSize;
  if (raw(SYS_msync, next, kPageSize, MS_ASYNC) == -ENOMEM) return true;  // not mapped: none
  Range below = {region.range.end - kFurthest, region.range.begin};
  bool dropped = true;
  bool scanned = dirty_.each(kPresentPages, below, [&dropped](Range run) {
    long result = raw(SYS_madvise, run.begin, run.end - run.begin, MADV_DONTNEED);
    dropped = dropped && result == 0;
  });
  return scanned && dropped;
}

bool MemoryRollback::each_difference(void (*fn)(uint64_t, uint32_t)) const {
  char kept[kPageSize];
  for (int i = 0; i < region_count_; ++i) {
    for (uint64_t at = regions_[i].range.begin; at < regions_[i].range.end; at += kPageSize) {
      if (!pristine_.read(at, kept, kPageSize)) return false;
      const char* now = (const char*)at;
      if (memcmp(now, kept, kPageSize) == 0) continue;
      uint64_t first = 0;
      uint32_t bytes = 0;
      for (uint64_t b = 0; b < kPageSize; ++b) {
        if (now[b] == kept[b] || kernels_own_.contains(at + b)) continue;
        if (bytes++ == 0) first = at + b;
      }
      if (bytes) fn(first, bytes);
    }
  }
  return true;
}

bool MemoryRollback::restore(CheckpointCosts* costs) {
  bool restored = true;
  auto take = [&](Range run) { restored = restored && restore_run(run, costs); };
  for (int i = 0; i < stretch_count_ && restored; ++i) {
    const Stretch& stretch = stretches_[i];
    bool scanned = stretch.mixed ? dirty_.each(kWrittenAmongOthers, stretch.range, take)
                                 : dirty_.each(kWrittenPages, stretch.range, take);
    restored = restored && scanned;
  }
  for (int i = 0; i < region_count_ && restored; ++i) {
    if (regions_[i].stack) restored = drop_stack_growth(regions_[i]);
  }
  return restored && restore_fetched(costs) && flush_protect();
}

// What a test can do to old memory while the gate is open, without a trace in the list of mappings
// or of written pages.

bool MemoryRollback::note_own_pages(const Mapping& m) {
  if (m.shared || m.special || !(m.protection & 1)) return true;
  if (m.anonymous() && m.tracked()) return true;  // dropped, they count as written
  Range range = {m.begin, m.end};
  bool fits = true;
  bool scanned = dirty_.each(kOwnPages, range, [this, &fits](Range run) {
    fits = fits && own_count_ < kMostOwn;
    if (fits) own_[own_count_++] = run;
  });
  return scanned && fits;
}

bool MemoryRollback::equals_keeper(Range run) const {
  char kept[kPageSize];
  for (uint64_t at = run.begin; at < run.end; at += kPageSize) {
    if (!pristine_.read(at, kept, kPageSize)) return false;
    if (memcmp((const void*)at, kept, kPageSize) != 0) return false;
  }
  return true;
}

bool MemoryRollback::changed_unseen(const AddressSpace& space) const {
  bool changed = false;
  // Replaced by other memory of the same kind.
  for (int i = 0; i < region_count_ && !changed; ++i) {
    changed = !dirty_.still_watched(regions_[i].range);
  }
  // Dropped: shows the file again, or zeros, and counts as not written since.
  for (int i = 0; i < own_count_ && !changed; ++i) {
    changed = !dirty_.each(kOtherPages, own_[i], [&changed](Range) { changed = true; }) || changed;
  }
  // Made writable, written and protected again.
  for (int i = 0; i < space.count && !changed; ++i) {
    const Mapping& m = space.at[i];
    if (m.tracked() || m.shared || m.special || !(m.protection & 1)) continue;
    Range range = {m.begin, m.end};
    bool scanned = dirty_.each(kOwnPages, range, [this, &changed](Range run) {
      changed = changed || !equals_keeper(run);
    });
    changed = changed || !scanned;
  }
  return changed;
}

}  // namespace gordian_agent
