// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of kinds of state outside of the program's memory: how each is read in a process that
// is held, compared between two moments, put back, and which calls have to do with one piece of it.
// What everybody else has to know of a kind is in its row of state/kinds/state_kinds.cc.
//
// To add one that can be read in a process: a file here with its row, and two lines at the end of
// this one. A kind whose state is a set of pieces, each with a value of its own, needs a PieceKind
// only: see sysv_segments.cc. The others compare fields of ExternalState by themselves.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/native/tracer.h"
#include "state/external/external_state.h"

namespace gordian {

namespace changes {

using Changes = std::vector<ExternalChange>;
using Text = std::optional<std::string>;
using Reset = std::function<bool(HeldProcess&)>;

ExternalChange changed(StateKey key, Text old_value, Text new_value, Reset reset,
                       StateEvents events);

}  // namespace changes

/// "Name:\tvalue" lines, as /proc has them.
using ProcFields = std::map<std::string, std::string>;
ProcFields read_fields(const std::string& path);
std::int64_t number_in(const ProcFields& fields, const char* name, int base);
std::string proc_path(pid_t pid, std::string_view name);
/// Where a link leads; empty if it cannot be read.
std::string link_text(const std::string& path);

/// What a process that is held is read with.
struct StateReading {
  HeldProcess& held;
  const MemoryImage& memory;
  ProcFields status;  ///< /proc/PID/status
};

/// Pieces that are compared by their values.
struct PieceKind {
  StatePieces (*read)(StateReading& from);
  /// Null: it was not, or is not there. False: that cannot be done.
  bool (*put_back)(HeldProcess& held, const StateKey& key, const StatePiece* was,
                   const StatePiece* is);
  StateEvents (*events)(const StateKey& key, const StatePiece* was, const StatePiece* is);
};

struct ExternalKind {
  CarrierKind kind;
  void (*read)(StateReading& from, ExternalState& to) = nullptr;
  /// Says what changed, how it is put back, and which calls write and read it.
  void (*compare)(const StateMoments& moments, changes::Changes& to) = nullptr;
  std::optional<PieceKind> pieces = {};  ///< instead of both
  /// Whether a call of those in `events` has to do with just this piece; null: each has.
  bool (*concerns)(const TraceEvent& event, const StateEvents& events,
                   const MemoryImage& memory) = nullptr;
  /// Whether a call that can change it only asks, by its arguments; null: none does.
  bool (*only_asks)(const TraceEvent& event) = nullptr;
  /// Calls after which a test may have left, or met, what comparing moments does not show.
  std::span<const long> unseen = {};
};

/// Whether a call of those in `events` has to do with just this state, by its arguments. With
/// `writing`, calls that only ask do not count.
bool concerns(const TraceEvent& event, CarrierKind kind, bool writing, const StateEvents& events,
              const MemoryImage& memory);
/// The path that a call names first; empty if it cannot be read.
std::string path_of(const TraceEvent& event, const MemoryImage& memory);
/// The path, or another text, at an address; likewise.
std::string text_at(const MemoryImage& memory, std::uint64_t address);

namespace kinds {

extern const ExternalKind environment, directory, umask, locale, signals, descriptors, limits,
    timers, float_mode, attributes, segments;
extern const ExternalKind signal_mask;        ///< with the signals that wait because of it
extern const ExternalKind threads, children;  ///< suspects that cannot be put back
extern const ExternalKind files, mappings;    ///< read and compared by themselves

/// In the order in which changes of one moment are told, and tried as a cause.
inline constexpr std::array kAll = {&environment, &directory,   &umask,       &locale,
                                    &signals,     &signal_mask, &descriptors, &limits,
                                    &timers,      &float_mode,  &attributes,  &threads,
                                    &children,    &segments,    &files,       &mappings};

}  // namespace kinds

}  // namespace gordian
