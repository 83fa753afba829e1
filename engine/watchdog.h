// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looks at what the workers of one process are doing and ends what takes too long or prints too
// much. Called about twenty times a second while a plan runs; never blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/decode.h"
#include "engine/listener.h"
#include "engine/plan.h"
#include "engine/wire_memory.h"

namespace gordian {

struct Limits {
  std::chrono::nanoseconds test_timeout{0};  ///< 0 = none
  std::uint64_t output_bytes = std::uint64_t{256} << 20;
};

class Watchdog {
 public:
  Watchdog(WireMemory& memory, const Plan& plan, Decoder& decoder, Limits limits)
      : memory_(memory), plan_(plan), decoder_(decoder), limits_(limits) {}

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
