// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Of each kind the text of its keys, what that is read back as, its words and its guard; and the
// table of them.
#include "state/kinds/state_kinds.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/check.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

StateDetail named(std::string_view text) {
  return NameKey{std::string(text)};
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

std::optional<int> parse_count(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool plain = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return plain && fmt::format("{}", number) == text ? std::optional(number) : std::nullopt;
}

/// Words of an enumeration, in the order of its values.
template <class E, std::size_t N>
std::optional<E> value_of(const std::array<std::string_view, N>& words, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == text) return static_cast<E>(i);
  }
  return std::nullopt;
}

template <class E, std::size_t N>
std::string word_of(const std::array<std::string_view, N>& words, E value) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

/// A key that is one of such values and nothing else.
template <class Key, class E, const auto& words>
StateDetail parse_word(std::string_view text) {
  const auto value = value_of<E>(words, text);
  return value ? StateDetail(Key{*value}) : named(text);
}

std::string text_of(const NameKey& key) {
  return key.name;
}

/// As a literal of C.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// --- the environment, files --------------------------------------------------------------------

StateGuard no_guard(std::string why) {
  StateGuard guard;
  guard.why_not = std::move(why);
  return guard;
}

StateGuard environment_guard(const StateKey& key) {
  return {"ScopedEnv", "environment", literal(key.name())};
}

constexpr std::string_view kAttributes = " (attributes)";

std::string text_of(const FileKey& key) {
  switch (key.part) {
    case FileKey::Part::attributes:
      return key.path + std::string(kAttributes);
    case FileKey::Part::entries:
      return key.path == "/" ? key.path : key.path + "/";
    case FileKey::Part::content:
      break;
  }
  return key.path;
}

StateDetail parse_file(std::string_view text) {
  if (take_suffix(text, kAttributes)) return FileKey{std::string(text), FileKey::Part::attributes};
  if (text == "/") return FileKey{"/", FileKey::Part::entries};
  if (take_suffix(text, "/")) return FileKey{std::string(text), FileKey::Part::entries};
  return FileKey{std::string(text), FileKey::Part::content};
}

StateGuard file_guard(const StateKey& key) {
  StateGuard guard{"ScopedFile", "file", literal(key.text())};
  guard.reason = "A directory of its own for each test would keep such files apart altogether.";
  return guard;
}

// --- signals -----------------------------------------------------------------------------------

constexpr int kSignals = 64;
constexpr std::string_view kAlternateStack = "alternate stack", kPending = "pending ";

std::string signal_word(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", number);
}

std::optional<int> parse_signal_word(std::string_view text) {
  for (int number = 1; number <= kSignals; ++number) {
    if (signal_word(number) == text) return number;
  }
  return std::nullopt;
}

std::string text_of(const SignalKey& key) {
  if (key.part == SignalKey::Part::alternate_stack) return std::string(kAlternateStack);
  const bool pending = key.part == SignalKey::Part::pending;
  return (pending ? std::string(kPending) : "") + signal_word(key.number);
}

StateDetail parse_signal(std::string_view text) {
  if (text == kAlternateStack) return SignalKey{0, SignalKey::Part::alternate_stack};
  std::string_view rest = text;
  const bool pending = take_prefix(rest, kPending);
  const auto number = parse_signal_word(rest);
  if (!number) return named(text);
  return SignalKey{*number, pending ? SignalKey::Part::pending : SignalKey::Part::action};
}

StateDetail parse_signal_mask(std::string_view text) {
  const auto number = parse_signal_word(text);
  return number ? StateDetail(SignalKey{*number, SignalKey::Part::blocked}) : named(text);
}

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
  if (signal == nullptr || ::sigabbrev_np(signal->number) == nullptr) {
    return no_guard("which signal it is is not known");
  }
  return {"ScopedSignal", "signal", key.text(), "<csignal>"};
}

// --- descriptors, limits, timers, modes --------------------------------------------------------

constexpr std::array kDescriptorParts = {"descriptor "sv, "flags of descriptor "sv,
                                         "offset of descriptor "sv};

std::string text_of(const DescriptorKey& key) {
  return word_of(kDescriptorParts, key.part) + fmt::format("{}", key.number);
}

StateDetail parse_descriptor(std::string_view text) {
  for (std::size_t i = 0; i < kDescriptorParts.size(); ++i) {
    std::string_view rest = text;
    if (!take_prefix(rest, kDescriptorParts[i])) continue;
    if (auto number = parse_count(rest)) {
      return DescriptorKey{*number, static_cast<DescriptorKey::Part>(i)};
    }
  }
  return named(text);
}

constexpr std::array kLimits = {
    "RLIMIT_CPU"sv,      "RLIMIT_FSIZE"sv, "RLIMIT_DATA"sv,   "RLIMIT_STACK"sv,
    "RLIMIT_CORE"sv,     "RLIMIT_RSS"sv,   "RLIMIT_NPROC"sv,  "RLIMIT_NOFILE"sv,
    "RLIMIT_MEMLOCK"sv,  "RLIMIT_AS"sv,    "RLIMIT_LOCKS"sv,  "RLIMIT_SIGPENDING"sv,
    "RLIMIT_MSGQUEUE"sv, "RLIMIT_NICE"sv,  "RLIMIT_RTPRIO"sv, "RLIMIT_RTTIME"sv};
constexpr std::string_view kHard = " hard";

std::string text_of(const LimitKey& key) {
  return word_of(kLimits, key.resource) + (key.hard ? std::string(kHard) : "");
}

StateDetail parse_limit(std::string_view text) {
  std::string_view rest = text;
  const bool hard = take_suffix(rest, kHard);
  const auto resource = value_of<int>(kLimits, rest);
  return resource ? StateDetail(LimitKey{*resource, hard}) : named(text);
}

constexpr std::array kTimers = {"ITIMER_REAL"sv, "ITIMER_VIRTUAL"sv, "ITIMER_PROF"sv,
                                "POSIX timer"sv};

std::string text_of(const TimerKey& key) {
  return word_of(kTimers, key.clock);
}

constexpr std::array kFloatParts = {"rounding"sv, "control word"sv};

std::string text_of(const FloatKey& key) {
  return word_of(kFloatParts, key.part);
}

std::string said_descriptor(const StateKey& key) {
  const auto* descriptor = key.as<DescriptorKey>();
  const bool flags = descriptor != nullptr && descriptor->part == DescriptorKey::Part::flags;
  return (flags ? "the " : "") + key.text();
}

StateGuard descriptor_guard(const StateKey& key) {
  const auto* descriptor = key.as<DescriptorKey>();
  if (descriptor == nullptr) return no_guard("the number of the descriptor is not known");
  return {"ScopedDescriptor", "descriptor", fmt::format("{}", descriptor->number)};
}

StateGuard limit_guard(const StateKey& key) {
  const auto* limit = key.as<LimitKey>();
  if (limit == nullptr) return no_guard("which limit it is is not known");
  const StateKey soft(CarrierKind::limit, LimitKey{limit->resource, false});
  StateGuard guard{"ScopedRlimit", "limit", soft.text(), "<sys/resource.h>"};
  if (limit->hard) guard.reason = "Raising a hard limit again needs privileges.";
  return guard;
}

StateGuard timer_guard(const StateKey& key) {
  const auto* timer = key.as<TimerKey>();
  if (timer == nullptr || timer->clock == TimerKey::Clock::posix) {
    return no_guard("a POSIX timer can be deleted only by the code that made it");
  }
  return {"ScopedTimer", "timer", key.text(), "<sys/time.h>"};
}

// --- the C library, attributes of the process --------------------------------------------------

constexpr std::array kLibraryParts = {
    ""sv,       ""sv,          "rand"sv,  "std::locale"sv, "exit handlers"sv,
    "strtok"sv, "time zone"sv, "getopt"sv};
constexpr std::string_view kModule = "state of ";

std::string text_of(const LibraryKey& key) {
  if (key.part == LibraryKey::Part::module) return std::string(kModule) + key.name;
  return key.name.empty() ? word_of(kLibraryParts, key.part) : key.name;
}

StateDetail parse_library(std::string_view text) {
  std::string_view rest = text;
  if (take_prefix(rest, kModule)) return LibraryKey{LibraryKey::Part::module, std::string(rest)};
  const auto part = value_of<LibraryKey::Part>(kLibraryParts, text);
  if (part && !text.empty()) return LibraryKey{*part, {}};
  return library_key(text);
}

constexpr std::array kAttributeWords = {"name"sv, "nice"sv, "personality"sv, "locked memory"sv};

std::string text_of(const AttributeKey& key) {
  return word_of(kAttributeWords, key.which);
}

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
  if (library != nullptr && library->part == LibraryKey::Part::random) {
    StateGuard guard{"ScopedRandom", "random"};
    guard.does = "uses a random sequence of its own";
    guard.meanwhile = true;
    return guard;
  }
  return no_guard("the C library has no way to put " + key.text() + " back");
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
  return no_guard("no guard can put back this attribute of the process: " + key.text());
}

// --- System V shared memory --------------------------------------------------------------------

constexpr std::string_view kSegment = "System V segment ", kPrivate = "private ";

std::string text_of(const SegmentKey& key) {
  if (key.id >= 0) return fmt::format("{}{}{}", kPrivate, kSegment, key.id);
  return fmt::format("{}{:#x}", kSegment, key.key);
}

StateDetail parse_segment(std::string_view text) {
  std::string_view rest = text;
  const bool without_key = take_prefix(rest, kPrivate);
  if (!take_prefix(rest, kSegment)) return named(text);
  if (without_key) {
    const auto id = parse_count(rest);
    return id ? StateDetail(SegmentKey{0, *id}) : named(text);
  }
  std::uint32_t number = 0;
  if (take_prefix(rest, "0x")) std::from_chars(rest.data(), rest.data() + rest.size(), number, 16);
  const SegmentKey key{number, -1};
  return text_of(key) == text ? StateDetail(key) : named(text);
}

StateGuard segment_guard(const StateKey& key) {
  const auto* segment = key.as<SegmentKey>();
  if (segment == nullptr || segment->id >= 0) {
    return no_guard("a segment without a key can be removed only by the code that made it");
  }
  return {"ScopedSegment", "segment", fmt::format("{:#x}", segment->key)};
}

// --- the table ---------------------------------------------------------------------------------

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
     .phrase = "the environment variable {}",
     .guard_of = environment_guard},
    {.kind = CarrierKind::cwd,
     .word = "cwd",
     .noun = "working directory",
     .sole = "cwd",
     .setters = kDirectorySetters,
     .phrase = "the working directory",
     .guard = "ScopedCwd",
     .guarded = "directory"},
    {.kind = CarrierKind::umask,
     .word = "umask",
     .noun = "file mode mask",
     .sole = "umask",
     .setters = kUmaskSetters,
     .phrase = "the umask",
     .guard = "ScopedUmask",
     .guarded = "umask"},
    {.kind = CarrierKind::file,
     .word = "file",
     .noun = "file",
     .parse = parse_file,
     .absence = "not there",
     .restored = "removed",
     .outlives_process = true,
     .ignored_in = IgnoreSection::files,
     .separators = "/",
     .phrase = "the file {}",
     .guard_of = file_guard},
    {.kind = CarrierKind::locale,
     .word = "locale",
     .noun = "locale",
     .setters = kLocaleSetters,
     .phrase = "the locale",
     .guard = "ScopedLocale",
     .guarded = "locale"},
    {.kind = CarrierKind::signal,
     .word = "signal",
     .noun = "signal action",
     .parse = parse_signal,
     .phrase_of = said_signal,
     .guard_of = signal_guard},
    {.kind = CarrierKind::signal_mask,
     .word = "signal_mask",
     .noun = "signal mask",
     .parse = parse_signal_mask,
     .phrase = "the signal mask",
     .guard = "ScopedSignalMask",
     .guarded = "signal_mask"},
    {.kind = CarrierKind::descriptor,
     .word = "fd",
     .noun = "file descriptor",
     .parse = parse_descriptor,
     .absence = "not there",
     .phrase_of = said_descriptor,
     .guard_of = descriptor_guard},
    {.kind = CarrierKind::limit,
     .word = "rlimit",
     .noun = "resource limit",
     .parse = parse_limit,
     .phrase = "the limit {}",
     .guard_of = limit_guard},
    {.kind = CarrierKind::timer,
     .word = "timer",
     .noun = "timer",
     .parse = parse_word<TimerKey, TimerKey::Clock, kTimers>,
     .phrase = "the timer {}",
     .guard_of = timer_guard},
    {.kind = CarrierKind::fp_mode,
     .word = "fpmode",
     .noun = "floating-point mode",
     .parse = parse_word<FloatKey, FloatKey::Part, kFloatParts>,
     .phrase = "the floating-point mode",
     .guard = "ScopedRounding",
     .guarded = "rounding"},
    {.kind = CarrierKind::libc,
     .word = "libc",
     .noun = "state of the C library",
     .parse = parse_library,
     .setters = kLibrarySetters,
     .phrase_of = said_library,
     .guard_of = library_guard},
    {.kind = CarrierKind::flag,
     .word = "flag",
     .noun = "option of the framework",
     .phrase = "the option {}"},
    {.kind = CarrierKind::thread,
     .word = "thread",
     .noun = "thread",
     .sole = "threads",
     .no_guard = "a thread that the test leaves behind goes on writing: it has to end with the "
                 "test"},
    {.kind = CarrierKind::child,
     .word = "child",
     .noun = "child process",
     .sole = "child process",
     .no_guard = "a child process that the test leaves behind cannot be put back"},
    {.kind = CarrierKind::process,
     .word = "process",
     .noun = "attribute of the process",
     .parse = parse_word<AttributeKey, AttributeKey::Which, kAttributeWords>,
     .phrase_of = said_attribute,
     .guard_of = attribute_guard},
    {.kind = CarrierKind::mapping,
     .word = "mapping",
     .noun = "memory mapping",
     .absence = "not there",
     .no_guard = "no guard can make a memory mapping as it was: {}"},
    {.kind = CarrierKind::socket,
     .word = "socket",
     .noun = "peer",
     .outlives_process = true,
     .no_guard = "what the other end of a connection keeps cannot be put back from here"},
    {.kind = CarrierKind::sysv,
     .word = "sysv",
     .noun = "shared memory",
     .parse = parse_segment,
     .absence = "not there",
     .restored = "removed",
     .outlives_process = true,
     .setters = kSegmentSetters,
     .phrase = "the {}",
     .guard_of = segment_guard},
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

std::string phrase_of(const StateKey& key) {
  const StateKindRow& row = row_of(key.kind());
  return row.phrase_of != nullptr ? row.phrase_of(key)
                                  : fmt::format(fmt::runtime(row.phrase), key.text());
}

StateGuard guard_of(const StateKey& key) {
  const StateKindRow& row = row_of(key.kind());
  if (row.guard_of != nullptr) return row.guard_of(key);
  StateGuard guard{std::string(row.guard), std::string(row.guarded)};
  if (row.guard.empty()) guard.why_not = fmt::format(fmt::runtime(row.no_guard), key.text());
  return guard;
}

std::string_view to_string(CarrierKind kind) {
  return row_of(kind).word;
}

StateKey::StateKey(CarrierKind kind, std::string_view text) : kind_(kind), detail_(named(text)) {
  const StateKindRow& row = row_of(kind);
  if (row.parse != nullptr) detail_ = row.parse(text);
  // Any other text than that is somebody's name for what there is one of.
  if (!row.sole.empty() && text == row.sole) detail_ = SoleKey{};
}

const std::string& StateKey::name() const {
  static const std::string none;
  const auto* named = as<NameKey>();
  return named != nullptr ? named->name : none;
}

std::string StateKey::text() const {
  if (as<SoleKey>() != nullptr) return std::string(row_of(kind_).sole);
  return std::visit(
      [](const auto& detail) -> std::string {
        if constexpr (std::is_same_v<decltype(detail), const SoleKey&>) {
          return {};
        } else {
          return text_of(detail);
        }
      },
      detail_);
}

LibraryKey library_key(std::string_view symbol) {
  using Part = LibraryKey::Part;
  const auto has = [symbol](std::string_view part) {
    return symbol.find(part) != std::string_view::npos;
  };
  Part part = Part::symbol;
  if (has("locale")) part = Part::global_locale;
  // drand48() and its kind have a state of their own.
  if (has("rand") && !has("48")) part = Part::random;
  return {part, std::string(symbol)};
}

}  // namespace gordian
