// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <cstring>
#include <fstream>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

/// Of setitimer() and of timer_create().
void read_timers(StateReading& from, ExternalState& to) {
  for (int which = 0; which < 3; ++which) {
    std::string room(sizeof(itimerval), '\0');
    if (from.held.system_call(SYS_getitimer, {which, room}) == 0) {
      to.timers[static_cast<std::size_t>(which)] = from.held.text(sizeof(itimerval));
    }
  }
  std::ifstream list(proc_path(from.held.pid(), "timers"));
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("ID: ")) to.posix_timers.insert(std::atoi(line.c_str() + 4));
  }
}

std::string timer_text(const std::string& raw) {
  itimerval timer{};
  if (raw.size() == sizeof timer) std::memcpy(&timer, raw.data(), sizeof timer);
  const timeval& shown =
      timer.it_interval.tv_sec || timer.it_interval.tv_usec ? timer.it_interval : timer.it_value;
  const double ms =
      1e3 * static_cast<double>(shown.tv_sec) + 1e-3 * static_cast<double>(shown.tv_usec);
  return ms == 0 ? "off" : fmt::format("{:g} ms", ms);
}

void timer_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  using Clock = TimerKey::Clock;
  static constexpr Clock kClocks[] = {Clock::real, Clock::virtual_time, Clock::profile};
  for (std::size_t which = 0; which < 3; ++which) {
    std::string was = timer_text(before.timers[which]), is = timer_text(after.timers[which]);
    if (was == is) continue;
    StateEvents events{
        .writing_calls = {SYS_setitimer, SYS_alarm},
        .reading_calls = {SYS_nanosleep, SYS_clock_nanosleep, SYS_poll, SYS_select, SYS_pause}};
    changes.push_back(changed(
        {CarrierKind::timer, TimerKey{kClocks[which]}}, was, is,
        [which, raw = before.timers[which]](HeldProcess& held) {
          return held.system_call(SYS_setitimer,
                                  {static_cast<std::int64_t>(which), raw, std::int64_t{0}}) == 0;
        },
        events));
  }
  for (int number : after.posix_timers) {
    if (before.posix_timers.contains(number)) continue;
    StateEvents events{.writing_calls = {SYS_timer_create, SYS_timer_settime},
                       .reading_calls = {SYS_nanosleep, SYS_clock_nanosleep, SYS_poll, SYS_pause}};
    changes.push_back(changed(
        {CarrierKind::timer, TimerKey{TimerKey::Clock::posix}}, "none", "running",
        [number](HeldProcess& held) { return held.system_call(SYS_timer_delete, {number}) == 0; },
        events));
  }
}

}  // namespace

const ExternalKind kinds::timers = {
    .kind = CarrierKind::timer, .read = read_timers, .compare = timer_changes};

}  // namespace gordian
