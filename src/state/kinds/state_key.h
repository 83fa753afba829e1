// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What identifies a piece of state: its kind, and what tells it from the others of that kind. Code
// asks the key; its text is for people, for --json and for databases, and means something to the
// parser below only. Words and guards of a kind stand in its row: state_kinds.h.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gordian {

enum class CarrierKind : std::uint8_t {
  variable,  ///< global, class or function static
  thread_local_variable,
  heap,  ///< an object reachable from one of these
  environment,
  cwd,
  umask,
  file,
  locale,
  signal,  ///< what a signal does
  signal_mask,
  descriptor,
  limit,
  timer,
  fp_mode,
  libc,  ///< state of the C library behind its functions: rand, exit handlers, streams
  flag,  ///< an option of the framework
  thread,
  child,
  process,  ///< other attributes of the process
  mapping,
  socket,  ///< whatever keeps state at the other end of a connection
  sysv,    ///< System V shared memory
};

/// "variable", "env", "signal_mask", ...: the words of --json and of databases.
std::string_view to_string(CarrierKind kind);

/// A variable or the way from one to a part of it ("cache->entries[3]"), an environment variable, a
/// category of the locale, an option, a mapping, a peer. Also what a text says of a state that has
/// no such name, where nothing more can be learnt from it.
struct NameKey {
  std::string name;
  auto operator<=>(const NameKey&) const = default;
};

/// There is one of this kind: the working directory, the umask, threads, child processes.
struct SoleKey {
  auto operator<=>(const SoleKey&) const = default;
};

struct FileKey {
  enum class Part : std::uint8_t {
    content,     ///< or that it is there
    entries,     ///< the names in a directory
    attributes,  ///< rights, owner, times
  };
  std::string path;  ///< relative to where the program was started if it is below it
  Part part = Part::content;
  auto operator<=>(const FileKey&) const = default;
};

struct SignalKey {
  enum class Part : std::uint8_t { action, blocked, pending, alternate_stack };
  int number = 0;  ///< 0: of the alternate stack
  Part part = Part::action;
  auto operator<=>(const SignalKey&) const = default;
};

struct DescriptorKey {
  enum class Part : std::uint8_t { itself, flags, offset };
  int number = -1;
  Part part = Part::itself;
  auto operator<=>(const DescriptorKey&) const = default;
};

struct LimitKey {
  int resource = 0;  ///< RLIMIT_NOFILE, ...
  bool hard = false;
  auto operator<=>(const LimitKey&) const = default;
};

struct TimerKey {
  enum class Clock : std::uint8_t { real, virtual_time, profile, posix };
  Clock clock = Clock::real;
  auto operator<=>(const TimerKey&) const = default;
};

struct FloatKey {
  enum class Part : std::uint8_t { rounding, control_word };
  Part part = Part::rounding;
  auto operator<=>(const FloatKey&) const = default;
};

struct LibraryKey {
  enum class Part : std::uint8_t {
    symbol,  ///< known by the name of an object, or of the function that uses it
    module,  ///< known by the library alone
    random,  ///< behind rand() and random()
    global_locale,
    exit_handlers,
    tokenizer,  ///< of strtok()
    time_zone,
    options,  ///< of getopt()
  };
  Part part = Part::symbol;
  std::string name;  ///< of the symbol or the module; else empty, or the object's
  auto operator<=>(const LibraryKey&) const = default;
};

struct AttributeKey {
  enum class Which : std::uint8_t { name, nice, personality, locked_memory };
  Which which = Which::name;
  auto operator<=>(const AttributeKey&) const = default;
};

struct SegmentKey {
  std::uint32_t key = 0;  ///< of shmget()
  int id = -1;            ///< of one without a key; else -1
  auto operator<=>(const SegmentKey&) const = default;
};

using StateDetail = std::variant<NameKey, SoleKey, FileKey, SignalKey, DescriptorKey, LimitKey,
                                 TimerKey, FloatKey, LibraryKey, AttributeKey, SegmentKey>;

class StateKey {
 public:
  StateKey() = default;  ///< a variable without a name
  StateKey(CarrierKind kind, StateDetail detail) : kind_(kind), detail_(std::move(detail)) {}
  /// What such a text is the text of, as databases keep it: text() of the result is `text` again.
  StateKey(CarrierKind kind, std::string_view text);
  StateKey(CarrierKind kind, const char* text) : StateKey(kind, std::string_view(text)) {}
  StateKey(CarrierKind kind, const std::string& text) : StateKey(kind, std::string_view(text)) {}

  CarrierKind kind() const { return kind_; }
  /// Null if it is identified by something else.
  template <class Detail>
  const Detail* as() const {
    return std::get_if<Detail>(&detail_);
  }
  const StateDetail& detail() const { return detail_; }
  /// Of what a NameKey names; else empty.
  const std::string& name() const;

  /// "Settings::instance()::settings.verbosity_", "LANG", "/tmp/x.lock", "flags of descriptor 5"
  std::string text() const;

  auto operator<=>(const StateKey&) const = default;

 private:
  CarrierKind kind_ = CarrierKind::variable;
  StateDetail detail_;
};

/// The state behind an object or a function of the C library, by its symbol.
LibraryKey library_key(std::string_view symbol);

}  // namespace gordian
