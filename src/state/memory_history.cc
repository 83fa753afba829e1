// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_history.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "state/memory_diff.h"

namespace gordian {
namespace {

// An entry of pagemap, see the kernel's Documentation/admin-guide/mm/pagemap.rst.
constexpr std::uint64_t kIsPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kIsSwapped = std::uint64_t{1} << 62;
constexpr std::uint64_t kOfFile = std::uint64_t{1} << 61;  // or of memory that is shared
constexpr std::uint64_t kMappedOnce = std::uint64_t{1} << 56;

constexpr std::uint64_t kHistoryGranule = 8;
constexpr std::size_t kReadAtOnce = 512;                          // pages
constexpr std::uint64_t kUntouchedSpan = std::uint64_t{4} << 30;  // see changed_ranges()

bool holds_something(std::uint64_t entry) {
  return (entry & kIsSwapped) || ((entry & kIsPresent) && !(entry & kOfFile));
}

UniqueFd open_pagemap(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/pagemap";
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

/// False where it cannot be told.
bool read_entries(const UniqueFd& pagemap, std::uint64_t page, std::span<std::uint64_t> to) {
  const auto size = static_cast<ssize_t>(to.size_bytes());
  return ::pread(pagemap.get(), to.data(), to.size_bytes(), static_cast<off_t>(page * 8)) == size;
}

bool is_tracked(const Mapping& mapping) {
  return mapping.readable && mapping.writable &&
         (!mapping.path.empty() || range_of(mapping).size <= kUntouchedSpan);
}

/// Not of a file: a page that is not there reads as zeros.
bool has_no_file(const Mapping& mapping) {
  return !mapping.shared && (mapping.path.empty() || mapping.path[0] == '[');
}

RangeSet in_common(std::span<const Mapping> a, std::span<const Mapping> b) {
  std::vector<ByteRange> ranges;
  for (const Mapping& one : a) {
    for (const Mapping& other : b) {
      const auto begin = std::max(one.begin.value(), other.begin.value());
      const auto end = std::min(one.end.value(), other.end.value());
      if (begin < end && one.path == other.path && !one.shared && !other.shared && one.readable) {
        ranges.push_back({begin, end - begin});
      }
    }
  }
  return RangeSet(std::move(ranges));
}

}  // namespace

bool MemoryHistory::View::read(std::uint64_t address, void* to, std::size_t size) const {
  if (size == 0) return true;
  if (address + (size - 1) < address) return false;
  auto* out = static_cast<unsigned char*>(to);
  while (size > 0) {
    const std::size_t part = std::min<std::size_t>(size, kPage - address % kPage);
    if (!history_.read_part(now_, address, out, part)) return false;
    out += part, address += part, size -= part;
  }
  return true;
}

bool MemoryHistory::read_part(bool now, std::uint64_t address, void* to, std::size_t size) const {
  const std::uint64_t page = address / kPage;
  auto from = now ? old_.end() : old_.find(page);
  if (from == old_.end()) {
    from = pages_.find(page);
    if (from == pages_.end()) {
      const bool common = (now ? common_ : common_before_).covers({address, size});
      return (common && origin_image_ ? *origin_image_ : *live_).read(address, to, size);
    }
  }
  if (!from->second) return false;
  std::memcpy(to, from->second->data() + address % kPage, size);
  return true;
}

void MemoryHistory::look_at_origin() {
  const UniqueFd pagemap = open_pagemap(origin_);
  std::vector<std::uint64_t> entries(kReadAtOnce);
  for (const Mapping& mapping : origin_mappings_) {
    if (!is_tracked(mapping)) continue;
    const std::uint64_t end = mapping.end.value() / kPage;
    for (std::uint64_t page = mapping.begin.value() / kPage; page < end;) {
      const auto part = std::span(entries).first(std::min<std::size_t>(kReadAtOnce, end - page));
      const bool told = read_entries(pagemap, page, part);
      for (std::uint64_t entry : part) {
        if (!told || holds_something(entry)) owned_.insert(page);
        ++page;
      }
    }
  }
}

void MemoryHistory::look_at_mappings(std::span<const Mapping> mappings) {
  writable_before_ = writable_;
  common_before_ = common_;
  if (std::equal(mappings.begin(), mappings.end(), mappings_.begin(), mappings_.end())) return;
  mappings_.assign(mappings.begin(), mappings.end());
  writable_ = RangeSet(writable_ranges(mappings));
  common_ = in_common(mappings, origin_mappings_);
  std::vector<ByteRange> readable;
  for (const Mapping& mapping : mappings) {
    if (mapping.readable) readable.push_back(range_of(mapping));
  }
  const RangeSet there(std::move(readable));
  for (auto& [page, content] : pages_) {
    if (!content || there.contains(page * kPage)) continue;
    old_.emplace(page, std::exchange(content, nullptr));
  }
}

void MemoryHistory::advance(pid_t pid, pid_t forked_from, std::span<const Mapping> mappings,
                            bool shared) {
  if (holds_ == 0) {
    pid_ = pid;
    origin_ = forked_from;
    pagemap_ = open_pagemap(pid);
    if (origin_ > 0) {
      origin_image_.emplace(origin_);
      origin_mappings_ = program_mappings(origin_);
      look_at_origin();
    }
  }
  live_.emplace(pid);
  old_.clear();
  wanted_.clear();
  differing_.clear();
  look_at_mappings(mappings);
  for (const Mapping& mapping : mappings_) {
    if (is_tracked(mapping)) choose_pages(mapping, shared || origin_ <= 0);
  }
  read_pages();
  ++holds_;
  changed_ = RangeSet(std::move(differing_));
}

bool MemoryHistory::is_written(std::uint64_t entry, std::uint64_t page) const {
  if (entry & kIsSwapped) return true;
  if (!(entry & kIsPresent) || (entry & kOfFile)) return owned_.contains(page);  // it was emptied
  return entry & kMappedOnce;
}

void MemoryHistory::choose_pages(const Mapping& mapping, bool all) {
  std::array<std::uint64_t, kReadAtOnce> entries;
  const bool counts = writable_before_.touches(range_of(mapping));
  const bool of_zeros = has_no_file(mapping);
  const std::uint64_t end = mapping.end.value() / kPage;
  for (std::uint64_t page = mapping.begin.value() / kPage; page < end;) {
    const auto part = std::span(entries).first(std::min<std::size_t>(kReadAtOnce, end - page));
    const bool told = read_entries(pagemap_, page, part);
    for (std::uint64_t entry : part) {
      choose(entry, {page, counts}, all || !told || mapping.shared, told && of_zeros);
      ++page;
    }
  }
}

void MemoryHistory::choose(std::uint64_t entry, Wanted wanted, bool all, bool of_zeros) {
  static const PagePtr zeros = std::make_shared<const Page>();
  const auto known = pages_.find(wanted.page);
  const bool common = common_.contains(wanted.page * kPage);
  const bool empty = of_zeros && (entry & (kIsPresent | kIsSwapped)) == 0;
  if (empty && !common && known == pages_.end()) {
    take(wanted, zeros.get());
    pages_[wanted.page] = zeros;  // all of them are one
  } else if (empty && known != pages_.end() && known->second == zeros) {
    return;
  } else if (all || known != pages_.end() || !common || is_written(entry, wanted.page)) {
    wanted_.push_back(wanted);
  }
}

void MemoryHistory::read_pages() {
  std::vector<Page> contents(std::min(kReadAtOnce, wanted_.size()));
  for (std::size_t at = 0; at < wanted_.size();) {
    const std::size_t count = std::min(kReadAtOnce, wanted_.size() - at);
    iovec local{contents.data(), count * kPage};
    std::array<iovec, kReadAtOnce>
        remote;  // an element for each: a transfer never ends inside of one
    for (std::size_t i = 0; i < count; ++i) {
      remote[i] = {reinterpret_cast<void*>(wanted_[at + i].page * kPage), kPage};
    }
    const ssize_t got = process_vm_readv(pid_, &local, 1, remote.data(), count, 0);
    const std::size_t whole = got > 0 ? static_cast<std::size_t>(got) / kPage : 0;
    for (std::size_t i = 0; i < whole; ++i) take(wanted_[at + i], &contents[i]);
    if (whole < count) take(wanted_[at + whole], nullptr);
    at += std::min(whole + 1, count);
  }
}

/// As it was at the hold before.
MemoryHistory::PagePtr MemoryHistory::known(std::uint64_t page) const {
  auto found = pages_.find(page);
  if (found != pages_.end()) return found->second;
  if (!origin_image_ || !common_before_.contains(page * kPage)) return nullptr;
  auto content = std::make_shared<Page>();
  if (!origin_image_->read(page * kPage, content->data(), kPage)) return nullptr;
  return content;
}

void MemoryHistory::take(Wanted wanted, const Page* content) {
  const std::uint64_t page = wanted.page;
  PagePtr was = known(page);
  const bool same = was && content && std::memcmp(was->data(), content->data(), kPage) == 0;
  if (same || (!was && !content)) {
    pages_.try_emplace(page, std::move(was));
    return;
  }
  pages_[page] = content ? std::make_shared<const Page>(*content) : nullptr;
  if (holds_ == 0) return;
  if (wanted.counts && was && content) add_changed(page, *was, *content);
  if (wanted.counts && (!was || !content)) differing_.push_back({page * kPage, kPage});
  old_.insert_or_assign(page, std::move(was));
}

void MemoryHistory::add_changed(std::uint64_t page, const Page& before, const Page& after) {
  for (std::size_t i = 0; i < kPage; i += kHistoryGranule) {
    if (std::memcmp(&before[i], &after[i], kHistoryGranule) == 0) continue;
    const std::uint64_t at = page * kPage + i;
    if (!differing_.empty() && differing_.back().end() == at) {
      differing_.back().size += kHistoryGranule;
    } else {
      differing_.push_back({at, kHistoryGranule});
    }
  }
}

}  // namespace gordian
