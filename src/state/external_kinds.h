// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of kinds of state outside of the program's memory: how each is read in a process that
// is held, compared between two moments, put back, and which calls have to do with one piece of it.
// What everybody else has to know of a kind is in its row of state/kinds/state_kinds.cc.
//
// A kind whose state is a set of pieces, each with a value of its own, needs a PieceKind only: see
// sysv_segments.cc. The others compare fields of ExternalState by themselves.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/native/tracer.h"
#include "state/external_state.h"

namespace gordian {

// The parts of external_changes(): each function looks at one kind of state, says what changed, how
// it is put back, and which calls write and read it.
namespace changes {

using Changes = std::vector<ExternalChange>;
using Text = std::optional<std::string>;
using Reset = std::function<bool(HeldProcess&)>;

ExternalChange changed(StateKey key, Text old_value, Text new_value, Reset reset,
                       StateEvents events);

void environment_changes(const StateMoments& moments, Changes& changes);
void directory_change(const StateMoments& moments, Changes& changes);
void umask_change(const StateMoments& moments, Changes& changes);
void locale_changes(const StateMoments& moments, Changes& changes);
/// What signals do, and the alternate stack of their handlers.
void signal_changes(const StateMoments& moments, Changes& changes);
/// The mask, and signals that wait.
void mask_changes(const StateMoments& moments, Changes& changes);
void descriptor_changes(const StateMoments& moments, Changes& changes);
void limit_changes(const StateMoments& moments, Changes& changes);
/// Of setitimer() and of timer_create().
void timer_changes(const StateMoments& moments, Changes& changes);
void float_change(const StateMoments& moments, Changes& changes);
/// Name, priority, personality, locked memory.
void attribute_changes(const StateMoments& moments, Changes& changes);
/// Threads and children cannot be ended without changing what they would have done: they are
/// suspects, and their reset says no.
void thread_change(const StateMoments& moments, Changes& changes);
void child_change(const StateMoments& moments, Changes& changes);

}  // namespace changes

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
  /// Calls after which a test may have left, or met, what comparing moments does not show.
  std::span<const long> unseen = {};
};

/// In the order in which changes of one moment are told, and tried as a cause.
std::span<const ExternalKind> external_kinds();

namespace kinds {

extern const PieceKind segments;  ///< of System V shared memory
extern const long segment_calls[4];
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

/// Whether a call of those in `events` has to do with just this state, by its arguments. With
/// `writing`, calls that only ask do not count.
bool concerns(const TraceEvent& event, CarrierKind kind, bool writing, const StateEvents& events,
              const MemoryImage& memory);

}  // namespace gordian
