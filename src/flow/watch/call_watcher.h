// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The caught calls of one pass, see watch_pass.h.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "flow/watch/watch_pass.h"
#include "runtime/native/tracer.h"

namespace gordian {

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
