// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Constraints read word by word: for each run of a test the whole past of its process is looked at.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "order/constraints.h"

namespace gordian::rank_test {

/// Whether `sequence` has run in `past` up to its end, with nothing behind that undoes it. Of an
/// avoided one the parts may stand far apart; a needed one must not be undone halfway either.
inline bool slow_there(const Constraint::Sequence& sequence, Constraint::Kind kind,
                       const Order& past) {
  const bool needed = kind == Constraint::Kind::needs;
  for (std::size_t end = past.size(); end-- > 0;) {
    if (past[end] == sequence.tests.back()) {
      // Backwards from here: is all of it before?
      std::size_t missing = sequence.tests.size() - 1;
      bool undone = false;
      for (std::size_t i = end; i-- > 0 && missing > 0 && !undone;) {
        if (past[i] == sequence.tests[missing - 1]) {
          --missing;
        } else {
          undone = needed && sequence.undone_by_test(past[i]);
        }
      }
      if (missing == 0) return true;
    }
    if (sequence.undone_by_test(past[end])) return false;
  }
  return false;
}

inline bool slow_kept(const Constraint& constraint, const Order& past) {
  const auto& list = constraint.sequences;
  const bool any = std::any_of(list.begin(), list.end(), [&](const Constraint::Sequence& s) {
    return s.tests.empty() || slow_there(s, constraint.kind, past);
  });
  return any == (constraint.kind == Constraint::Kind::needs);
}

/// Empty when the schedule is as promised: each test once, extras only besides, every constraint
/// of a test kept where it runs, unless the test is reported as impossible.
inline std::string fault_of(const Schedule& schedule, const Constraints& constraints,
                            const Order& tests) {
  std::map<TestId, int> runs;
  for (TestId test : tests) runs[test] = 0;
  for (const ProcessOrder& process : schedule.processes) {
    if (process.order.size() != process.extra.size()) return "extras do not fit";
    Order past;
    for (std::size_t i = 0; i < process.order.size(); ++i) {
      const TestId test = process.order[i];
      const bool impossible = std::any_of(schedule.impossible.begin(), schedule.impossible.end(),
                                          [test](const KeptOut& out) { return out.test == test; });
      if (!process.extra[i]) ++runs[test];
      for (std::size_t c : constraints.of(test)) {
        if (process.extra[i] || impossible || slow_kept(constraints.all()[c], past)) continue;
        return "test " + std::to_string(test.value()) + " breaks constraint " + std::to_string(c);
      }
      past.push_back(test);
    }
  }
  for (const auto& [test, count] : runs) {
    if (count != 1)
      return "test " + std::to_string(test.value()) + " runs " + std::to_string(count);
  }
  return runs.size() == tests.size() ? "" : "a test that nobody asked for";
}

}  // namespace gordian::rank_test
