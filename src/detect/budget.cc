// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/budget.h"

namespace gordian {

/// Tests from whose time that of the others is told.
static constexpr std::uint64_t kEnough = 8;

/// The time of the first test of a pass is left out: it may hold the reading of debug information.
void CollectionLimit::note(const CollectProgress& progress, Clock::time_point now) {
  if (progress.doing != doing_) {
    doing_ = progress.doing;
    measuring_ = false;
  }
  if (progress.done == 0 || progress.total == 0) return;
  if (!measuring_) {
    measuring_ = true;
    since_ = now;
    done_at_since_ = progress.done;
    return;
  }
  const std::uint64_t seen = progress.done - done_at_since_;
  if (progress.done < done_at_since_ || seen < kEnough || progress.total < progress.done) return;
  const double each =
      std::chrono::duration<double>(now - since_).count() / static_cast<double>(seen);
  const double left = each * static_cast<double>(progress.total - progress.done);
  const double spent = std::chrono::duration<double>(now - begin_).count();
  too_long_ = too_long_ || spent + left > std::chrono::duration<double>(allowed_).count();
}

}  // namespace gordian
