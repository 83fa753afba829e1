// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Turns the traces of processes into a DataFlow, test by test, while the processes stand still.
// Addresses of a trace get names: by variable and member, by the way to an object on the heap, or,
// where nothing leads there, by where it was allocated.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "flow/flow_builder.h"
#include "flow/traced/memory_names.h"
#include "model/data_flow.h"
#include "model/explanation.h"
#include "model/run.h"
#include "runtime/native/held_process.h"
#include "state/heap_blocks.h"
#include "state/process_image.h"
#include "symbols/backtrace.h"
#include "wire/trace_file.h"

namespace gordian {

// Reads the file of one traced process (wire/trace_file.h), also while it is still being written:
// at each moment at which the process is held, the blocks of the tests so far are complete. The
// file is not trusted: every number is checked before it is used.

/// What one test did.
struct TestTrace {
  std::int32_t test = 0;
  std::uint32_t position = 0;
  bool lost = false;  ///< there was more than the runtime had room for
  std::vector<gordian_wire::TraceRead> reads;
  std::vector<gordian_wire::TraceWrite> writes;
  struct Variable : gordian_wire::TraceVariable {
    std::string name;
  };
  std::vector<Variable> variables;
};

class TraceReader {
 public:
  /// An error says what the file is instead: none of ours, of another version of Gordian, or of
  /// another build of the program. `build_id`: of the program, in hexadecimal; empty: it has none.
  static Result<TraceReader> open(const std::filesystem::path& path, const std::string& build_id);

  /// The next test that is complete; nullopt: there is none (yet). A file that breaks off in the
  /// middle of a test, or that cannot be true, is an error.
  Result<std::optional<TestTrace>> next();
  /// The process came to the end of its tests.
  bool ended() const { return ended_; }
  /// How many sources that were compiled to be traced the process had loaded at the end of the last
  /// test that was read, or else at its start.
  std::uint32_t modules() const { return modules_; }

  /// The lower halves of return addresses from a node to the root, innermost first.
  std::vector<std::uint32_t> calls(std::uint32_t node) const;

 private:
  TraceReader(std::filesystem::path path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  Status check_header(const std::string& build_id);
  Result<std::string> bytes(std::uint64_t size);
  Result<TestTrace> take_test(const gordian_wire::TraceBlock& block);
  Status take_variables(const gordian_wire::TraceBlock& block, std::string_view bytes,
                        TestTrace& test) const;
  Error damaged(const std::string& how) const;

  std::filesystem::path path_;
  UniqueFd fd_;
  std::uint64_t at_ = 0;
  std::uint32_t tests_ = 0;
  bool ended_ = false;
  std::uint32_t modules_ = 0;
  std::vector<gordian_wire::TraceNode> nodes_ = std::vector<gordian_wire::TraceNode>(2);
};

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

/// Which test wrote the bytes of memory last, and what they were called then. Later writes replace
/// what was there.
class WriteMap {
 public:
  struct Write {
    std::size_t position = 0;
    std::optional<StateId> state;  ///< nullopt: not the program's own
  };

  void assign(std::uint64_t begin, std::uint64_t end, Write write) {
    if (begin >= end) return;
    cut(begin);
    cut(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_.emplace(begin, Piece{end, write});
  }

  const Write* find(std::uint64_t address) const {
    auto after = pieces_.upper_bound(address);
    if (after == pieces_.begin()) return nullptr;
    const Piece& piece = std::prev(after)->second;
    return address < piece.end ? &piece.write : nullptr;
  }

 private:
  struct Piece {
    std::uint64_t end;
    Write write;
  };
  /// No piece goes over `at`.
  void cut(std::uint64_t at) {
    auto after = pieces_.lower_bound(at);
    if (after == pieces_.begin()) return;
    Piece& piece = std::prev(after)->second;
    if (piece.end <= at) return;
    const Piece rest = piece;
    piece.end = at;
    pieces_.emplace(at, rest);
  }

  std::map<std::uint64_t, Piece> pieces_;  ///< by begin
};

class TraceSession {
 public:
  struct Program {
    std::string executable;  ///< absolute
    std::string build_id;
    std::filesystem::path directory;             ///< of its traces
    std::optional<std::filesystem::path> cache;  ///< for debug information
  };
  /// REQUIRES: `suite` outlives this object.
  TraceSession(Program program, const Suite& suite, bool alone);

  /// At each stop of a process: takes what its tests have told so far.
  Status at_hold(HeldProcess& held);
  /// The process has come to its end. What it did not tell of is unsure.
  Status end_process(const OrderRun& run);

  /// Some code that runs is compiled to be traced, or may be: no test was told of.
  bool is_traced() const { return traced_ || tests_.empty(); }

  DataFlow take(std::chrono::steady_clock::time_point began);

 private:
  Status take_blocks(HeldProcess* held);
  Status load(HeldProcess& held);
  void take_in_order(const TestTrace& test, pid_t pid);
  void take_alone(const TestTrace& test, pid_t pid, pid_t before);
  void take_variables(const TestTrace& test);
  StateId variable_state(const std::string& name);
  void look(pid_t pid, std::span<const TracedBytes> bytes);
  std::optional<StateId> state_of(const TracedBytes& bytes);
  void read_from(const gordian_wire::TraceRead& read, std::optional<StateId> state);
  Site site_of(std::size_t position, Site site) const;

  Program program_;
  const Suite& suite_;
  bool alone_;
  TraceNaming naming_;
  std::optional<TraceReader> reader_;  ///< of the process at hand
  pid_t reading_ = -1;                 ///< whose trace that is
  std::uint32_t modules_ = 0;          ///< traced ones that `naming_` knows
  bool traced_ = false;                ///< there were some
  FlowBuilder builder_;
  WriteMap writes_;
  Order tests_;                 ///< told to the builder so far
  std::size_t in_process_ = 0;  ///< of these, of the process at hand
  std::map<std::size_t, std::string> unsure_;
  std::map<std::string, StateId> variables_;   ///< of the environment, that some test has written
  std::vector<std::size_t> read_environment_;  ///< positions of tests that may read all of it
};

}  // namespace gordian
