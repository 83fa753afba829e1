// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test can do to old memory while the gate is open, without a trace in the list of mappings
// or of written pages.
#include <string.h>

#include "target/agent/snapshot/memory_rollback.h"

namespace gordian_agent {

bool MemoryRollback::note_own_pages(const Mapping& m) {
  if (m.shared || m.special || !(m.protection & 1)) return true;
  if (m.anonymous() && m.tracked()) return true;  // dropped, they count as written
  Range range = {m.begin, m.end};
  bool fits = true;
  bool scanned = dirty_.each_own(range, [this, &fits](Range run) {
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
    changed = !dirty_.each_not_own(own_[i], [&changed](Range) { changed = true; }) || changed;
  }
  // Made writable, written and protected again.
  for (int i = 0; i < space.count && !changed; ++i) {
    const Mapping& m = space.at[i];
    if (m.tracked() || m.shared || m.special || !(m.protection & 1)) continue;
    Range range = {m.begin, m.end};
    bool scanned = dirty_.each_own(
        range, [this, &changed](Range run) { changed = changed || !equals_keeper(run); });
    changed = changed || !scanned;
  }
  return changed;
}

}  // namespace gordian_agent
