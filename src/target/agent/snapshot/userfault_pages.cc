// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// DirtyPages by userfaultfd with asynchronous write protection (Linux 6.7): a first write to a page
// costs about a microsecond, a scan next to nothing, and the kernel's own writes (read(2) into a
// buffer) are seen too. Containers often forbid it.
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "target/agent/snapshot/dirty_pages.h"
#include "target/agent/snapshot/raw_syscall.h"

namespace gordian_agent {
namespace {

// Newer than the headers of many build machines.
const uint64_t kFeatureWpAsync = 1u << 15;
const int kUserModeOnly = 1;
struct ScanRequest {
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
struct PageRegion {
  uint64_t start, end, categories;
};
const unsigned long kScanIoctl = _IOWR('f', 16, ScanRequest);
const uint64_t kOnlyWatched = 1 << 1;
enum : uint64_t {
  kWatched = 1 << 0,
  kWritten = 1 << 1,
  kFile = 1 << 2,
  kPresent = 1 << 3,
  kSwapped = 1 << 4
};

ScanRequest request_for(Range range, PageRegion* regions, size_t count) {
  ScanRequest request;
  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.start = range.begin;
  request.end = range.end;
  request.vec = (uint64_t)(uintptr_t)regions;
  request.vec_len = count;
  return request;
}

class UserfaultPages : public PageTracker {
 public:
  bool open() override {
    fault_fd_ = map_fd_ = -1;
    long fd = raw(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly);
    if (fd < 0) return false;
    fault_fd_ = out_of_the_way((int)fd);
    fd = raw(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) map_fd_ = out_of_the_way((int)fd);
    struct uffdio_api api;
    memset(&api, 0, sizeof api);
    api.api = UFFD_API;
    api.features = kFeatureWpAsync;
    if (map_fd_ >= 0 && raw(SYS_ioctl, fault_fd_, UFFDIO_API, &api) == 0 && works()) return true;
    close();
    return false;
  }

  void close() override {
    if (fault_fd_ > 0) raw(SYS_close, fault_fd_);  // 0: never opened
    if (map_fd_ > 0) raw(SYS_close, map_fd_);
    fault_fd_ = map_fd_ = -1;
  }

  bool watch(Range range) override {
    struct uffdio_register reg;
    memset(&reg, 0, sizeof reg);
    reg.range.start = range.begin;
    reg.range.len = range.end - range.begin;
    reg.mode = UFFDIO_REGISTER_MODE_WP;
    if (raw(SYS_ioctl, fault_fd_, UFFDIO_REGISTER, &reg) != 0) return false;
    return protect(range);
  }

  // Protecting a page that does not exist yet costs a page table entry. Where a whole table (2 MB)
  // is empty we leave it so: a first write there makes all of the table's pages show as written,
  // once.
  bool protect(Range range) override {
    const uint64_t kTable = 2u << 20;
    while (range.begin < range.end) {
      uint64_t next = (range.begin + kTable) & ~(kTable - 1);
      Range part = {range.begin, next < range.end ? next : range.end};
      bool whole = part.end - part.begin == kTable;
      if ((!whole || populated(part)) && !write_protect(part)) return false;
      range.begin = part.end;
    }
    return true;
  }

  int scan(Range range, PageKind kind, Range* found, int most, uint64_t* reached) const override {
    const int kBatch = 256;
    PageRegion regions[kBatch];
    if (most > kBatch) most = kBatch;
    ScanRequest request = request_for(range, regions, (size_t)most);
    switch (kind) {
      case kWrittenPages:
        request.flags = kOnlyWatched;  // memory that took the place of ours is no longer watched
        request.category_mask = request.return_mask = kWritten;  // exactly this has a fast path
        break;
      case kWrittenAmongOthers:
        request.category_mask = kWritten | kWatched;
        request.return_mask = kWritten;
        break;
      case kPresentPages:
        request.category_anyof_mask = request.return_mask = kPresent | kSwapped;
        break;
      case kOwnPages:
        request.category_inverted = kFile;
        request.category_mask = request.return_mask = kPresent | kFile;
        break;
      case kOtherPages:
        request.category_inverted = kPresent;
        request.category_anyof_mask = request.return_mask = kPresent | kFile;
        break;
    }
    long count = raw(SYS_ioctl, map_fd_, kScanIoctl, &request);
    for (long i = 0; i < count; ++i) {
      found[i].begin = regions[i].start;
      found[i].end = regions[i].end;
    }
    *reached = count < most ? range.end : request.walk_end;
    return (int)count;
  }

  int descriptors(int (&open)[2]) const override {
    open[0] = map_fd_;
    open[1] = fault_fd_;
    return 2;
  }
  int fault_fd() const override { return fault_fd_; }

 private:
  bool populated(Range range) const {
    PageRegion region;
    ScanRequest request = request_for(range, &region, 1);
    request.category_anyof_mask = request.return_mask = kPresent | kSwapped;
    request.max_pages = 1;
    return raw(SYS_ioctl, map_fd_, kScanIoctl, &request) != 0;
  }

  bool write_protect(Range range) const {
    struct uffdio_writeprotect wp;
    memset(&wp, 0, sizeof wp);
    wp.range.start = range.begin;
    wp.range.len = range.end - range.begin;
    wp.mode = UFFDIO_WRITEPROTECT_MODE_WP;
    long result;
    do {
      result = raw(SYS_ioctl, fault_fd_, UFFDIO_WRITEPROTECT, &wp);
    } while (result == -EAGAIN);
    return result == 0;
  }

  /// Writes to one of two watched pages and looks whether just that one is found.
  bool works() {
    long at =
        raw(SYS_mmap, 0, 2 * kPageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096) return false;
    volatile char* probe = (volatile char*)at;
    probe[0] = probe[kPageSize] = 1;
    Range both = {(uint64_t)at, (uint64_t)at + 2 * kPageSize};
    Range found = {0, 0};
    bool seen = watch(both);
    probe[kPageSize] = 2;
    uint64_t reached;
    seen = seen && scan(both, kWrittenPages, &found, 1, &reached) == 1;
    raw(SYS_munmap, at, 2 * kPageSize);
    return seen && found.begin == both.begin + kPageSize && found.end == both.end;
  }

  int fault_fd_, map_fd_;
};

}  // namespace

extern const PageWay userfault_way = {gordian_wire::kByUserfault,
                                      "userfaultfd",
                                      "userfaultfd with asynchronous write protection, Linux 6.7",
                                      "the other way costs more in large processes",
                                      /*by_mapping=*/true,
                                      /*by_sharing=*/false,
                                      make_tracker<UserfaultPages>};

}  // namespace gordian_agent
