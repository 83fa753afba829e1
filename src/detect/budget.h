// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The time that a search may take, from the moment it was asked for. When it is spent nothing new
// is begun, and what runs is ended: the engine asks the same object as the search.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace gordian {

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

  /// What is known to come behind the last order: to write down what was found. A tenth at most,
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

}  // namespace gordian
