// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The growth curve of an order, from what its tests cover. Pure.
#pragma once

#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

GrowthCurve growth_curve(const CoverTable& table, const Order& order);

}  // namespace gordian
