// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looks at what the workers of one process are doing and ends what takes too long or prints too
// much. Called about twenty times a second while a plan runs; never blocks. What workers say of
// themselves stands where tests can write: a state that makes no sense is nobody's, and when there
// is no other for longer than any test may take, the whole process is to be ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/decode.h"
#include "engine/listener.h"
#include "engine/plan.h"
#include "engine/wire_memory.h"

namespace gordian {

struct Limits {
  std::chrono::nanoseconds test_timeout{0};  ///< 0 = none
  std::uint64_t output_bytes = std::uint64_t{256} << 20;
  /// By test, where it has a limit of its own; empty: none has.
  std::vector<std::optional<std::chrono::nanoseconds>> own_timeouts{};

  std::chrono::nanoseconds timeout_of(TestId test) const {
    const std::size_t i = test.value();
    return i < own_timeouts.size() ? own_timeouts[i].value_or(test_timeout) : test_timeout;
  }
};

class Watchdog {
 public:
  /// `guard`: only its descendants are ever ended.
  Watchdog(WireMemory& memory, pid_t guard, const Plan& plan, Decoder& decoder, Limits limits);

  /// Ends the offenders and tells the decoder why.
  void check();
  /// Ends every test that is running, as stopped by the user's wish.
  void stop_all();
  /// True once nothing that makes sense was heard for longer than the time limit: the caller ends
  /// the process. Tests that had begun by then count as out of time.
  bool stuck();
  /// The time until now was ours, not the tests'.
  void start_over();

  std::vector<RunningTest> running() const;

 private:
  struct Active {
    std::uint32_t worker, token;
    pid_t pid;
    std::chrono::nanoseconds elapsed;
  };
  std::vector<Active> active() const;
  bool still_at_work(const Active& active) const;
  std::chrono::nanoseconds longest_limit() const;
  void end(const Active& active, Intervention::Reason reason);

  WireMemory& memory_;
  pid_t guard_;
  const Plan& plan_;
  Decoder& decoder_;
  Limits limits_;
  std::vector<gordian_wire::WorkerState> seen_;  ///< when last looked at
  std::chrono::steady_clock::time_point changed_ = std::chrono::steady_clock::now();
};

}  // namespace gordian
