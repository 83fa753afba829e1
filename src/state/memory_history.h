// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The memory of a process that is held again and again: as it is now, as it was at the hold before,
// and what differs. Of a process that was forked from one that still waits in the state before the
// first test only those pages are read that it has written since: a page that both still share has
// the content that the waiting one shows, and /proc/PID/pagemap tells such a page from one that
// only one process maps. What was read once is read at every hold from then on.
//
// One write can be missed: a page that was emptied (MADV_DONTNEED), and then only read, is one of
// zeros that all processes share. Single-threaded.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/unique_fd.h"
#include "state/process_image.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

class MemoryHistory {
 public:
  MemoryHistory() : now_(*this, true), before_(*this, false) {}
  MemoryHistory(const MemoryHistory&) = delete;

  /// `forked_from`: the process that waits; -1: there is none, and all memory that can be written
  /// is read. `shared`: others may share its pages as well, such as a child that it has; likewise.
  /// REQUIRES: `pid` is held, until the next call; always the same two processes.
  void advance(pid_t pid, pid_t forked_from, std::span<const Mapping> mappings, bool shared);

  const MemoryImage& now() const { return now_; }
  /// At the call before; nothing can be read before there were two.
  const MemoryImage& before() const { return before_; }
  /// Bytes that differ, in steps of 8, of the mappings that can be written now and of which a part
  /// could be before. A page that could not be read before differs as a whole.
  const RangeSet& changed() const { return changed_; }
  /// Pages read at the last call.
  std::size_t pages_read() const { return wanted_.size(); }

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<unsigned char, kPage>;
  using PagePtr = std::shared_ptr<const Page>;               ///< null: cannot be read
  using Pages = std::unordered_map<std::uint64_t, PagePtr>;  ///< by number

  class View : public MemoryImage {
   public:
    View(const MemoryHistory& history, bool now) : history_(history), now_(now) {}
    bool read(std::uint64_t address, void* to, std::size_t size) const override;

   private:
    const MemoryHistory& history_;
    bool now_;
  };
  struct Wanted {
    std::uint64_t page;
    bool counts;  ///< as changed
  };

  bool read_part(bool now, std::uint64_t address, void* to, std::size_t size) const;
  void look_at_mappings(std::span<const Mapping> mappings);
  void look_at_origin();
  void choose_pages(const Mapping& mapping, bool all);
  bool is_written(std::uint64_t entry, std::uint64_t page) const;
  void choose(std::uint64_t entry, Wanted wanted, bool all, bool of_zeros);
  void read_pages();
  void take(Wanted wanted, const Page* content);
  PagePtr known(std::uint64_t page) const;
  void add_changed(std::uint64_t page, const Page& before, const Page& after);

  View now_, before_;
  pid_t pid_ = -1, origin_ = -1;
  UniqueFd pagemap_;
  std::optional<ProcessImage> origin_image_;
  mutable std::optional<ProcessImage> live_;
  std::vector<Mapping> origin_mappings_, mappings_;
  std::unordered_set<std::uint64_t> owned_;  ///< pages with content of its own in the origin
  /// What both processes have, of the same file or of none: at this hold, at the one before.
  RangeSet common_, common_before_;
  RangeSet writable_, writable_before_;
  Pages pages_;                 ///< all that were ever read, as they are now
  Pages old_;                   ///< those that changed since the hold before, as they were
  std::vector<Wanted> wanted_;  ///< ascending
  std::vector<ByteRange> differing_;
  RangeSet changed_;
  std::size_t holds_ = 0;
};

}  // namespace gordian
