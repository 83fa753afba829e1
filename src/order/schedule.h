// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Orders that keep to constraints by construction: a ranking says which test is wanted next, and
// what has to run before it runs before it. That are the tests that it would spoil, the ones that
// it needs, and one that undoes what would hurt it. A test is placed only where its own constraints
// are kept, so every result is as expected as far as is known.
//
// Where demands contradict each other, a test waits for another process: a schedule is one order
// for each of them. A test that runs in a process only because others need it there, though its own
// result was or will be had elsewhere, is extra. A test that no process could serve gets one of its
// own, and is reported. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "model/rank_facts.h"
#include "model/test.h"
#include "order/constraints.h"
#include "order/ranking.h"

namespace gordian {

/// A test and the constraint (its place in Constraints::all()) that kept it out.
struct KeptOut {
  TestId test;
  std::size_t constraint = 0;
};

struct Schedule {
  std::vector<ProcessOrder> processes;
  std::vector<KeptOut> moved;       ///< out of the first process
  std::vector<KeptOut> impossible;  ///< no process could serve them; each stands alone in one

  Order joined() const { return gordian::joined(processes); }
  std::size_t extras() const { return count_extras(processes); }
};

struct ScheduleRequest {
  const Constraints& constraints;
  Order tests;    ///< each is placed once
  Order helpers;  ///< may be run besides, if a test needs them
};

/// REQUIRES: `ranking` ranks exactly `tests`.
Schedule make_schedule(const ScheduleRequest& request, Ranking& ranking);

}  // namespace gordian
