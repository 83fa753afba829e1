// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Orders that cannot show anything new, told from what each test reads and writes when it runs
// alone. Pure.
//
// Let R(t) be what t, alone from the first state S, reads before it writes it, and W(t) what it
// leaves changed. A test does what it does alone from any state that agrees with S on R(t): step by
// step it reads the same values. It then writes the same values to the same places; places that
// it wrote and that are not in W(t) hold what they hold in S. Hence:
//
// (1) If no test of a prefix reads what an earlier one of it leaves changed (the prefix is
//     *quiet*), each did what it does alone, and the state behind it differs from S at most in the
//     union of their W: every place holds its value of S or one that some W accounts for.
// (2) Behind a quiet prefix, a test t whose R(t) meets none of those W does what it does alone.
//     The order is needless: the run of t alone shows the same.
// (3) A first test with an empty W leaves S itself: the order without it shows the same. (Only the
//     first: in the middle, a test with an empty W may put back what others have changed.)
//
// A collector need tell only reads of what some test alone leaves changed: (2) asks for no more. So
// nothing follows from an empty R: behind a prefix that is not quiet, other places may have
// changed.
//
// k = 2: {a, t} is needless if W(a) and R(t) do not meet; {a} is always quiet.
// k = 3: {a, b, t} is needless if a does not affect b, and neither a nor b affects t. Not if a
//     affects b: what b then writes is not known. Not if a affects nobody but b affects t: what t
//     then reads is not known, and a may have written it. So the order without a is no substitute.
// What ends its process alone does so behind a quiet prefix, too; the source knows such tests.
//
// A test that is unsure has every place in R and in W. All of this is as sound as the collection is
// complete: see is_sound().
#pragma once

#include <vector>

#include "model/data_flow.h"

namespace gordian {

class Needless {
 public:
  /// REQUIRES: alone.alone. Of tests that are not in the flow nothing is needless. `tests`: of the
  /// suite.
  Needless(const DataFlow& alone, std::size_t tests);

  /// Its last test shows nothing that a shorter order, or the test alone, does not show. REQUIRES:
  /// not empty, no test twice.
  bool needless(const Order& order) const;

  /// Nothing can have been missed, so what is needless is proved to be.
  bool is_sound() const { return sound_; }

 private:
  bool is_quiet(const Order& order, std::size_t length) const;

  Influence influence_;
  std::vector<bool> writes_nothing_;
  bool sound_;
};

}  // namespace gordian
