// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The shortest list of predecessors that still gives a test a certain result: delta debugging with
// many candidates at a time, each a fork of the same snapshot.
#pragma once

#include "base/result.h"
#include "detect/lab.h"
#include "model/outcome.h"

namespace gordian {

/// A subsequence of `before` after which `test` has the result `wanted`, 1-minimal: no single
/// member can be left out. Several members needed together are kept together. A candidate whose
/// process ends before `test` tells nothing, and counts as not giving the result. nullopt when not
/// even all of `before` gives it (any more), or when the search is to stop.
Result<std::optional<Order>> minimise(Lab& lab, const Order& before, TestId test,
                                      const Outcome& wanted);

}  // namespace gordian
