// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/watchdog.h"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/children.h"
#include "symbols/backtrace.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

constexpr int kStackFrames = 24;

/// The agent stamps with CLOCK_MONOTONIC, which both sides share.
std::uint64_t monotonic_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

Watchdog::Watchdog(WireMemory& memory, pid_t guard, const Plan& plan, Decoder& decoder,
                   Limits limits)
    : memory_(memory),
      guard_(guard),
      plan_(plan),
      decoder_(decoder),
      limits_(std::move(limits)),
      seen_(memory.workers()) {}

std::vector<Watchdog::Active> Watchdog::active() const {
  std::vector<Active> result;
  for (std::uint32_t i = 0; i < memory_.workers(); ++i) {
    const auto state = memory_.worker(i);
    const std::uint64_t now = monotonic_ns();
    if (!state || state->slot >= plan_.tokens().size() || state->since_ns > now) continue;
    result.push_back({i, state->slot, static_cast<pid_t>(state->pid),
                      std::chrono::nanoseconds(now - state->since_ns)});
  }
  return result;
}

std::chrono::nanoseconds Watchdog::longest_limit() const {
  auto longest = limits_.test_timeout;
  for (const auto& own : limits_.own_timeouts) longest = std::max(longest, own.value_or(longest));
  return longest;
}

void Watchdog::start_over() {
  changed_ = std::chrono::steady_clock::now();
}

bool Watchdog::stuck() {
  constexpr auto kGrace = std::chrono::seconds(5);
  const auto now = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < memory_.workers(); ++i) {
    const wire::WorkerState state = memory_.report().worker[i];
    if (std::memcmp(&state, &seen_[i], sizeof state) == 0) continue;
    seen_[i] = state;
    changed_ = now;
  }
  const auto limit = longest_limit();
  if (limit.count() <= 0 || now - changed_ < limit + kGrace) return false;
  for (const Active& a : active()) {
    if (descends_from(a.pid, guard_)) return false;  // check() deals with it
  }
  for (std::uint32_t token : plan_.tests()) {
    const wire::Slot slot = memory_.slot(token);
    const bool begun = slot.status == wire::kStarting || slot.status == wire::kRunning;
    if (begun && memory_.intact(slot, token)) {
      decoder_.intervene(token, {Intervention::Reason::timeout, {}});
    }
  }
  return true;
}

std::vector<RunningTest> Watchdog::running() const {
  std::vector<RunningTest> tests;
  for (const Active& a : active()) {
    std::int32_t token = plan_.tokens()[a.token];
    if (token >= 0) tests.push_back({TestId{static_cast<std::uint32_t>(token)}, a.elapsed});
  }
  return tests;
}

void Watchdog::check() {
  for (const Active& a : active()) {
    const std::int32_t token = plan_.tokens()[a.token];
    const bool between = token < 0;  // tests
    const auto limit = between ? limits_.test_timeout
                               : limits_.timeout_of(TestId{static_cast<std::uint32_t>(token)});
    if (limit.count() > 0 && a.elapsed > limit) {
      end(a, Intervention::Reason::timeout);
      continue;
    }
    if (between) continue;
    std::uint64_t begin = memory_.slot(a.token).output_begin;
    if (memory_.output_size(a.worker) > begin + limits_.output_bytes) {
      end(a, Intervention::Reason::output_limit);
    }
  }
}

void Watchdog::stop_all() {
  decoder_.stop();
  for (const Active& a : active()) kill_descendant(a.pid, guard_);
}

/// The agent clears its pid first and looks at `ended` then; we do it the other way round, so that
/// one of the two always notices.
bool Watchdog::still_at_work(const Active& active) const {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const auto state = memory_.worker(active.worker);
  return state && state->pid == static_cast<std::uint32_t>(active.pid) &&
         state->slot == active.token;
}

void Watchdog::end(const Active& active, Intervention::Reason reason) {
  std::uint32_t& ended = memory_.header().ended[active.worker];
  if (ended == active.token + 1) return;  // it is dying already
  if (!descends_from(active.pid, guard_)) return;
  Intervention intervention{reason, {}};
  if (reason == Intervention::Reason::timeout) {
    if (auto stack = read_stack(active.pid, active.pid, kStackFrames)) {
      intervention.stack = std::move(*stack);
    }
  }
  __atomic_store_n(&ended, active.token + 1, __ATOMIC_SEQ_CST);
  if (!still_at_work(active)) {  // it came to its end meanwhile, and its process went on
    __atomic_store_n(&ended, 0u, __ATOMIC_SEQ_CST);
    return;
  }
  decoder_.intervene(active.token, std::move(intervention));
  kill_descendant(active.pid, guard_);
}

}  // namespace gordian
