// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looks at what the workers of one process are doing and ends what takes too long or prints too
// much. Called about twenty times a second while a plan runs; never blocks. What workers say of
// themselves stands where tests can write. A state that makes no sense is nobody's, and when there
// is no other for longer than any test may take, the whole process is to be ended. One that makes
// sense may be forged: however young a worker says that its test is, the time is up when several
// times the limit has passed since it began with something new. Each token of a plan is new once,
// so that a plan of liars ends, too.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "runtime/engine_options.h"
#include "runtime/native/decode.h"
#include "runtime/native/plan.h"
#include "runtime/native/wire_memory.h"
#include "runtime/order_runner.h"

namespace gordian {

class Watchdog {
 public:
  /// `guard`: only its descendants are ever ended. `grace`: how long the end of a process takes.
  Watchdog(WireMemory& memory, pid_t guard, const Plan& plan, Decoder& decoder, Limits limits,
           std::chrono::nanoseconds grace = std::chrono::seconds(5));

  /// Ends the offenders and tells the decoder why.
  void check();
  /// Ends every test that is running, as stopped by the user's wish.
  void stop_all();
  /// True once no test that check() could deal with was seen for longer than the time limit: the
  /// caller ends the process. Tests that had begun by then count as out of time.
  bool stuck();
  /// Lets the processes above `pid` go on if a test has stopped them; looks once a second.
  void wake_above(pid_t pid);
  /// The time until now was ours, not the tests'.
  void start_over();

  std::vector<RunningTest> running() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Active {
    std::uint32_t worker, token;
    pid_t pid;
    std::chrono::nanoseconds elapsed;
  };
  struct Seen {                    ///< of a worker
    Clock::time_point begun{};     ///< with a token that was new
    Clock::time_point ended_at{};  ///< when we ended its process
  };
  std::vector<Active> active() const;
  std::vector<Active> look();
  bool out_of_time(const Active& active) const;
  bool under_control(const Active& active) const;
  bool still_at_work(const Active& active) const;
  std::chrono::nanoseconds longest_limit() const;
  void end(const Active& active, Intervention::Reason reason);

  WireMemory& memory_;
  pid_t guard_;
  const Plan& plan_;
  Decoder& decoder_;
  Limits limits_;
  std::chrono::nanoseconds grace_;
  std::vector<Seen> seen_;        ///< by worker
  std::vector<bool> begun_;       ///< by token
  Clock::time_point last_sense_;  ///< when something new or under control was seen
  Clock::time_point woken_{};
};

}  // namespace gordian
