// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/pristine.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "target/agent/agent.h"
#include "target/agent/snapshot/raw_syscall.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace gordian_agent {
namespace {

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

bool all_zero(const char* page) {
  const uint64_t* word = (const uint64_t*)page;
  uint64_t any = 0;
  for (size_t i = 0; i < kPageSize / 8; ++i) any |= word[i];
  return any == 0;
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
    entry->content = all_zero(buffers[i]) ? nullptr : buffers[i];
    entry->known = true;
  }
  return true;
}

}  // namespace gordian_agent
