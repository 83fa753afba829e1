// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The texts of keys, and what they are read back as.
#include "model/state_key.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <array>
#include <charconv>
#include <optional>

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

std::string text_of(const NameKey& key) {
  return key.name;
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

StateDetail parse_timer(std::string_view text) {
  const auto clock = value_of<TimerKey::Clock>(kTimers, text);
  return clock ? StateDetail(TimerKey{*clock}) : named(text);
}

constexpr std::array kFloatParts = {"rounding"sv, "control word"sv};

std::string text_of(const FloatKey& key) {
  return word_of(kFloatParts, key.part);
}

StateDetail parse_float(std::string_view text) {
  const auto part = value_of<FloatKey::Part>(kFloatParts, text);
  return part ? StateDetail(FloatKey{*part}) : named(text);
}

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

StateDetail parse_attribute(std::string_view text) {
  const auto which = value_of<AttributeKey::Which>(kAttributeWords, text);
  return which ? StateDetail(AttributeKey{*which}) : named(text);
}

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

/// Of what there is one of.
std::string_view sole_word(CarrierKind kind) {
  switch (kind) {
    case CarrierKind::cwd:
      return "cwd";
    case CarrierKind::umask:
      return "umask";
    case CarrierKind::thread:
      return "threads";
    case CarrierKind::child:
      return "child process";
    default:
      return {};
  }
}

/// Any other text is somebody's name for it.
StateDetail parse_sole(CarrierKind kind, std::string_view text) {
  return text == sole_word(kind) ? StateDetail(SoleKey{}) : named(text);
}

/// NameKey: it says nothing that is known.
StateDetail parse(CarrierKind kind, std::string_view text) {
  switch (kind) {
    case CarrierKind::variable:
    case CarrierKind::thread_local_variable:
    case CarrierKind::heap:
    case CarrierKind::environment:
    case CarrierKind::locale:
    case CarrierKind::flag:
    case CarrierKind::mapping:
    case CarrierKind::socket:
      return named(text);
    case CarrierKind::cwd:
    case CarrierKind::umask:
    case CarrierKind::thread:
    case CarrierKind::child:
      return parse_sole(kind, text);
    case CarrierKind::file:
      return parse_file(text);
    case CarrierKind::signal:
      return parse_signal(text);
    case CarrierKind::signal_mask:
      return parse_signal_mask(text);
    case CarrierKind::descriptor:
      return parse_descriptor(text);
    case CarrierKind::limit:
      return parse_limit(text);
    case CarrierKind::timer:
      return parse_timer(text);
    case CarrierKind::fp_mode:
      return parse_float(text);
    case CarrierKind::libc:
      return parse_library(text);
    case CarrierKind::process:
      return parse_attribute(text);
    case CarrierKind::sysv:
      return parse_segment(text);
  }
  return named(text);
}

}  // namespace

StateKey::StateKey(CarrierKind kind, std::string_view text)
    : kind_(kind), detail_(parse(kind, text)) {}

const std::string& StateKey::name() const {
  static const std::string none;
  const auto* named = as<NameKey>();
  return named != nullptr ? named->name : none;
}

std::string StateKey::text() const {
  if (as<SoleKey>() != nullptr) return std::string(sole_word(kind_));
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
