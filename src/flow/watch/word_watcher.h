// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The watched words of one test, see watch_pass.h.
#pragma once

#include <vector>

#include "flow/watch/watch_pass.h"
#include "runtime/native/tracer.h"

namespace gordian {

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

}  // namespace gordian
