// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether this process can be put back to a snapshot here, and how its written pages are found:
// tried out, on memory and a copy of the process made for it. The agent asks before the first test,
// and `gordian doctor` for the machine as such.
#pragma once

#include "wire/protocol.h"

namespace gordian_agent {

class PageTracker;

/// A way to find the pages that were written since the snapshot, by one PageTracker
/// (dirty_pages.h).
struct PageWay {
  gordian_wire::SnapshotBackend backend;
  const char* name;     // for people, in JSON and in GORDIAN_SNAPSHOT_BACKEND: it stays
  const char* needs;    // what a machine without any way lacks
  const char* lacking;  // for `gordian doctor`: what it costs that this one does not work
  // It knows which mappings it watches: it scans across others, and loses memory that was replaced.
  bool by_mapping;
  // It knows pages by who shares them: a process that has forked must not trust it.
  bool by_sharing;
  PageTracker* (*make)(void* memory);
};
/// The best first.
enum { kPageWays = 2 };
extern const PageWay* const page_ways[kPageWays];

struct SnapshotProbe {
  gordian_wire::SnapshotSupport support;
  gordian_wire::SnapshotBackend backend;  // the best that works; none unless supported
};

/// `avoid` has a bit (1 << backend) for each way that must not be used. Costs a fork, for each way
/// that is tried; leaves nothing behind but some lasting memory.
SnapshotProbe probe_snapshots(uint32_t avoid);

}  // namespace gordian_agent
