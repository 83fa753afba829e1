// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/state_kinds.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <array>
#include <utility>

#include "base/check.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

/// As a literal of C.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// --- files -------------------------------------------------------------------------------------

StateGuard file_guard(const StateKey& key) {
  StateGuard guard{"ScopedFile", "file", literal(key.text())};
  guard.reason = "A directory of its own for each test would keep such files apart altogether.";
  return guard;
}

// --- signals -----------------------------------------------------------------------------------

std::string said_signal(const StateKey& key) {
  const auto* signal = key.as<SignalKey>();
  if (signal == nullptr) return key.text();
  if (signal->part == SignalKey::Part::alternate_stack) return "the alternate signal stack";
  const bool plain =
      signal->part == SignalKey::Part::action && ::sigabbrev_np(signal->number) != nullptr;
  return (plain ? "the handling of " : "") + key.text();
}

StateGuard signal_guard(const StateKey& key) {
  const auto* signal = key.as<SignalKey>();
  if (signal != nullptr && signal->part == SignalKey::Part::alternate_stack) {
    return {"ScopedAlternateStack", "signal_stack"};
  }
  if (signal != nullptr && signal->part == SignalKey::Part::pending) {
    StateGuard guard{"ScopedSignalMask", "signal_mask"};
    guard.does = "puts the signal mask back and drops signals that wait";
    return guard;
  }
  StateGuard guard;
  if (signal == nullptr || ::sigabbrev_np(signal->number) == nullptr) {
    guard.why_not = "which signal it is is not known";
    return guard;
  }
  return {"ScopedSignal", "signal", key.text(), "<csignal>"};
}

// --- descriptors, limits, timers, modes --------------------------------------------------------

std::string said_descriptor(const StateKey& key) {
  const auto* descriptor = key.as<DescriptorKey>();
  const bool flags = descriptor != nullptr && descriptor->part == DescriptorKey::Part::flags;
  return (flags ? "the " : "") + key.text();
}

StateGuard descriptor_guard(const StateKey& key) {
  StateGuard guard;
  if (const auto* descriptor = key.as<DescriptorKey>()) {
    return {"ScopedDescriptor", "descriptor", fmt::format("{}", descriptor->number)};
  }
  guard.why_not = "the number of the descriptor is not known";
  return guard;
}

StateGuard limit_guard(const StateKey& key) {
  StateGuard guard;
  const auto* limit = key.as<LimitKey>();
  if (limit == nullptr) {
    guard.why_not = "which limit it is is not known";
    return guard;
  }
  const StateKey soft(CarrierKind::limit, LimitKey{limit->resource, false});
  guard = {"ScopedRlimit", "limit", soft.text(), "<sys/resource.h>"};
  if (limit->hard) guard.reason = "Raising a hard limit again needs privileges.";
  return guard;
}

StateGuard timer_guard(const StateKey& key) {
  StateGuard guard;
  const auto* timer = key.as<TimerKey>();
  if (timer == nullptr || timer->clock == TimerKey::Clock::posix) {
    guard.why_not = "a POSIX timer can be deleted only by the code that made it";
    return guard;
  }
  return {"ScopedTimer", "timer", key.text(), "<sys/time.h>"};
}

// --- the C library, attributes of the process --------------------------------------------------

std::string said_library(const StateKey& key) {
  const auto* library = key.as<LibraryKey>();
  const bool global = library != nullptr && library->name.empty() &&
                      library->part == LibraryKey::Part::global_locale;
  return global ? "the global locale" : key.text();
}

StateGuard library_guard(const StateKey& key) {
  const auto* library = key.as<LibraryKey>();
  if (library != nullptr && library->part == LibraryKey::Part::global_locale) {
    return {"ScopedGlobalLocale", "global_locale"};
  }
  StateGuard guard;
  if (library != nullptr && library->part == LibraryKey::Part::random) {
    guard = {"ScopedRandom", "random"};
    guard.does = "uses a random sequence of its own";
    guard.meanwhile = true;
    return guard;
  }
  guard.why_not = "the C library has no way to put " + key.text() + " back";
  return guard;
}

std::string said_attribute(const StateKey& key) {
  using Which = AttributeKey::Which;
  const auto* attribute = key.as<AttributeKey>();
  if (attribute == nullptr || attribute->which == Which::locked_memory) return key.text();
  if (attribute->which == Which::name) return "the name of the process";
  return attribute->which == Which::nice ? "the nice value" : "the personality of the process";
}

StateGuard attribute_guard(const StateKey& key) {
  using Which = AttributeKey::Which;
  if (const auto* attribute = key.as<AttributeKey>()) {
    if (attribute->which == Which::name) return {"ScopedThreadName", "name"};
    if (attribute->which == Which::nice) return {"ScopedPriority", "priority"};
    if (attribute->which == Which::personality) return {"ScopedPersonality", "personality"};
  }
  StateGuard guard;
  guard.why_not = "no guard can put back this attribute of the process: " + key.text();
  return guard;
}

// --- System V shared memory --------------------------------------------------------------------

StateGuard segment_guard(const StateKey& key) {
  const auto* segment = key.as<SegmentKey>();
  if (segment == nullptr || segment->id >= 0) {
    StateGuard guard;
    guard.why_not = "a segment without a key can be removed only by the code that made it";
    return guard;
  }
  return {"ScopedSegment", "segment", fmt::format("{:#x}", segment->key)};
}

// --- the table ---------------------------------------------------------------------------------

/// A sentence without anything of the key, or with its text behind it.
template <const std::string_view& words>
std::string said_words(const StateKey&) {
  return std::string(words);
}
template <const std::string_view& words>
std::string said_before(const StateKey& key) {
  return std::string(words) + key.text();
}

constexpr std::string_view kTheVariable = "the environment variable ", kTheFile = "the file ",
                           kTheDirectory = "the working directory", kTheUmask = "the umask",
                           kTheLocale = "the locale", kTheMask = "the signal mask",
                           kTheLimit = "the limit ", kTheTimer = "the timer ",
                           kTheMode = "the floating-point mode", kTheOption = "the option ",
                           kTheSegment = "the ";

StateGuard no_guard(std::string why) {
  StateGuard guard;
  guard.why_not = std::move(why);
  return guard;
}

constexpr std::array kEnvironmentSetters = {"setenv"sv, "putenv"sv, "unsetenv"sv, "clearenv"sv};
constexpr std::array kDirectorySetters = {"chdir"sv, "fchdir"sv, "current_path"sv};
constexpr std::array kUmaskSetters = {"umask"sv};
constexpr std::array kLocaleSetters = {"setlocale"sv};
constexpr std::array kLibrarySetters = {"srand"sv, "srandom"sv, "global"sv};
constexpr std::array kSegmentSetters = {"shmget"sv, "shmctl"sv};
constexpr std::string_view kOfVariables = ".[-";

const StateKindRow kRows[] = {
    {.kind = CarrierKind::variable,
     .word = "variable",
     .noun = "variable",
     .memory = true,
     .ignored_in = IgnoreSection::variables,
     .separators = kOfVariables},
    {.kind = CarrierKind::thread_local_variable,
     .word = "thread_local",
     .noun = "thread-local variable",
     .memory = true,
     .ignored_in = IgnoreSection::variables,
     .separators = kOfVariables},
    {.kind = CarrierKind::heap,
     .word = "heap",
     .noun = "heap object",
     .absence = "not there",
     .memory = true,
     .ignored_in = IgnoreSection::variables,
     .separators = kOfVariables},
    {.kind = CarrierKind::environment,
     .word = "env",
     .noun = "environment variable",
     .absence = "not set",
     .restored = "unset",
     .ignored_in = IgnoreSection::environment,
     .setters = kEnvironmentSetters,
     .said = said_before<kTheVariable>,
     .guard =
         [](const StateKey& key) {
           return StateGuard{"ScopedEnv", "environment", literal(key.name())};
         }},
    {.kind = CarrierKind::cwd,
     .word = "cwd",
     .noun = "working directory",
     .setters = kDirectorySetters,
     .said = said_words<kTheDirectory>,
     .guard =
         [](const StateKey&) {
           return StateGuard{"ScopedCwd", "directory"};
         }},
    {.kind = CarrierKind::umask,
     .word = "umask",
     .noun = "file mode mask",
     .setters = kUmaskSetters,
     .said = said_words<kTheUmask>,
     .guard =
         [](const StateKey&) {
           return StateGuard{"ScopedUmask", "umask"};
         }},
    {.kind = CarrierKind::file,
     .word = "file",
     .noun = "file",
     .absence = "not there",
     .restored = "removed",
     .outlives_process = true,
     .ignored_in = IgnoreSection::files,
     .separators = "/",
     .said = said_before<kTheFile>,
     .guard = file_guard},
    {.kind = CarrierKind::locale,
     .word = "locale",
     .noun = "locale",
     .setters = kLocaleSetters,
     .said = said_words<kTheLocale>,
     .guard =
         [](const StateKey&) {
           return StateGuard{"ScopedLocale", "locale"};
         }},
    {.kind = CarrierKind::signal,
     .word = "signal",
     .noun = "signal action",
     .said = said_signal,
     .guard = signal_guard},
    {.kind = CarrierKind::signal_mask,
     .word = "signal_mask",
     .noun = "signal mask",
     .said = said_words<kTheMask>,
     .guard =
         [](const StateKey&) {
           return StateGuard{"ScopedSignalMask", "signal_mask"};
         }},
    {.kind = CarrierKind::descriptor,
     .word = "fd",
     .noun = "file descriptor",
     .absence = "not there",
     .said = said_descriptor,
     .guard = descriptor_guard},
    {.kind = CarrierKind::limit,
     .word = "rlimit",
     .noun = "resource limit",
     .said = said_before<kTheLimit>,
     .guard = limit_guard},
    {.kind = CarrierKind::timer,
     .word = "timer",
     .noun = "timer",
     .said = said_before<kTheTimer>,
     .guard = timer_guard},
    {.kind = CarrierKind::fp_mode,
     .word = "fpmode",
     .noun = "floating-point mode",
     .said = said_words<kTheMode>,
     .guard =
         [](const StateKey&) {
           return StateGuard{"ScopedRounding", "rounding"};
         }},
    {.kind = CarrierKind::libc,
     .word = "libc",
     .noun = "state of the C library",
     .setters = kLibrarySetters,
     .said = said_library,
     .guard = library_guard},
    {.kind = CarrierKind::flag,
     .word = "flag",
     .noun = "option of the framework",
     .said = said_before<kTheOption>},
    {.kind = CarrierKind::thread,
     .word = "thread",
     .noun = "thread",
     .guard =
         [](const StateKey&) {
           return no_guard(
               "a thread that the test leaves behind goes on writing: it has to end with the "
               "test");
         }},
    {.kind = CarrierKind::child,
     .word = "child",
     .noun = "child process",
     .guard =
         [](const StateKey&) {
           return no_guard("a child process that the test leaves behind cannot be put back");
         }},
    {.kind = CarrierKind::process,
     .word = "process",
     .noun = "attribute of the process",
     .said = said_attribute,
     .guard = attribute_guard},
    {.kind = CarrierKind::mapping,
     .word = "mapping",
     .noun = "memory mapping",
     .absence = "not there",
     .guard =
         [](const StateKey& key) {
           return no_guard("no guard can make a memory mapping as it was: " + key.text());
         }},
    {.kind = CarrierKind::socket,
     .word = "socket",
     .noun = "peer",
     .outlives_process = true,
     .guard =
         [](const StateKey&) {
           return no_guard("what the other end of a connection keeps cannot be put back from here");
         }},
    {.kind = CarrierKind::sysv,
     .word = "sysv",
     .noun = "shared memory",
     .absence = "not there",
     .restored = "removed",
     .outlives_process = true,
     .setters = kSegmentSetters,
     .said = said_before<kTheSegment>,
     .guard = segment_guard},
};

}  // namespace

std::optional<CarrierKind> parse_carrier_kind(std::string_view word) {
  for (const StateKindRow& row : state_kinds()) {
    if (row.word == word) return row.kind;
  }
  return std::nullopt;
}

std::span<const StateKindRow> state_kinds() {
  return kRows;
}

const StateKindRow& row_of(CarrierKind kind) {
  const StateKindRow& row = kRows[static_cast<std::size_t>(kind)];
  GORDIAN_CHECK(row.kind == kind);
  return row;
}

std::string_view to_string(CarrierKind kind) {
  return row_of(kind).word;
}

}  // namespace gordian
