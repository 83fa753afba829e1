// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where the program wrote or read a piece of its state: the last write before a test's end, the
// first read. Each function attaches nothing: it gets a Tracer whose process stands still, calls
// `release` (which tells the agent to go on) and lets it run until `until` says that the test came
// to its end, the process ends, or the deadline passes. Accesses by our agent are none of the
// program's and do not count. On return the watches are still set; detach, or watch something else.
// Same thread as the Tracer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/result.h"
#include "model/explanation.h"
#include "model/stack.h"
#include "runtime/native/tracer.h"

namespace gordian {

struct SiteSearch {
  std::function<void()> release;
  std::function<bool()> until;  ///< asked about every millisecond
  Tracer::Clock::time_point deadline = Tracer::Clock::time_point::max();
  std::uint64_t max_hits = 100'000;  ///< then watching ends and the process runs at full speed
  KernelAccess kernel = KernelAccess::caught;
};

struct HitCount {
  std::uint64_t hits = 0;  ///< writes, and reads where these are watched
  bool capped = false;     ///< there may have been more
  bool ended = false;      ///< the process ended
};

/// The last write to any of these bytes, with the number of writes before it. In one run: each
/// write costs a hit and the walk of its stack, names are looked up for the last only.
Result<std::optional<Site>> last_write(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

/// The first access that reads (read or read-and-write). The process stands still there.
Result<std::optional<Site>> first_read(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

/// For accesses too many to walk the stack of each: count in one run, and in another run that does
/// the same, stop at the number wanted (from 1). The agent's accesses count here.
Result<HitCount> count_hits(Tracer& tracer, std::span<const Watch> watches,
                            const SiteSearch& search);
Result<std::optional<Site>> stack_at_hit(Tracer& tracer, std::span<const Watch> watches,
                                         const SiteSearch& search, std::uint64_t number);

}  // namespace gordian
