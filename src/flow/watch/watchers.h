// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a pass (watch_pass.h) makes of the stops of a traced process.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "flow/watch/watch_pass.h"
#include "runtime/native/tracer.h"

namespace gordian {

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
