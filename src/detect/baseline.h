// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The expected results: the default order, repeated. What is nondeterministic there is set aside
// first.
#pragma once

#include <vector>

#include "base/result.h"
#include "detect/knowledge.h"
#include "detect/lab.h"
#include "model/dependence.h"

namespace gordian {

/// The results of one order, repeated: which is the usual one, and how often it was another.
/// REQUIRES: outcomes is not empty. `differ` is 0 when all are the same. `order` as in
/// NondeterministicTest: empty for the default order.
NondeterministicTest describe_nondeterministic(TestId test, const Order& order,
                                               const std::vector<Outcome>& outcomes);

/// The same for a test that was stable in forks: results in fresh processes, after others and
/// alone. REQUIRES: not both are empty.
NondeterministicTest describe_nondeterministic_in_fresh(TestId test, const Order& order,
                                                        const std::vector<Outcome>& after,
                                                        const std::vector<Outcome>& alone);

/// Runs the default order `repeats` times. A test that ends the process has that as its expected
/// result; the tests after it get theirs from the default order without it. Tests whose results
/// differ between repeats, or that could not be run, go into `facts`.
Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts);

}  // namespace gordian
