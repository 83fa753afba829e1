// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which tests are enough to cover what all of them cover: the heuristic of Harrold, Gupta and Soffa
// (1993). Units that few tests cover are served first: those that only one test covers decide by
// themselves; then, among units that c tests cover, the test that covers most of them is taken.
// Among equals the next larger c decides, and so on; at last the earlier test. Pure.
#pragma once

#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

/// A part of `tests` in the same order, with the same coverage in `table`.
Order reduce_suite(const CoverTable& table, const Order& tests);

}  // namespace gordian
