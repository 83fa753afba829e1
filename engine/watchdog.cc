// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/watchdog.h"

#include <signal.h>
#include <time.h>

#include <algorithm>

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

std::vector<Watchdog::Active> Watchdog::active() const {
  std::vector<Active> result;
  const wire::Header& header = memory_.header();
  for (std::uint32_t i = 0; i < header.workers; ++i) {
    const wire::WorkerState& state = header.worker[i];
    std::uint32_t pid = __atomic_load_n(&state.pid, __ATOMIC_ACQUIRE);
    std::uint32_t token = state.slot;
    if (pid == 0 || token >= plan_.tokens().size()) continue;
    const std::uint64_t since = state.since_ns;
    if (since == 0) continue;
    const std::uint64_t now = std::max(monotonic_ns(), since);  // it may have begun just now
    result.push_back({i, token, static_cast<pid_t>(pid), std::chrono::nanoseconds(now - since)});
  }
  return result;
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
  for (const Active& a : active()) ::kill(a.pid, SIGKILL);
}

/// The agent clears its pid first and looks at the flag then; we do it the other way round, so that
/// one of the two always notices.
bool Watchdog::still_at_work(const Active& active) const {
  const wire::WorkerState& state = memory_.header().worker[active.worker];
  return __atomic_load_n(&state.pid, __ATOMIC_SEQ_CST) == static_cast<std::uint32_t>(active.pid) &&
         state.slot == active.token;
}

void Watchdog::end(const Active& active, Intervention::Reason reason) {
  if (memory_.slot(active.token).flags & wire::kEndedByEngine) return;  // it is dying already
  Intervention intervention{reason, {}};
  if (reason == Intervention::Reason::timeout) {
    if (auto stack = read_stack(active.pid, active.pid, kStackFrames)) {
      intervention.stack = std::move(*stack);
    }
  }
  memory_.flag_slot(active.token, wire::kEndedByEngine);
  if (!still_at_work(active)) {  // it came to its end meanwhile, and its process went on
    memory_.unflag_slot(active.token, wire::kEndedByEngine);
    return;
  }
  decoder_.intervene(active.token, std::move(intervention));
  ::kill(active.pid, SIGKILL);
}

}  // namespace gordian
