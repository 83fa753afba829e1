// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Program counters of a trace as lines of source. Opened while the process is there, usable when it
// has gone. Looking an address up is slow: each is looked up once. Same thread for all calls.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "flow/traced/trace_reader.h"
#include "model/explanation.h"
#include "symbols/backtrace.h"

namespace gordian {

class TraceSites {
 public:
  static Result<TraceSites> open(pid_t pid);

  /// The whole address of a return address of which only the lower half is known.
  std::uint64_t whole(std::uint32_t pc) const;
  /// Without the name of the test. `calls`: as TraceReader tells them.
  Site site(std::uint64_t pc, std::span<const std::uint32_t> calls);
  /// Whether this was done for the program itself: its code stands nearer than the framework's.
  bool is_programs(std::uint64_t pc, std::span<const std::uint32_t> calls);

 private:
  struct Code {
    std::uint64_t begin, end;
  };
  struct Place {
    std::vector<StackFrame> frames;  ///< inlined ones first
    std::optional<bool> of_program;  ///< nullopt: of a library, which works for its caller
  };
  explicit TraceSites(ProcessStacks stacks) : stacks_(std::move(stacks)) {}
  const Place& place(std::uint64_t pc);

  ProcessStacks stacks_;
  std::vector<Code> code_;
  std::map<std::uint64_t, Place> places_;
};

}  // namespace gordian
