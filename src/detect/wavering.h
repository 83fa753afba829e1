// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The results of one order, repeated: which is the usual one, and how often it was another.
#pragma once

#include <vector>

#include "model/dependence.h"

namespace gordian {

/// REQUIRES: outcomes is not empty. `differ` is 0 when all are the same. `order` as in
/// NondeterministicTest: empty for the default order.
NondeterministicTest describe_wavering(TestId test, const Order& order,
                                       const std::vector<Outcome>& outcomes);

/// The same for a test that was stable in forks: results in fresh processes, after others and
/// alone. REQUIRES: not both are empty.
NondeterministicTest describe_wavering_in_fresh(TestId test, const Order& order,
                                                const std::vector<Outcome>& after,
                                                const std::vector<Outcome>& alone);

}  // namespace gordian
