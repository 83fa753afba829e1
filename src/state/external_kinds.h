// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of kinds of state outside of the program's memory: how each is read in a process that
// is held, compared between two moments, put back, and which calls have to do with one piece of it.
// What everybody else has to know of a kind is in its row of model/state_kinds.cc.
//
// A kind whose state is a set of pieces, each with a value of its own, needs a PieceKind only: see
// sysv_segments.cc. The others compare fields of ExternalState by themselves.
#pragma once

#include <map>
#include <span>
#include <string>

#include "runtime/native/tracer.h"
#include "state/changes.h"

namespace gordian {

/// What a process that is held is read with.
struct StateReading {
  HeldProcess& held;
  const MemoryImage& memory;
  std::map<std::string, std::string> status;  ///< the fields of /proc/PID/status
};

/// Pieces that are compared by their values.
struct PieceKind {
  std::map<StateKey, StatePiece> (*read)(StateReading& from);
  /// Null: it was not, or is not there. False: that cannot be done.
  bool (*put_back)(HeldProcess& held, const StateKey& key, const StatePiece* was,
                   const StatePiece* is);
  StateEvents (*events)(const StateKey& key, const StatePiece* was, const StatePiece* is);
};

struct ExternalKind {
  CarrierKind kind;
  void (*read)(StateReading& from, ExternalState& to) = nullptr;
  void (*compare)(const StateMoments& moments, changes::Changes& to) = nullptr;
  const PieceKind* pieces = nullptr;  ///< instead of both
  /// Whether a call of those in `events` has to do with just this piece; null: each has.
  bool (*concerns)(const TraceEvent& event, const StateEvents& events,
                   const MemoryImage& memory) = nullptr;
  /// Whether a call that can change it only asks, by its arguments; null: as for all kinds.
  bool (*only_asks)(const TraceEvent& event) = nullptr;
};

/// In the order in which changes of one moment are told, and tried as a cause.
std::span<const ExternalKind> external_kinds();

namespace kinds {

extern const PieceKind segments;  ///< of System V shared memory
bool names_segment(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool only_asks_for_segment(const TraceEvent& event);

void read_environment(StateReading& from, ExternalState& to);
void read_directory(StateReading& from, ExternalState& to);
void read_umask(StateReading& from, ExternalState& to);
void read_locale(StateReading& from, ExternalState& to);
void read_signals(StateReading& from, ExternalState& to);
void read_signal_mask(StateReading& from, ExternalState& to);
void read_descriptors(StateReading& from, ExternalState& to);
void read_limits(StateReading& from, ExternalState& to);
void read_timers(StateReading& from, ExternalState& to);
void read_float_mode(StateReading& from, ExternalState& to);
void read_attributes(StateReading& from, ExternalState& to);
void read_threads(StateReading& from, ExternalState& to);
void read_children(StateReading& from, ExternalState& to);

bool names_variable(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool names_file(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool uses_directory(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool creates_with_mode(const TraceEvent& event, const StateEvents& events,
                       const MemoryImage& memory);
bool uses_descriptor(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool uses_mapping(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);
bool uses_signal(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory);

}  // namespace kinds
}  // namespace gordian
