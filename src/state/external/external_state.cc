// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external/external_state.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "state/external/external_kinds.h"

namespace gordian {

std::string proc_path(pid_t pid, std::string_view name) {
  return fmt::format("/proc/{}/{}", pid, name);
}

std::string link_text(const std::string& path) {
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string();
}

ProcFields read_fields(const std::string& path) {
  ProcFields result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    result[line.substr(0, colon)] = begin == std::string::npos ? "" : line.substr(begin);
  }
  return result;
}

std::int64_t number_in(const ProcFields& fields, const char* name, int base) {
  auto field = fields.find(name);
  if (field == fields.end()) return 0;
  return static_cast<std::int64_t>(std::strtoull(field->second.c_str(), nullptr, base));
}

ExternalState read_external_state(HeldProcess& held, const MemoryImage& memory) {
  StateReading from{held, memory, read_fields(proc_path(held.pid(), "status"))};
  ExternalState state;
  for (const ExternalKind* kind : kinds::kAll) {
    if (kind->read != nullptr) kind->read(from, state);
    if (kind->pieces) state.pieces.merge(kind->pieces->read(from));
  }
  return state;
}

ExternalChange changes::changed(StateKey key, Text old_value, Text new_value, Reset reset,
                                StateEvents events) {
  ExternalChange change;
  change.carrier.key = std::move(key);
  change.carrier.old_value = std::move(old_value);
  change.carrier.new_value = std::move(new_value);
  change.reset = std::move(reset);
  change.events = std::move(events);
  return change;
}

namespace {

const StatePiece* piece_at(const ExternalState& state, const StateKey& key) {
  const auto found = state.pieces.find(key);
  return found == state.pieces.end() ? nullptr : &found->second;
}

/// Those of a kind that are not what they were.
std::set<StateKey> changed_pieces(CarrierKind kind, const StateMoments& moments) {
  std::set<StateKey> keys;
  for (const auto& [key, was] : moments.before.pieces) {
    const StatePiece* is = key.kind() == kind ? piece_at(moments.after, key) : &was;
    if (is == nullptr || *is != was) keys.insert(key);
  }
  for (const auto& [key, is] : moments.after.pieces) {
    if (key.kind() == kind && !moments.before.pieces.contains(key)) keys.insert(key);
  }
  return keys;
}

void piece_changes(const ExternalKind& kind, const StateMoments& moments,
                   changes::Changes& changes) {
  const auto copy = [](const StatePiece* piece) {
    return piece != nullptr ? std::optional(*piece) : std::nullopt;
  };
  const auto value_of = [](const StatePiece* piece) {
    return piece != nullptr ? std::optional(piece->text) : std::nullopt;
  };
  for (const StateKey& key : changed_pieces(kind.kind, moments)) {
    const StatePiece *was = piece_at(moments.before, key), *is = piece_at(moments.after, key);
    changes::Reset reset = [put_back = kind.pieces->put_back, key, old = copy(was),
                            now = copy(is)](HeldProcess& held) {
      return put_back(held, key, old ? &*old : nullptr, now ? &*now : nullptr);
    };
    changes.push_back(changes::changed(key, value_of(was), value_of(is), std::move(reset),
                                       kind.pieces->events(key, was, is)));
  }
}

bool takes_directory(long number) {
  switch (number) {
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_faccessat:
    case SYS_mknodat:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<ExternalChange> external_changes(
    const ExternalState& before, const ExternalState& after,
    const std::function<std::string(std::uint64_t)>& name_of) {
  const StateMoments moments{before, after, name_of};
  changes::Changes found;
  for (const ExternalKind* kind : kinds::kAll) {
    if (kind->compare != nullptr) kind->compare(moments, found);
    if (kind->pieces) piece_changes(*kind, moments, found);
  }
  return found;
}

std::string text_at(const MemoryImage& memory, std::uint64_t address) {
  return memory.c_string(address).value_or("");
}

std::string path_of(const TraceEvent& event, const MemoryImage& memory) {
  return text_at(memory, event.arguments[takes_directory(event.syscall) ? 1 : 0]);
}

bool concerns(const TraceEvent& event, CarrierKind kind, bool writing, const StateEvents& events,
              const MemoryImage& memory) {
  const auto row = std::find_if(kinds::kAll.begin(), kinds::kAll.end(),
                                [kind](const ExternalKind* each) { return each->kind == kind; });
  if (row == kinds::kAll.end()) return true;
  if (writing && (*row)->only_asks != nullptr && (*row)->only_asks(event)) return false;
  return (*row)->concerns == nullptr || (*row)->concerns(event, events, memory);
}

}  // namespace gordian
