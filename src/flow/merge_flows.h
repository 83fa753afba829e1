// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One data flow out of two that were collected over the same tests, each for another kind of state.
#pragma once

#include "model/data_flow.h"

namespace gordian {

/// Sites stay those of `flow` where both know a dependence. REQUIRES: the same order, and alone or
/// not alone both; no state is in both.
void merge_into(DataFlow& flow, const DataFlow& other);

}  // namespace gordian
