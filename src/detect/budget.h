// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How long things may take: a search as a whole, and a collection of data flow within it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "runtime/powers.h"

namespace gordian {

/// The time that a search may take, from the moment it was asked for. When it is spent nothing new
/// is begun, and what runs is ended: the engine asks the same object as the search.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  /// `allowed`: 0 is no limit. Tests bring a clock of their own.
  explicit Budget(
      std::chrono::nanoseconds allowed,
      std::function<Clock::time_point()> now = [] { return Clock::now(); })
      : now_(std::move(now)), begun_(now_()), allowed_(allowed), limited_(allowed.count() > 0) {}

  Clock::time_point now() const { return now_(); }
  std::chrono::nanoseconds used() const { return now_() - begun_; }
  std::chrono::nanoseconds left() const {
    return limited_ ? allowed_ - reserved_ - used()
                    : std::chrono::nanoseconds(std::chrono::hours(1000));
  }
  bool is_spent() const { return left().count() <= 0; }

  /// What is known to come after the last order: to write down what was found. A tenth at most,
  /// and never less than before: what is spent stays spent.
  void reserve(std::chrono::nanoseconds time) {
    reserved_ = std::max(reserved_, std::min(time, allowed_ / 10));
  }

  /// What is begun from now on may take as long as it takes.
  void lift() { limited_ = false; }

 private:
  std::function<Clock::time_point()> now_;
  Clock::time_point begun_;
  std::chrono::nanoseconds allowed_, reserved_{0};
  bool limited_;
};

/// Ends a collection of data flow that would take longer than it is worth. Nobody knows before how
/// many passes it takes: that follows from what the tests leave changed. So it is begun, and judged
/// by what it says of itself: how long its tests take, and, once it is known, how many are left.
class CollectionLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CollectionLimit(std::chrono::nanoseconds allowed, Clock::time_point begin = Clock::now())
      : allowed_(allowed), begin_(begin) {}

  void note(const CollectProgress& progress, Clock::time_point now = Clock::now());
  /// It will take too long, or has done so.
  bool is_exceeded(Clock::time_point now = Clock::now()) const {
    return too_long_ || now - begin_ > allowed_;
  }

 private:
  /// Tests from whose time that of the others is told.
  static constexpr std::uint64_t kEnough = 8;

  std::chrono::nanoseconds allowed_;
  Clock::time_point begin_;
  std::string doing_;
  Clock::time_point since_;  ///< the first test of what it is doing was over
  std::uint64_t done_at_since_ = 0;
  bool measuring_ = false;
  bool too_long_ = false;
};

/// The time of the first test of a pass is left out: it may hold the reading of debug information.
inline void CollectionLimit::note(const CollectProgress& progress, Clock::time_point now) {
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
