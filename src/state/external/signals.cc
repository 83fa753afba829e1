// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstring>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

void read_actions(HeldProcess& held, std::map<int, SignalAction>& to) {
  struct KernelAction {
    std::uint64_t handler, flags, restorer, mask;
  };
  for (int number = 1; number <= 64; ++number) {
    std::string room(sizeof(KernelAction), '\0');
    if (held.system_call(SYS_rt_sigaction, {number, std::int64_t{0}, room, 8}) < 0) continue;
    KernelAction action;
    std::string raw = held.text(sizeof action);
    std::memcpy(&action, raw.data(), sizeof action);
    to[number] = {action.handler, action.flags, raw};
  }
}

void read_signals(StateReading& from, ExternalState& to) {
  read_actions(from.held, to.signals);
  std::string room(sizeof(stack_t), '\0');
  if (from.held.system_call(SYS_sigaltstack, {std::int64_t{0}, room}) == 0) {
    to.alternate_stack = from.held.text(sizeof(stack_t));
  }
}

void read_signal_mask(StateReading& from, ExternalState& to) {
  const auto bits = [&from](const char* field) {
    return static_cast<std::uint64_t>(number_in(from.status, field, 16));
  };
  to.blocked = bits("SigBlk");
  to.pending = bits("SigPnd") | bits("ShdPnd");
}

std::string handler_text(const SignalAction& action,
                         const std::function<std::string(std::uint64_t)>& name_of) {
  if (action.handler == 0) return "SIG_DFL";
  if (action.handler == 1) return "SIG_IGN";
  std::string name = name_of(action.handler);
  if (name.ends_with("()")) name.resize(name.size() - 2);
  return name.empty() ? fmt::format("{:#x}", action.handler) : name;
}

void action_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  for (const auto& [number, action] : before.signals) {
    auto now = after.signals.find(number);
    if (now == after.signals.end() || now->second == action) continue;
    StateEvents events{.writing_calls = {SYS_rt_sigaction},
                       .reading_calls = {SYS_rt_sigaction, SYS_kill, SYS_tgkill},
                       .number = number};
    changes.push_back(changed(
        {CarrierKind::signal, SignalKey{number}}, handler_text(action, moments.name_of),
        handler_text(now->second, moments.name_of),
        [number = number, raw = action.raw](HeldProcess& held) {
          return held.system_call(SYS_rt_sigaction, {number, raw, std::int64_t{0}, 8}) == 0;
        },
        events));
  }
}

bool set_mask(HeldProcess& held, std::uint64_t mask) {
  std::string raw(reinterpret_cast<const char*>(&mask), sizeof mask);
  return held.system_call(SYS_rt_sigprocmask, {SIG_SETMASK, raw, std::int64_t{0}, 8}) == 0;
}

void blocked_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  const auto word = [](bool blocked) { return blocked ? "blocked" : "unblocked"; };
  for (int number = 1; number <= 64; ++number) {
    const std::uint64_t bit = std::uint64_t{1} << (number - 1);
    const bool was = before.blocked & bit, is = after.blocked & bit;
    if (was == is) continue;
    StateEvents events;
    events.writing_calls = events.reading_calls = {SYS_rt_sigprocmask};
    const std::uint64_t wanted = after.blocked ^ bit;
    changes.push_back(changed(
        {CarrierKind::signal_mask, SignalKey{number, SignalKey::Part::blocked}}, word(was),
        word(is), [wanted](HeldProcess& held) { return set_mask(held, wanted); }, events));
  }
}

/// SIG_IGN for a moment discards what is pending.
bool discard_pending(HeldProcess& held, int number, const std::string& action) {
  std::string ignore = action;
  const std::uint64_t sig_ign = 1;
  std::memcpy(ignore.data(), &sig_ign, sizeof sig_ign);
  return held.system_call(SYS_rt_sigaction, {number, ignore, std::int64_t{0}, 8}) == 0 &&
         held.system_call(SYS_rt_sigaction, {number, action, std::int64_t{0}, 8}) == 0;
}

void pending_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  for (int number = 1; number <= 64; ++number) {
    const std::uint64_t bit = std::uint64_t{1} << (number - 1);
    if (before.pending & bit || !(after.pending & bit)) continue;
    auto action = after.signals.find(number);
    if (action == after.signals.end()) continue;
    StateEvents events{
        .writing_calls = {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo},
        .reading_calls = {SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigprocmask}};
    changes.push_back(changed(
        {CarrierKind::signal, SignalKey{number, SignalKey::Part::pending}}, "0", "1",
        [number, raw = action->second.raw](HeldProcess& held) {
          return discard_pending(held, number, raw);
        },
        events));
  }
}

void alternate_stack_change(const StateMoments& moments, Changes& changes) {
  if (moments.before.alternate_stack == moments.after.alternate_stack) return;
  StateEvents events;
  events.writing_calls = events.reading_calls = {SYS_sigaltstack};
  changes.push_back(changed(
      {CarrierKind::signal, SignalKey{0, SignalKey::Part::alternate_stack}}, "none", "set",
      [was = moments.before.alternate_stack](HeldProcess& held) {
        return held.system_call(SYS_sigaltstack, {was, std::int64_t{0}}) == 0;
      },
      events));
}

void signal_changes(const StateMoments& moments, Changes& changes) {
  action_changes(moments, changes);
  alternate_stack_change(moments, changes);
}

void mask_changes(const StateMoments& moments, Changes& changes) {
  blocked_changes(moments, changes);
  pending_changes(moments, changes);
}

bool uses_signal(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  return event.syscall != SYS_rt_sigaction || !events.number ||
         event.arguments[0] == static_cast<std::uint64_t>(*events.number);
}

bool only_asks_for_action(const TraceEvent& event) {
  if (event.syscall == SYS_sigaltstack) return event.arguments[0] == 0;
  return event.syscall == SYS_rt_sigaction && event.arguments[1] == 0;
}

bool only_asks_for_mask(const TraceEvent& event) {
  return event.syscall == SYS_rt_sigprocmask && event.arguments[1] == 0;
}

}  // namespace

const ExternalKind kinds::signals = {.kind = CarrierKind::signal,
                                     .read = read_signals,
                                     .compare = signal_changes,
                                     .concerns = uses_signal,
                                     .only_asks = only_asks_for_action};

const ExternalKind kinds::signal_mask = {.kind = CarrierKind::signal_mask,
                                         .read = read_signal_mask,
                                         .compare = mask_changes,
                                         .only_asks = only_asks_for_mask};

}  // namespace gordian
