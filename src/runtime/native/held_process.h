// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test process that waits between two tests, with its whole state to be read and changed. It is
// the engine's end of Hold in wire/protocol.h.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "runtime/native/wire_memory.h"
#include "wire/protocol.h"

namespace gordian {

class HeldProcess {
 public:
  /// `pid`: a descendant of ours, looked at by the caller.
  /// `should_stop`: nobody waits for an answer any more.
  HeldProcess(
      WireMemory& memory, pid_t pid, std::size_t position, pid_t before,
      std::function<bool()> should_stop = [] { return false; })
      : memory_(memory),
        pid_(pid),
        position_(position),
        before_(before),
        should_stop_(std::move(should_stop)) {}

  pid_t pid() const { return pid_; }
  /// The position in its order before which it waits.
  std::size_t position() const { return position_; }
  /// The process that was forked, still in the state before the first test; -1 when the held one is
  /// that process itself. It waits, and outlives this run.
  pid_t before() const { return before_; }
  const WireMemory& memory() const { return memory_; }

  /// A number, or text that the call finds in its own memory.
  using Argument = std::variant<std::int64_t, std::string>;
  /// Makes the process do a system call. The result is the kernel's: negative for an error. Text
  /// that the kernel wrote is in text().
  std::int64_t system_call(long number, std::initializer_list<Argument> arguments);
  /// The other requests of the wire. -1 and the like are theirs.
  std::int64_t request(gordian_wire::HoldRequest what, std::int64_t number = 0,
                       std::string_view text = {}, std::array<std::uint64_t, 2> arguments = {});
  /// The text buffer after a request, up to `size` bytes.
  std::string text(std::size_t size) const;

  /// One request was not answered. Further ones are not made: they fail at once.
  bool is_silent() const { return silent_; }

  /// Lets it run on. Afterwards only held_again() means something.
  void let_go();
  bool let_go_already() const { return gone_on_; }
  /// It waits before its next chosen test.
  bool held_again() const;

 private:
  gordian_wire::HoldOrders& orders() { return memory_.header().hold; }
  gordian_wire::HoldAnswer& answer() { return memory_.report().hold; }
  const gordian_wire::HoldAnswer& answer() const { return memory_.report().hold; }
  std::int64_t ask(gordian_wire::HoldRequest what, std::int64_t number);

  WireMemory& memory_;
  pid_t pid_;
  std::size_t position_;
  pid_t before_;
  std::function<bool()> should_stop_;
  bool gone_on_ = false, silent_ = false;
};

/// True when some process waits; used by whoever drives the plan.
bool is_held(const WireMemory& memory);
/// Sleeps until some process waits, or about `most` has passed. Wakes within microseconds.
void wait_until_held(const WireMemory& memory, std::chrono::microseconds most);

}  // namespace gordian
