// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which instruction touched a watched place, and whether it read or wrote. The processor tells only
// that it happened, after the instruction: the program counter is behind it, inside of it (a
// repeated string instruction), or elsewhere (a call through the watched pointer).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/native/tracer.h"
#include "runtime/native/tracer_ptrace.h"

namespace gordian {

struct Access {
  TraceKind kind = TraceKind::write;
  std::uint64_t instruction = 0;
  bool in_caller = false;  ///< the thread stands in a function that the instruction called
  bool decoded = false;
};

/// Of one process. Remembers where instructions begin.
class AccessDecoder {
 public:
  /// Up to `size` bytes of code as the program has it, without our breakpoints.
  using ReadCode = std::function<std::string(std::uint64_t at, std::size_t size)>;
  /// ProcessStacks::instruction_start_before.
  using StartBefore = std::function<std::optional<std::uint64_t>(std::uint64_t)>;

  AccessDecoder(ReadCode read, StartBefore start_before)
      : read_(std::move(read)), start_before_(std::move(start_before)) {}

  /// What hit `watch`, from the registers of the stopped thread. `changed`: the watched bytes did.
  Access find(const Registers& registers, const Watch& watch, bool changed);

 private:
  std::uint64_t find_start(std::uint64_t end, const Registers& registers, const Watch& watch);

  ReadCode read_;
  StartBefore start_before_;
  std::unordered_map<std::uint64_t, std::uint64_t> starts_;  ///< by where the instruction ends
};

}  // namespace gordian
