// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ranges of addresses, and sets of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gordian {

struct ByteRange {
  std::uint64_t begin = 0, size = 0;
  std::uint64_t end() const { return begin + size; }
  bool operator==(const ByteRange&) const = default;
};

/// Addresses as sorted, disjoint ranges. Ranges that would wrap around are cut at the end of the
/// address space.
class RangeSet {
 public:
  RangeSet() = default;
  explicit RangeSet(std::vector<ByteRange> ranges) : ranges_(std::move(ranges)) {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const ByteRange& range : ranges_) {
      if (range.size == 0) continue;
      const std::uint64_t end = range.end() < range.begin ? UINT64_MAX : range.end();
      if (kept > 0 && range.begin <= ranges_[kept - 1].end()) {
        ByteRange& last = ranges_[kept - 1];
        last.size = std::max(last.end(), end) - last.begin;
      } else {
        ranges_[kept++] = {range.begin, end - range.begin};
      }
    }
    ranges_.resize(kept);
  }

  bool empty() const { return ranges_.empty(); }
  const std::vector<ByteRange>& ranges() const { return ranges_; }
  bool contains(std::uint64_t address) const { return touches({address, 1}); }

  /// Whether all bytes of `range` are in the set.
  bool covers(ByteRange range) const {
    auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), range.begin,
                         [](std::uint64_t at, const ByteRange& r) { return at < r.begin; });
    return after != ranges_.begin() && std::prev(after)->end() >= range.end();
  }

  /// Whether any byte of `range` is in the set.
  bool touches(ByteRange range) const {
    if (range.size == 0) return false;
    const std::uint64_t last = range.end() < range.begin ? UINT64_MAX : range.end() - 1;
    auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), last,
                         [](std::uint64_t at, const ByteRange& r) { return at < r.begin; });
    return after != ranges_.begin() && std::prev(after)->end() > range.begin;
  }
  bool touches_any(const RangeSet& others) const {
    return std::any_of(others.ranges_.begin(), others.ranges_.end(),
                       [this](const ByteRange& range) { return touches(range); });
  }

 private:
  std::vector<ByteRange> ranges_;
};

}  // namespace gordian
