// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Compares two external states: environment, directories, locale and signals here, the rest in
// process_changes.cc; whatever is made of pieces, by their values.
#include <fcntl.h>
#include <fenv.h>
#include <fmt/format.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

#include "state/external_kinds.h"

namespace gordian {
namespace changes {
namespace {

namespace wire = gordian_wire;

template <class Map>
Text find_in(const Map& map, const typename Map::key_type& key) {
  auto found = map.find(key);
  return found == map.end() ? Text() : Text(found->second);
}

}  // namespace

void environment_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::set<std::string> names;
  for (const auto& [name, value] : before.environment) names.insert(name);
  for (const auto& [name, value] : after.environment) names.insert(name);
  for (const std::string& name : names) {
    Text was = find_in(before.environment, name), is = find_in(after.environment, name);
    if (was == is) continue;
    StateEvents events;
    events.writers = {"setenv", "unsetenv", "putenv", "clearenv"};
    events.readers = {"getenv", "secure_getenv"};
    events.argument = name;
    changes.push_back(changed(
        {CarrierKind::environment, NameKey{name}}, was, is,
        [name, was](HeldProcess& held) {
          return was ? held.request(wire::kSetVariable, 0, name + '\0' + *was) == 0
                     : held.request(wire::kUnsetVariable, 0, name) == 0;
        },
        events));
  }
}

void directory_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (before.cwd == after.cwd) return;
  StateEvents events;
  events.writing_calls = {SYS_chdir, SYS_fchdir, SYS_rmdir, SYS_rename};
  events.reading_calls = {SYS_getcwd,     SYS_open,   SYS_openat, SYS_stat,
                          SYS_newfstatat, SYS_access, SYS_mkdir,  SYS_mkdirat};
  changes.push_back(changed(
      {CarrierKind::cwd, SoleKey{}}, before.cwd, after.cwd,
      [was = before.cwd](HeldProcess& held) { return held.system_call(SYS_chdir, {was}) == 0; },
      events));
}

void umask_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  if (before.umask == after.umask) return;
  StateEvents events;
  events.writing_calls = {SYS_umask};
  events.reading_calls = {SYS_umask,   SYS_open,  SYS_openat, SYS_mkdir,
                          SYS_mkdirat, SYS_creat, SYS_mknod,  SYS_mknodat};
  changes.push_back(changed(
      {CarrierKind::umask, SoleKey{}}, fmt::format("{:04o}", before.umask),
      fmt::format("{:04o}", after.umask),
      [was = before.umask](HeldProcess& held) { return held.system_call(SYS_umask, {was}) >= 0; },
      events));
}

namespace {

std::string_view category_name(int category) {
  switch (category) {
    case LC_CTYPE:
      return "LC_CTYPE";
    case LC_NUMERIC:
      return "LC_NUMERIC";
    case LC_TIME:
      return "LC_TIME";
    case LC_COLLATE:
      return "LC_COLLATE";
    case LC_MONETARY:
      return "LC_MONETARY";
    default:
      return "LC_MESSAGES";
  }
}

}  // namespace

void locale_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::vector<int> moved;
  std::set<std::string> was, is;
  for (const auto& [category, name] : before.locale) {
    auto now = after.locale.find(category);
    if (now == after.locale.end() || now->second == name) continue;
    moved.push_back(category);
    was.insert(name);
    is.insert(now->second);
  }
  StateEvents events;
  events.writers = {"setlocale", "uselocale"};
  events.readers = {"localeconv",
                    "mbstowcs",
                    "mbrtowc",
                    "mbtowc",
                    "mblen",
                    "wcstombs",
                    "wctomb",
                    "strtod",
                    "snprintf",
                    "vsnprintf",
                    "strftime",
                    "strcoll",
                    "toupper",
                    "tolower",
                    "nl_langinfo",
                    "setlocale",
                    "__ctype_get_mb_cur_max"};
  auto put_back = [old = before.locale](int category) {
    return [old, category](HeldProcess& held) {
      return held.request(wire::kSetLocale, category, old.at(category)) >= 0;
    };
  };
  if (moved.size() == before.locale.size() && was.size() == 1 && is.size() == 1) {
    Reset all = [name = *was.begin()](HeldProcess& held) {
      return held.request(wire::kSetLocale, LC_ALL, name) >= 0;
    };
    changes.push_back(
        changed({CarrierKind::locale, NameKey{"LC_ALL"}}, *was.begin(), *is.begin(), all, events));
    return;
  }
  for (int category : moved) {
    changes.push_back(changed({CarrierKind::locale, NameKey{std::string(category_name(category))}},
                              before.locale.at(category), after.locale.at(category),
                              put_back(category), events));
  }
}

namespace {

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
    StateEvents events;
    events.writing_calls = {SYS_rt_sigaction};
    events.reading_calls = {SYS_rt_sigaction, SYS_kill, SYS_tgkill};
    events.number = number;
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
    StateEvents events;
    events.writing_calls = {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo};
    events.reading_calls = {SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigprocmask};
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

}  // namespace

void signal_changes(const StateMoments& moments, Changes& changes) {
  action_changes(moments, changes);
  alternate_stack_change(moments, changes);
}

void mask_changes(const StateMoments& moments, Changes& changes) {
  blocked_changes(moments, changes);
  pending_changes(moments, changes);
}

ExternalChange changed(StateKey key, Text old_value, Text new_value, Reset reset,
                       StateEvents events) {
  ExternalChange change;
  change.carrier.key = std::move(key);
  change.carrier.old_value = std::move(old_value);
  change.carrier.new_value = std::move(new_value);
  change.reset = std::move(reset);
  change.events = std::move(events);
  return change;
}

}  // namespace changes

namespace {

std::optional<std::string> value_of(const StatePiece* piece) {
  return piece != nullptr ? std::optional(piece->text) : std::nullopt;
}

const StatePiece* piece_at(const ExternalState& state, const StateKey& key) {
  const auto found = state.pieces.find(key);
  return found == state.pieces.end() ? nullptr : &found->second;
}

void piece_changes(const ExternalKind& kind, const StateMoments& moments,
                   changes::Changes& changes) {
  std::set<StateKey> keys;
  for (const ExternalState* state : {&moments.before, &moments.after}) {
    for (const auto& [key, piece] : state->pieces) {
      if (key.kind() == kind.kind) keys.insert(key);
    }
  }
  for (const StateKey& key : keys) {
    const StatePiece *was = piece_at(moments.before, key), *is = piece_at(moments.after, key);
    if (was != nullptr && is != nullptr && *was == *is) continue;
    const auto copy = [](const StatePiece* piece) {
      return piece != nullptr ? std::optional(*piece) : std::nullopt;
    };
    changes::Reset reset = [put_back = kind.pieces->put_back, key, old = copy(was),
                            now = copy(is)](HeldProcess& held) {
      return put_back(held, key, old ? &*old : nullptr, now ? &*now : nullptr);
    };
    changes.push_back(changes::changed(key, value_of(was), value_of(is), std::move(reset),
                                       kind.pieces->events(key, was, is)));
  }
}

}  // namespace

std::vector<ExternalChange> external_changes(
    const ExternalState& before, const ExternalState& after,
    const std::function<std::string(std::uint64_t)>& name_of) {
  const StateMoments moments{before, after, name_of};
  changes::Changes found;
  for (const ExternalKind& kind : external_kinds()) {
    if (kind.compare != nullptr) kind.compare(moments, found);
    if (kind.pieces != nullptr) piece_changes(kind, moments, found);
  }
  return found;
}

}  // namespace gordian
