// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names for the addresses of a trace, taken while the process stands still: by variable and member,
// by the way to an object on the heap, or, where nothing leads there, by where it was allocated.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "flow/traced/memory_names.h"
#include "flow/traced/trace_reader.h"
#include "model/explanation.h"
#include "runtime/native/held_process.h"
#include "state/heap_blocks.h"
#include "state/process_image.h"
#include "symbols/backtrace.h"

namespace gordian {

/// Program counters of a trace as lines of source. Opened while the process is there, usable when
/// it has gone. Looking an address up is slow: each is looked up once. Same thread for all calls.
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

/// Bytes that a test read or wrote.
struct TracedBytes {
  std::uint64_t address = 0, size = 0;
  std::uint32_t block_pc = 0, block_node = 0;  ///< as in the trace
  bool heap = false;     ///< in a block: one of the heap, or memory that the program has mapped
  bool mapping = false;  ///< the latter
};

class TraceNaming {
 public:
  explicit TraceNaming(std::optional<std::filesystem::path> cache) : program_(std::move(cache)) {}

  /// Learns where things are. Needed once for each program start, and again when a library was
  /// loaded since; `executable`: absolute path.
  Status load(HeldProcess& held, const std::string& executable);
  bool loaded() const { return sites_.has_value(); }

  /// Looks at the memory of a process of this program that stands still, to name `bytes`.
  void look(pid_t pid, std::span<const TracedBytes> bytes, const TraceReader& trace);
  /// As far as it can be told without looking: only variables.
  void look_away();

  struct Piece {
    ByteRange range;
    std::optional<SharedState> state;  ///< nullopt: the framework's or a library's
  };
  /// REQUIRES: look() or look_away(). All of `bytes`, in order.
  std::vector<Piece> pieces(const TracedBytes& bytes, const TraceReader& trace);

  Site site(std::uint64_t pc, std::uint32_t node, const TraceReader& trace);
  Site site(std::uint32_t pc, std::uint32_t node, const TraceReader& trace) {
    return site(sites_->whole(pc), node, trace);
  }
  std::vector<std::string> notes() const { return program_.notes(); }

 private:
  bool is_programs(const TracedBytes& bytes, const TraceReader& trace);
  SharedState by_allocation(const TracedBytes& bytes, const TraceReader& trace);

  /// What MemoryNames stands on, for one look.
  struct Moment {
    explicit Moment(pid_t pid) : image(pid) {}
    ProcessImage image;
    std::vector<Mapping> mappings;
    HeapBlocks heap;
    std::optional<MemoryNames> names;
  };

  ProgramMemory program_;
  std::optional<TraceSites> sites_;
  std::unique_ptr<Moment> moment_;
};

}  // namespace gordian
