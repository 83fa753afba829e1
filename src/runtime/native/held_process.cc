// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/held_process.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace gordian {
namespace {

namespace wire = gordian_wire;

std::uint32_t state_of(const wire::HoldAnswer& hold) {
  return __atomic_load_n(&hold.state, __ATOMIC_ACQUIRE);
}

void enter_state(wire::HoldAnswer& hold, std::uint32_t state) {
  __atomic_store_n(&hold.state, state, __ATOMIC_RELEASE);
  ::syscall(SYS_futex, &hold.state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Until it answers, is gone, or has had much more time than anything that is asked for takes.
bool wait_for_answer(wire::HoldAnswer& hold, pid_t pid, const std::function<bool()>& should_stop) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (state_of(hold) == wire::kRequested) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    timespec patience{0, 100'000'000};
    ::syscall(SYS_futex, &hold.state, FUTEX_WAIT, wire::kRequested, &patience, nullptr, 0);
    if (should_stop() || (::kill(pid, 0) != 0 && errno == ESRCH)) return false;
  }
  return state_of(hold) == wire::kAnswered;
}

}  // namespace

bool is_held(const WireMemory& memory) {
  return state_of(memory.report().hold) == wire::kHeld;
}

void wait_until_held(const WireMemory& memory, std::chrono::microseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  const wire::HoldAnswer& hold = memory.report().hold;
  for (std::uint32_t state; (state = state_of(hold)) != wire::kHeld;) {
    const auto left = std::chrono::nanoseconds(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    timespec patience{0, std::min<long>(left.count(), 999'999'999)};
    ::syscall(SYS_futex, &hold.state, FUTEX_WAIT, state, &patience, nullptr, 0);
  }
}

std::int64_t HeldProcess::ask(wire::HoldRequest what, std::int64_t number) {
  if (silent_) return -ESRCH;
  orders().request = what;
  orders().number = number;
  enter_state(answer(), wire::kRequested);
  silent_ = !wait_for_answer(answer(), pid_, should_stop_);
  return silent_ ? -ESRCH : answer().number;
}

std::int64_t HeldProcess::system_call(long number, std::initializer_list<Argument> arguments) {
  std::size_t index = 0, used = 0;
  orders().in_text = 0;
  std::memset(orders().text, 0, sizeof orders().text);
  for (const Argument& argument : arguments) {
    if (const auto* value = std::get_if<std::int64_t>(&argument)) {
      orders().argument[index++] = static_cast<std::uint64_t>(*value);
      continue;
    }
    const std::string& bytes = std::get<std::string>(argument);
    if (used + bytes.size() + 1 > wire::kHoldText) return -ENAMETOOLONG;
    std::memcpy(orders().text + used, bytes.data(), bytes.size());
    orders().argument[index] = used;
    orders().in_text |= 1u << index++;
    used += (bytes.size() + 1 + 15) / 16 * 16;
  }
  return ask(wire::kSystemCall, number);
}

std::int64_t HeldProcess::request(wire::HoldRequest what, std::int64_t number,
                                  std::string_view text, std::array<std::uint64_t, 2> arguments) {
  if (text.size() >= wire::kHoldText) return -ENAMETOOLONG;
  std::memset(orders().text, 0, sizeof orders().text);
  std::memcpy(orders().text, text.data(), text.size());
  orders().in_text = 0;
  std::copy(arguments.begin(), arguments.end(), orders().argument);
  return ask(what, number);
}

std::string HeldProcess::text(std::size_t size) const {
  return std::string(answer().text, std::min<std::size_t>(size, wire::kHoldText));
}

void HeldProcess::let_go() {
  gone_on_ = true;
  enter_state(answer(), wire::kLetGo);
}

bool HeldProcess::held_again() const {
  return state_of(answer()) == wire::kHeld;
}

}  // namespace gordian
