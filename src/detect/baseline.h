// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The expected results: the default order, repeated. What wavers there is set aside first.
#pragma once

#include "base/result.h"
#include "detect/knowledge.h"
#include "detect/lab.h"
#include "model/dependence.h"

namespace gordian {

/// Runs the default order `repeats` times. A test that ends the process has that as its expected
/// result; the tests after it get theirs from the default order without it. Tests whose results
/// differ between repeats, or that could not be run, go into `facts`.
Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts);

}  // namespace gordian
