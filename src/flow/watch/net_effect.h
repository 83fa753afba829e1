// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test left changed: the state at two moments, compared by meaning. What the framework, the
// allocator and the linker keep for themselves is no effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flow/watch/state_moment.h"
#include "model/data_flow.h"
#include "state/external_state.h"
#include "state/program_memory.h"
#include "state/range_set.h"

namespace gordian {

/// One piece of state that is another than before.
struct NetChange {
  SharedState what;
  /// In memory: what somebody has to read to notice it, in the later image and, one for one, in the
  /// earlier. Empty: not in memory.
  std::vector<ByteRange> words, old_words;
  /// There are more words than were taken.
  bool partial = false;
  /// Each word is one value: whoever writes it, writes all of it.
  bool scalar = false;
  bool first_use = false;  ///< of a local static, see StateChange
  std::uint64_t root = 0;  ///< address of the variable that it belongs to
  bool library = false;    ///< of a library that we know no variables of
  bool on_heap = false;
  std::string value;   ///< the new one, as text
  StateEvents events;  ///< not in memory: the calls that have to do with it
};

struct NetEffect {
  std::vector<NetChange> changes;  ///< the likeliest suspects first
  std::string unsure;              ///< why there may be more; empty: there is not
};

class EffectReader {
 public:
  /// Most words of one state that are worth a watchpoint.
  static constexpr std::size_t kMostWords = 24;

  explicit EffectReader(ProgramMemory& program) : program_(program) {}

  /// REQUIRES: `program` has loaded `held`, which is at `after`.
  NetEffect compare(const HeldProcess& held, const StateMoment& before, const StateMoment& after);
  /// Likewise, where `changed` tells which bytes of memory differ, and `before` is the `after` of
  /// the call before: a walk over all variables is saved when none of what they reach has changed.
  NetEffect compare_on(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                       const RangeSet& changed);
  std::size_t walks() const { return walks_; }

 private:
  NetEffect compare(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                    const RangeSet& changed, bool walk);
  void add_memory(const StateMoment& before, const StateMoment& after, const RangeSet& changed,
                  NetEffect& to);
  void reach(const StateMoment& moment);
  void add_library(const RangeSet& changed, const StateMoment& before, NetEffect& to);
  void add_external(const HeldProcess& held, const StateMoment& before, const StateMoment& after,
                    NetEffect& to);

  ProgramMemory& program_;
  std::optional<ByteRange> allocator_;
  bool allocator_looked_for_ = false;
  std::vector<LiveVariable> variables_;  ///< without the framework's bookkeeping
  std::optional<RangeSet> reached_;      ///< by variables_, at the last compare_on()
  std::size_t walks_ = 0;
};

/// The words of a changed object that its readers cannot go past. For a single value that is the
/// value. For a container it is every word of the object itself, those that changed first: elements
/// are only reached through its pointers or its size, whether these changed or not.
void choose_words(const StateChange& change, std::size_t most, NetChange& to);

}  // namespace gordian
