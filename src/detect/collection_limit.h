// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ends a collection of data flow that would take longer than it is worth. Nobody knows before how
// many passes it takes: that follows from what the tests leave changed. So it is begun, and judged
// by what it says of itself: how long its tests take, and, once it is known, how many are left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "runtime/powers.h"

namespace gordian {

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
  std::chrono::nanoseconds allowed_;
  Clock::time_point begin_;
  std::string doing_;
  Clock::time_point since_;  ///< the first test of what it is doing was over
  std::uint64_t done_at_since_ = 0;
  bool measuring_ = false;
  bool too_long_ = false;
};

}  // namespace gordian
