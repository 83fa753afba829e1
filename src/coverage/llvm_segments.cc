// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Regions of one extent are one (an inline function in several objects, instances of a template).
// Going over the file, the innermost region changes where one begins or ends: at each such place a
// segment begins. Then lines are looked at.
#include "coverage/counter_maps.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gordian {
namespace {

/// Regions of one extent.
struct Area {
  LlvmRegionKind kind = LlvmRegionKind::code;
  LlvmPlace begin, end;
  std::vector<std::uint32_t> ids;
};

struct Segment {
  LlvmPlace at;
  const Area* area = nullptr;  ///< null: nothing is counted here
  bool entry = false;          ///< a region begins here, and is no gap
  bool counted() const { return area != nullptr; }
  bool gap() const { return area != nullptr && area->kind == LlvmRegionKind::gap; }
};

std::vector<Area> combine(std::vector<FileRegion> regions) {
  std::sort(regions.begin(), regions.end(), [](const FileRegion& a, const FileRegion& b) {
    return std::tie(a.begin, b.end, a.kind) < std::tie(b.begin, a.end, b.kind);
  });
  std::vector<Area> areas;
  for (const FileRegion& region : regions) {
    const bool same =
        !areas.empty() && areas.back().begin == region.begin && areas.back().end == region.end;
    if (!same) areas.push_back({region.kind, region.begin, region.end, {}});
    if (areas.back().kind == region.kind) areas.back().ids.push_back(region.id);
  }
  return areas;
}

class SegmentBuilder {
 public:
  std::vector<Segment> build(const std::vector<Area>& areas) {
    for (std::size_t i = 0; i < areas.size(); ++i) {
      const Area& area = areas[i];
      auto done = std::stable_partition(active_.begin(), active_.end(),
                                        [&](const Area* a) { return a->end > area.begin; });
      if (done != active_.end()) {
        complete(&area.begin, static_cast<std::size_t>(done - active_.begin()));
      }
      const bool entry = area.kind != LlvmRegionKind::gap;
      const bool last = i + 1 == areas.size();
      if (area.begin == area.end) {
        const bool skipped = last || area.kind == LlvmRegionKind::skipped;
        start(active_.empty() ? area : *active_.back(), area.begin, entry, skipped);
        if (skipped && !active_.empty()) start(*active_.back(), area.begin, false);
        continue;
      }
      if (last || areas[i + 1].begin != area.begin) start(area, area.begin, entry);
      active_.push_back(&area);
    }
    if (!active_.empty()) complete(nullptr, 0);
    return std::move(segments_);
  }

 private:
  void start(const Area& area, LlvmPlace at, bool entry, bool skipped = false) {
    const bool counted = !skipped && area.kind != LlvmRegionKind::skipped;
    segments_.push_back({at, counted ? &area : nullptr, entry});
  }

  /// Closes active regions from `first` on, which end at or before `until` (null: the end).
  void complete(const LlvmPlace* until, std::size_t first) {
    std::stable_sort(active_.begin() + static_cast<std::ptrdiff_t>(first), active_.end(),
                     [](const Area* a, const Area* b) { return a->end < b->end; });
    for (std::size_t i = first + 1; i < active_.size(); ++i) {
      const Area* area = active_[i];
      const LlvmPlace at = active_[i - 1]->end;
      if (until != nullptr && at == *until) break;
      if (at == area->end) continue;
      for (std::size_t j = i + 1; j < active_.size(); ++j) {
        if (area->end == active_[j]->end) area = active_[j];
      }
      start(*area, at, false);
    }
    const Area* last = active_.back();
    const bool gap = until == nullptr || *until != last->end;
    if (first != 0 && gap) start(*active_[first - 1], last->end, false);
    if (first == 0 && gap) start(*last, last->end, false, true);
    active_.resize(first);
  }

  std::vector<Segment> segments_;
  std::vector<const Area*> active_;
};

bool starts_region(const Segment& segment) {
  return !segment.gap() && segment.counted() && segment.entry;
}

void add_ids(const Segment& segment, std::vector<std::uint32_t>& ids) {
  ids.insert(ids.end(), segment.area->ids.begin(), segment.area->ids.end());
}

}  // namespace

std::vector<LineRegions> lines_of_regions(std::vector<FileRegion> regions) {
  constexpr std::uint32_t kLongest = 1u << 20;  // a region of more lines is damage
  std::erase_if(regions, [](const FileRegion& r) {
    return r.end < r.begin || r.end.line - r.begin.line > kLongest;
  });
  const std::vector<Area> areas = combine(std::move(regions));
  const std::vector<Segment> segments = SegmentBuilder().build(areas);
  std::vector<LineRegions> lines;
  const Segment* wrapped = nullptr;
  for (std::size_t at = 0; at < segments.size();) {
    std::uint32_t line = segments[at].at.line;
    std::size_t end = at;
    while (end < segments.size() && segments[end].at.line == line) ++end;
    const std::span<const Segment> here(segments.data() + at, end - at);
    const bool starts = std::any_of(here.begin(), here.end(), starts_region);
    const bool skips = !here.front().counted() && here.front().entry;
    const bool mapped = starts || (!skips && wrapped != nullptr && wrapped->counted());
    LineRegions one{line, {}};
    if (wrapped != nullptr && wrapped->counted()) add_ids(*wrapped, one.ids);
    for (const Segment& segment : here) {
      if (starts_region(segment)) add_ids(segment, one.ids);
    }
    if (mapped) lines.push_back(std::move(one));
    wrapped = &here.back();
    at = end;
    const std::uint32_t next = at < segments.size() ? segments[at].at.line : line + 1;
    for (++line; line < next && wrapped->counted(); ++line)
      lines.push_back({line, wrapped->area->ids});
  }
  return lines;
}

}  // namespace gordian
