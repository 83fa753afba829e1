// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looks at what the workers of one process are doing and ends what takes too long or prints too
// much. Called about twenty times a second while a plan runs; never blocks.
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
  Watchdog(WireMemory& memory, const Plan& plan, Decoder& decoder, Limits limits)
      : memory_(memory), plan_(plan), decoder_(decoder), limits_(std::move(limits)) {}

  /// Ends the offenders and tells the decoder why.
  void check();
  /// Ends every test that is running, as stopped by the user's wish.
  void stop_all();

  std::vector<RunningTest> running() const;

 private:
  struct Active {
    std::uint32_t worker, token;
    pid_t pid;
    std::chrono::nanoseconds elapsed;
  };
  std::vector<Active> active() const;
  bool still_at_work(const Active& active) const;
  void end(const Active& active, Intervention::Reason reason);

  WireMemory& memory_;
  const Plan& plan_;
  Decoder& decoder_;
  Limits limits_;
};

}  // namespace gordian
