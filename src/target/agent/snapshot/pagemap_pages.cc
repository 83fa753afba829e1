// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// DirtyPages by /proc/self/pagemap, which any process may read of itself. The keeper
// (memory_rollback.h) is a forked copy, so at the snapshot every page of ours is mapped by two
// processes; the first write to one gives us a page of our own, and pagemap tells a page that one
// process maps from one that several do. Nothing is armed and nothing is remapped. A page written
// once stays our own, so it is compared after every test from then on, unless it can be given back
// to the kernel.
//
// Sound as long as nobody but the keeper shares our pages: a process that has forked since must not
// trust it. Memory that the kernel merges by content (KSM) is refused.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "target/agent/snapshot/dirty_pages.h"
#include "target/agent/snapshot/raw_syscall.h"

namespace gordian_agent {
namespace {

// An entry of pagemap. A page of a file's cache that we only read has kOfFile. kGuard is new in
// Linux 6.15.
enum : uint64_t {
  kIsPresent = 1ull << 63,
  kIsSwapped = 1ull << 62,  // or on its way elsewhere
  kOfFile = 1ull << 61,
  kGuard = 1ull << 58,
  kMappedOnce = 1ull << 56,
};
const int kGetMemoryMerge = 68;  // PR_GET_MEMORY_MERGE, Linux 6.4

// Reading the map of memory that does not exist costs as much as of memory that does.
const uint64_t kMostWatched = 16ull << 30;

bool holds_something(uint64_t entry) {
  if (entry & kGuard) return false;
  return (entry & kIsSwapped) || ((entry & kIsPresent) && !(entry & kOfFile));
}

/// Collects pages into runs.
struct Runs {
  Range* at;
  int count, most;
  bool add(uint64_t page) {
    if (count > 0 && at[count - 1].end == page) {
      at[count - 1].end += kPageSize;
      return true;
    }
    if (count == most) return false;
    at[count].begin = page;
    at[count++].end = page + kPageSize;
    return true;
  }
};

class PagemapPages : public PageTracker {
 public:
  bool open() override {
    owned_count_ = 0;
    watched_ = 0;
    emptied_ = false;
    map_fd_ = -1;
    if (raw(SYS_prctl, kGetMemoryMerge, 0, 0, 0, 0, 0) == 1) return false;
    if (!owned_) owned_ = (Range*)lasting_memory(kMostRuns * sizeof(Range));
    if (!owned_) return false;
    long fd = raw(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    map_fd_ = out_of_the_way((int)fd);
    return true;
  }

  void close() override {
    if (map_fd_ > 0) raw(SYS_close, map_fd_);  // 0: never opened
    map_fd_ = -1;
  }

  /// Notes which pages there are. In ascending order, and before the keeper is made.
  bool watch(Range range) override {
    watched_ += range.end - range.begin;
    if (watched_ > kMostWatched) return false;
    uint64_t entries[512];
    for (uint64_t at = range.begin; at < range.end;) {
      size_t count = (size_t)((range.end - at) / kPageSize);
      if (count > 512) count = 512;
      if (!read_entries(at, entries, count)) return false;
      for (size_t i = 0; i < count; ++i, at += kPageSize) {
        if (holds_something(entries[i]) && !add_owned(at, at + kPageSize)) return false;
      }
    }
    return true;
  }

  /// Gives pages that did not exist at the snapshot back to the kernel. The others stay our own.
  /// Empty again, they are what they were: zeros, or the file's content.
  bool protect(Range range) override {
    const Range* next = first_owned(range.begin);
    const Range* last = owned_ + owned_count_;
    for (uint64_t at = range.begin; at < range.end;) {
      uint64_t end = next < last && next->begin < range.end ? next->begin : range.end;
      if (end > at) raw(SYS_madvise, at, end - at, MADV_DONTNEED);  // refused: it stays our own
      if (end == range.end) break;
      at = next++->end;
    }
    return true;
  }

  int scan(Range range, PageKind kind, Range* found, int most, uint64_t* reached) const override {
    if (kind == kWrittenAmongOthers) return -1;  // it does not tell which pages are watched
    uint64_t entries[512];
    size_t count = (size_t)((range.end - range.begin) / kPageSize);
    if (count > 512) count = 512;
    if (!read_entries(range.begin, entries, count)) return -1;
    const Range* next = first_owned(range.begin);
    const Range* last = owned_ + owned_count_;
    Runs runs = {found, 0, most};
    uint64_t at = range.begin;
    for (size_t i = 0; i < count; ++i, at += kPageSize) {
      while (next < last && next->end <= at) ++next;
      bool owned = next < last && next->begin <= at;
      if (is_wanted(kind, entries[i], at, owned) && !runs.add(at)) break;
    }
    *reached = at;
    return runs.count;
  }

  /// A page may have been emptied (MADV_DONTNEED) and read again: such a one is shared, with every
  /// process that has an empty page. True from here on: look at the content of shared pages.
  void suspect_emptied(bool suspected) override { emptied_ = suspected; }
  int descriptors(int (&open)[2]) const override {
    open[0] = map_fd_;
    return 1;
  }

 private:
  enum : uint32_t { kMostRuns = 1 << 16 };
  bool read_entries(uint64_t at, uint64_t* entries, size_t count) const {
    return raw(SYS_pread64, map_fd_, entries, count * 8, at / kPageSize * 8) == (long)(count * 8);
  }

  bool add_owned(uint64_t begin, uint64_t end) {
    if (owned_count_ > 0 && owned_[owned_count_ - 1].end == begin) {
      owned_[owned_count_ - 1].end = end;
      return true;
    }
    if (owned_count_ == kMostRuns) return false;
    Range run = {begin, end};
    owned_[owned_count_++] = run;
    return true;
  }

  /// The first run that ends behind `at`; one past the last if there is none.
  const Range* first_owned(uint64_t at) const {
    uint32_t low = 0, high = owned_count_;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (owned_[middle].end <= at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return owned_ + low;
  }

  bool is_wanted(PageKind kind, uint64_t entry, uint64_t at, bool owned) const {
    switch (kind) {
      case kWrittenPages:
        return is_written(entry, at, owned);
      case kOwnPages:
        return (entry & kIsPresent) && !(entry & kOfFile);
      case kOtherPages:
        return !(entry & kIsPresent) || (entry & kOfFile);
      case kPresentPages:
      case kWrittenAmongOthers:
        break;
    }
    return (entry & (kIsPresent | kIsSwapped)) != 0;
  }

  bool is_written(uint64_t entry, uint64_t at, bool owned) const {
    if (entry & kIsSwapped) return owned || !(entry & kGuard);
    if (!(entry & kIsPresent) || (entry & kOfFile)) return owned;  // it was emptied
    if (entry & kMappedOnce) return true;
    return emptied_ && owned && is_empty((const void*)at);
  }

  int map_fd_;
  bool emptied_;
  Range* owned_;  // pages that held something of our own at the snapshot, ascending
  uint32_t owned_count_;
  uint64_t watched_;  // bytes
};

}  // namespace

extern const PageWay pagemap_way = {
    gordian_wire::kByPagemap,  "pagemap",
    "/proc/self/pagemap",      "needed where the other way is missing",
    /*by_mapping=*/false,      /*by_sharing=*/true,
    make_tracker<PagemapPages>};

}  // namespace gordian_agent
