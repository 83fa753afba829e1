// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs tests once with some words watched and some calls caught, and tells which test read what.
// The tests are those of one order, or each by itself: a *position* numbers them. A process waits
// before each test; there the words for that test are set. A read counts unless the test itself had
// written the word before; one read is enough, so that a word is let go for the rest of a test as
// soon as nothing more can be learnt from it. Accesses of our agent are nobody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/native/executor.h"
#include "runtime/native/tracer.h"
#include "state/external/external_state.h"
#include "state/range_set.h"

namespace gordian {

/// Names of code addresses, remembered over all processes of a program that is always loaded at the
/// same place: looking one up costs more than the hit itself.
class StackCache {
 public:
  /// As Tracer::describe().
  std::vector<StackFrame> describe(Tracer& tracer, std::span<const FrameAddress> addresses);

 private:
  std::unordered_map<std::uint64_t, std::vector<StackFrame>> known_;
};

// Which words are watched in which pass, and during which tests. The processor watches four at a
// time, and they can be others for each test: words whose states live at different times share a
// pass. Pure.

/// A word that stands for some states while the tests [from, to) run.
struct WordWatch {
  Watch watch;
  std::vector<std::size_t> states;
  std::size_t from = 0, to = 0;
  bool settles =
      false;  ///< a write replaces all of it: what is read afterwards is the writer's own
  bool outside_libc = false;  ///< accesses by the C library itself do not count
};

struct WatchPlan {
  std::vector<std::vector<WordWatch>> passes;
  std::vector<std::size_t> left_out;  ///< states of which a word did not fit; ascending, each once
};

/// A range in the pieces that the processor can watch.
std::vector<Watch> watches_for(ByteRange range);

/// The first words matter most. Words that are the same, for tests that overlap, become one.
/// `positions`: number of tests.
WatchPlan plan_watches(std::span<const WordWatch> words, std::size_t positions,
                       std::size_t most_passes);

/// Calls that have to do with a state that is not in memory.
struct CallWatch {
  std::size_t state = 0;
  CarrierKind kind = CarrierKind::process;
  StateEvents events;
  std::size_t from = 0, to = 0;
};

struct PassRequest {
  std::vector<WordWatch> words;
  std::vector<CallWatch> calls;
  bool unseen_calls = false;
  bool sites = false;     ///< stacks of first reads and of last writes
  bool cautious = false;  ///< what was hit too often to be decided counts as read
  KernelAccess kernel = KernelAccess::ignored;
  /// Who leaves what changed: only of these the last write is looked for.
  std::function<bool(std::size_t position, std::size_t state)> is_writer =
      [](std::size_t, std::size_t) { return false; };
  StackCache* stacks = nullptr;  ///< REQUIRED
};

struct PositionReads {
  std::map<std::size_t, std::optional<Site>> reads;  ///< by state
  std::map<std::size_t, Site> writes;                ///< the last one, where it was looked for
  bool seen_to_end = false;                          ///< nothing that it read was missed
  bool started_process = false;
  bool unseen_call = false;  ///< its effect cannot be compared
};

/// Where functions begin; see ProgramMemory::function_named.
using FunctionNamed = std::function<std::optional<std::uint64_t>(std::string_view)>;

struct PassSettings {
  FunctionNamed function_named;
  std::chrono::nanoseconds patience{0};  ///< for one test; 0 = none
  std::function<bool()> should_stop = [] { return false; };
  std::function<void()> test_done = [] {};
};

/// `orders`: one of many tests, or many of one test each.
Result<std::vector<PositionReads>> run_pass(Executor& executor, std::span<const Order> orders,
                                            const PassRequest& request,
                                            const PassSettings& settings);

// What a pass makes of the stops of a traced process.

/// The watched words of one test.
class WordWatcher {
 public:
  /// REQUIRES: the process stands still.
  WordWatcher(Tracer& tracer, const PassRequest& request, std::size_t position,
              PositionReads& result);

  Status arm();
  Status on_event(const TraceEvent& event);
  /// Tells the last writes.
  void finish();

 private:
  struct Word {
    const WordWatch* word = nullptr;
    bool reads_wanted = true;  ///< no decision yet
    bool writes_wanted = false;
    int hits = 0;  ///< that told nothing
    std::uint64_t writes = 0;
    std::vector<FrameAddress> last_write;
  };
  bool is_agents(const TraceEvent& event, std::vector<StackFrame>& stack);
  void give_up_if_idle(Word& word);
  void on_read(Word& word, const TraceEvent& event);
  void on_write(Word& word, const TraceEvent& event);

  Tracer& tracer_;
  const PassRequest& request_;
  PositionReads& result_;
  std::vector<Word> words_;
  std::vector<std::size_t> armed_;  ///< by index of the watch: which word
};

/// The caught calls of one pass.
class CallWatcher {
 public:
  CallWatcher(const PassRequest& request, const PassSettings& settings);

  /// Another process: it has none of our breakpoints.
  void begin_process() { set_functions_.clear(); }
  /// REQUIRES: the process stands still.
  Status begin_test(Tracer& tracer, std::size_t position);
  Status on_event(Tracer& tracer, const TraceEvent& event, PositionReads& result);

 private:
  struct Open {
    const CallWatch* call = nullptr;
    bool decided = false;
  };
  Status set_functions(Tracer& tracer);
  bool names(const TraceEvent& event, const std::vector<std::string>& functions,
             const std::vector<long>& calls) const;
  void note_unseen(Tracer& tracer, const TraceEvent& event, PositionReads& result);
  void judge(Tracer& tracer, const TraceEvent& event, Open& open, PositionReads& result);

  const PassRequest& request_;
  std::map<std::string, std::uint64_t> entries_;  ///< of functions
  std::map<std::uint64_t, std::string> functions_;
  std::vector<Open> open_;
  std::map<std::uint64_t, int> hits_;      ///< of functions, by the test at hand
  std::set<std::uint64_t> set_functions_;  ///< breakpoints in place
};

}  // namespace gordian
