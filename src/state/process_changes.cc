// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Changes of what the kernel keeps for a process: descriptors, limits, timers, modes, relatives.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "state/external_kinds.h"

namespace gordian::changes {
namespace {

namespace wire = gordian_wire;

bool reopen(HeldProcess& held, int number, const OpenDescriptor& was) {
  const std::int64_t made =
      held.system_call(SYS_open, {was.target, was.flags & ~O_CREAT & ~O_TRUNC});
  if (made < 0) return false;
  held.system_call(SYS_lseek, {made, was.position, SEEK_SET});
  if (made == number) return true;
  const bool moved = held.system_call(SYS_dup2, {made, number}) == number;
  held.system_call(SYS_close, {made});
  return moved;
}

std::string flags_text(std::int64_t flags) {
  std::string text;
  auto add = [&](std::int64_t bit, const char* name) {
    if (flags & bit) text += (text.empty() ? "" : " | ") + std::string(name);
  };
  add(O_APPEND, "O_APPEND");
  add(O_NONBLOCK, "O_NONBLOCK");
  add(O_ASYNC, "O_ASYNC");
  add(O_CLOEXEC, "O_CLOEXEC");
  return text.empty() ? "0" : text;
}

void one_descriptor(int number, const OpenDescriptor* was, const OpenDescriptor* is,
                    Changes& changes) {
  StateEvents events;
  events.writing_calls = {SYS_close, SYS_dup2, SYS_dup3, SYS_fcntl};
  events.reading_calls = {SYS_read,   SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv,
                          SYS_writev, SYS_fcntl, SYS_lseek,   SYS_dup,      SYS_dup2,
                          SYS_dup3,   SYS_close, SYS_fstat};
  Text old_value = was ? Text(was->target) : Text(), new_value = is ? Text(is->target) : Text();
  DescriptorKey key{number};
  Reset reset;
  if (!was) {
    reset = [number](HeldProcess& held) { return held.system_call(SYS_close, {number}) == 0; };
  } else if (!is || was->target != is->target) {
    reset = [number, old = *was](HeldProcess& held) { return reopen(held, number, old); };
  } else if (was->flags != is->flags) {
    key.part = DescriptorKey::Part::flags;
    old_value = flags_text(was->flags);
    new_value = flags_text(is->flags);
    events.writing_calls = {SYS_fcntl};
    reset = [number, flags = was->flags](HeldProcess& held) {
      return held.system_call(SYS_fcntl, {number, F_SETFL, flags}) == 0;
    };
  } else {
    key.part = DescriptorKey::Part::offset;
    events.writing_calls = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_lseek};
    old_value = fmt::format("{}", was->position);
    new_value = fmt::format("{}", is->position);
    reset = [number, position = was->position](HeldProcess& held) {
      return held.system_call(SYS_lseek, {number, position, SEEK_SET}) >= 0;
    };
  }
  events.number = number;
  changes.push_back(changed({CarrierKind::descriptor, key}, std::move(old_value),
                            std::move(new_value), std::move(reset), std::move(events)));
}

/// The capture files of stdout and stderr grow with every test.

bool is_capture(int number, const OpenDescriptor& was, const OpenDescriptor& is) {
  return number <= 2 && was.target == is.target && was.flags == is.flags;
}

std::string limit_text(std::uint64_t value) {
  return value == RLIM_INFINITY ? "unlimited" : fmt::format("{}", value);
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

std::string rounding_text(std::uint64_t control) {
  switch (control >> 13 & 3) {  // of MXCSR
    case 0:
      return "FE_TONEAREST";
    case 1:
      return "FE_DOWNWARD";
    case 2:
      return "FE_UPWARD";
    default:
      return "FE_TOWARDZERO";
  }
}

bool cannot_be_undone(HeldProcess&) {
  return false;
}

}  // namespace

void descriptor_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::set<int> numbers;
  for (const auto& [number, open] : before.descriptors) numbers.insert(number);
  for (const auto& [number, open] : after.descriptors) numbers.insert(number);
  for (int number : numbers) {
    auto was = before.descriptors.find(number), is = after.descriptors.find(number);
    const OpenDescriptor* old_one = was == before.descriptors.end() ? nullptr : &was->second;
    const OpenDescriptor* new_one = is == after.descriptors.end() ? nullptr : &is->second;
    if (old_one && new_one && (*old_one == *new_one || is_capture(number, *old_one, *new_one))) {
      continue;
    }
    one_descriptor(number, old_one, new_one, changes);
  }
}

void limit_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  for (const auto& [resource, was] : before.limits) {
    auto is = after.limits.find(resource);
    if (is == after.limits.end() || is->second == was) continue;
    const bool hard = was[1] != is->second[1];
    StateEvents events;
    events.writing_calls = {SYS_setrlimit, SYS_prlimit64};
    events.reading_calls = {SYS_getrlimit, SYS_prlimit64, SYS_open, SYS_openat, SYS_dup2, SYS_dup};
    changes.push_back(changed(
        {CarrierKind::limit, LimitKey{resource, hard}}, limit_text(was[hard ? 1 : 0]),
        limit_text(is->second[hard ? 1 : 0]),
        [resource = resource, was = was](HeldProcess& held) {
          const rlimit wanted{was[0], was[1]};
          return ::prlimit(held.pid(), static_cast<__rlimit_resource>(resource), &wanted,
                           nullptr) == 0;
        },
        events));
  }
}

void timer_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  using Clock = TimerKey::Clock;
  static constexpr Clock kClocks[] = {Clock::real, Clock::virtual_time, Clock::profile};
  for (std::size_t which = 0; which < 3; ++which) {
    std::string was = timer_text(before.timers[which]), is = timer_text(after.timers[which]);
    if (was == is) continue;
    StateEvents events;
    events.writing_calls = {SYS_setitimer, SYS_alarm};
    events.reading_calls = {SYS_nanosleep, SYS_clock_nanosleep, SYS_poll, SYS_select, SYS_pause};
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
    StateEvents events;
    events.writing_calls = {SYS_timer_create, SYS_timer_settime};
    events.reading_calls = {SYS_nanosleep, SYS_clock_nanosleep, SYS_poll, SYS_pause};
    changes.push_back(changed(
        {CarrierKind::timer, TimerKey{TimerKey::Clock::posix}}, "none", "running",
        [number](HeldProcess& held) { return held.system_call(SYS_timer_delete, {number}) == 0; },
        events));
  }
}

void float_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  constexpr std::uint64_t kSticky = 0x3f;  // exceptions that happened are no mode
  if ((before.float_control | kSticky) == (after.float_control | kSticky)) return;
  std::string was = rounding_text(before.float_control), is = rounding_text(after.float_control);
  const bool rounding = was != is;
  StateEvents events;
  events.writers = {"fesetround", "fesetenv", "feenableexcept", "fedisableexcept"};
  events.readers = {"fegetround", "nearbyint", "rint", "lrint", "fegetenv"};
  changes.push_back(changed(
      {CarrierKind::fp_mode,
       FloatKey{rounding ? FloatKey::Part::rounding : FloatKey::Part::control_word}},
      rounding ? was : fmt::format("{:#x}", before.float_control),
      rounding ? is : fmt::format("{:#x}", after.float_control),
      [control = before.float_control](HeldProcess& held) {
        return held.request(wire::kFloatControl, 0, {}, {1, control}) >= 0;
      },
      events));
}

void attribute_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  StateEvents events;
  if (before.name != after.name) {
    events.writing_calls = events.reading_calls = {SYS_prctl};
    changes.push_back(changed(
        {CarrierKind::process, AttributeKey{AttributeKey::Which::name}}, before.name, after.name,
        [was = before.name](HeldProcess& held) {
          return held.system_call(SYS_prctl, {PR_SET_NAME, was}) == 0;
        },
        events));
  }
  if (before.nice != after.nice) {
    events.writing_calls = {SYS_setpriority};
    events.reading_calls = {SYS_getpriority};
    changes.push_back(changed(
        {CarrierKind::process, AttributeKey{AttributeKey::Which::nice}},
        fmt::format("{}", before.nice), fmt::format("{}", after.nice),
        [was = before.nice](HeldProcess& held) {
          return held.system_call(SYS_setpriority, {PRIO_PROCESS, std::int64_t{0}, was}) == 0;
        },
        events));
  }
  if (before.personality != after.personality) {
    events.writing_calls = {SYS_personality};
    events.reading_calls = {SYS_personality, SYS_uname};
    changes.push_back(changed(
        {CarrierKind::process, AttributeKey{AttributeKey::Which::personality}},
        fmt::format("{:#x}", before.personality), fmt::format("{:#x}", after.personality),
        [was = before.personality](HeldProcess& held) {
          return held.system_call(SYS_personality, {was}) >= 0;
        },
        events));
  }
  if (before.locked_kb != after.locked_kb) {
    events.writing_calls = {SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_munlock, SYS_munlockall};
    events.reading_calls = {};
    changes.push_back(changed(
        {CarrierKind::process, AttributeKey{AttributeKey::Which::locked_memory}},
        fmt::format("{} kB", before.locked_kb), fmt::format("{} kB", after.locked_kb),
        [was = before.locked_kb](HeldProcess& held) {
          return was == 0 && held.system_call(SYS_munlockall, {}) == 0;
        },
        events));
  }
}

void thread_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (after.threads <= before.threads) return;
  StateEvents events;
  events.writing_calls = {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork};
  changes.push_back(changed({CarrierKind::thread, SoleKey{}}, fmt::format("{}", before.threads),
                            fmt::format("{}", after.threads), cannot_be_undone, events));
}

void child_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (after.children <= before.children) return;
  StateEvents events;
  events.writing_calls = {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork};
  events.reading_calls = {SYS_wait4, SYS_waitid};
  changes.push_back(changed({CarrierKind::child, SoleKey{}}, "none",
                            fmt::format("{}", after.children - before.children), cannot_be_undone,
                            events));
}

}  // namespace gordian::changes
