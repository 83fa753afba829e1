// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What of a process's state is not the program's memory: environment, directories, locale, signals,
// descriptors, limits, timers, ... Read at two moments, compared by meaning, and put back piece by
// piece in a process that is held.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/explanation.h"
#include "runtime/native/held_process.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

struct OpenDescriptor {
  std::string target;  ///< as /proc/PID/fd shows it
  std::int64_t position = 0;
  std::int64_t flags = 0;  ///< of the open file
  bool operator==(const OpenDescriptor&) const = default;
};

struct SignalAction {
  std::uint64_t handler = 0, flags = 0;
  std::string raw;  ///< as the kernel keeps it
  bool operator==(const SignalAction&) const = default;
};

/// The value of one piece of state; see PieceKind.
struct StatePiece {
  std::string text;  ///< for people
  std::string raw;   ///< all that has to be put back
  bool operator==(const StatePiece&) const = default;
};

using StatePieces = std::map<StateKey, StatePiece>;

struct ExternalState {
  std::string cwd;
  std::map<int, std::string> locale;  ///< by category
  std::map<int, SignalAction> signals;
  std::uint64_t blocked = 0, pending = 0;  ///< bit i: signal i + 1
  std::map<int, OpenDescriptor> descriptors;
  std::map<int, std::array<std::uint64_t, 2>> limits;  ///< soft, hard
  std::array<std::string, 3> timers;                   ///< struct itimerval of each kind
  std::uint64_t float_control = 0;
  int threads = 0, children = 0;
  std::string alternate_stack;  ///< stack_t
  std::set<int> posix_timers;   ///< their numbers
  StatePieces pieces;           ///< of all kinds that have some
};

/// REQUIRES: held. What cannot be read stays empty.
ExternalState read_external_state(HeldProcess& held, const MemoryImage& memory);

/// Which events of a run have to do with a piece of state: where it is written and read.
struct StateEvents {
  std::vector<long> writing_calls = {}, reading_calls = {};  ///< system calls
  std::vector<std::string> writers = {}, readers = {};       ///< functions of the C library
  std::string argument = {};  ///< if set: the event counts only with this text as an argument
  std::optional<std::int64_t> number = {};  ///< if set: ... with this first argument
  std::optional<std::int64_t> handle =
      {};                                ///< ... or with this, where it takes what another returned
  std::optional<ByteRange> memory = {};  ///< if set: ... with an address in it as an argument
};

struct ExternalChange {
  Carrier carrier;
  StateEvents events;
  std::vector<ByteRange> words = {};  ///< memory to watch instead of `events`
  /// Puts the old state back; false when that cannot be done.
  std::function<bool(HeldProcess&)> reset;
};

/// Two moments of one process. `name_of` gives the name of a function at an address.
struct StateMoments {
  const ExternalState &before, &after;
  const std::function<std::string(std::uint64_t)>& name_of;
};

std::vector<ExternalChange> external_changes(
    const ExternalState& before, const ExternalState& after,
    const std::function<std::string(std::uint64_t)>& name_of);

// What tests did to files: the upper layers of the private file system hold exactly what was
// created, changed or removed. Without a private file system nothing can be said.

struct FileState {
  enum class Kind : std::uint8_t { file, directory, link, socket, other, removed };
  Kind kind = Kind::file;
  std::uint32_t mode = 0;
  std::uint64_t size = 0;
  std::string content;  ///< of a file, its first megabyte; of a link, its target
  bool operator==(const FileState&) const = default;
};

/// By the path that the program uses. nullopt: there is no private file system.
using FileView = std::map<std::string, FileState>;
std::optional<FileView> read_written_files(const HeldProcess& held);

/// `held` lends its view of the files below the private layers.
std::vector<ExternalChange> file_changes(const HeldProcess& held, const FileView& before,
                                         const FileView& after, const std::string& cwd);

}  // namespace gordian
