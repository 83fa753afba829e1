// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/watchdog.h"

#include <time.h>

#include <algorithm>

#include "runtime/native/children.h"
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
                   Limits limits, std::chrono::nanoseconds grace)
    : memory_(memory),
      guard_(guard),
      plan_(plan),
      decoder_(decoder),
      limits_(std::move(limits)),
      grace_(grace),
      seen_(memory.workers()),
      begun_(plan.tokens().size()) {
  start_over();
}

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
  last_sense_ = Clock::now();
  for (Seen& seen : seen_) seen.begun = last_sense_;
}

std::vector<Watchdog::Active> Watchdog::look() {
  std::vector<Active> found = active();
  for (const Active& a : found) {
    if (begun_[a.token]) continue;
    begun_[a.token] = true;
    seen_[a.worker].begun = last_sense_ = Clock::now();
  }
  return found;
}

/// A test has a few phases, each with a time of its own (set-up, body, tear-down), and so have
/// those that it was forked from when it is their turn again.
bool Watchdog::out_of_time(const Active& active) const {
  constexpr int kMostPhases = 8;
  const std::int32_t token = plan_.tokens()[active.token];
  const auto limit = token < 0 ? limits_.test_timeout
                               : limits_.timeout_of(TestId{static_cast<std::uint32_t>(token)});
  if (limit.count() <= 0) return false;
  const auto since_new = Clock::now() - seen_[active.worker].begun;
  return active.elapsed > limit || since_new / kMostPhases > longest_limit();
}

/// check() deals with it, or has done so a moment ago.
bool Watchdog::under_control(const Active& active) const {
  if (!descends_from(active.pid, guard_)) return false;
  if (memory_.header().ended[active.worker] == active.token + 1) {
    return Clock::now() - seen_[active.worker].ended_at < grace_;
  }
  return is_alive(active.pid);
}

void Watchdog::wake_above(pid_t pid) {
  const auto now = Clock::now();
  if (now - woken_ < std::chrono::seconds(1)) return;
  woken_ = now;
  wake_ancestors(pid, guard_);
}

bool Watchdog::stuck() {
  const auto limit = longest_limit();
  const std::vector<Active> found = look();
  if (limit.count() <= 0 || Clock::now() - last_sense_ < grace_) return false;
  if (std::any_of(found.begin(), found.end(), [this](const Active& a) { return under_control(a); }))
    last_sense_ = Clock::now();
  if (Clock::now() - last_sense_ < limit + grace_) return false;
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
  constexpr auto kLong = std::chrono::seconds(1);
  const std::vector<Active> found = look();
  if (found.empty()) wake_above(guard_);  // all of them may have been stopped, between two tests
  for (const Active& a : found) {
    if (a.elapsed > kLong) wake_above(a.pid);
    if (out_of_time(a)) {
      end(a, Intervention::Reason::timeout);
      continue;
    }
    if (plan_.tokens()[a.token] < 0) continue;  // between tests
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
  // What has ended by itself is none of ours, even if its parent has yet to notice.
  if (!descends_from(active.pid, guard_) || !is_alive(active.pid)) return;
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
  seen_[active.worker].ended_at = Clock::now();
  kill_descendant(active.pid, guard_);
}

}  // namespace gordian
