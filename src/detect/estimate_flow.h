// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the search by data flow takes, at most, from the data dependences of its order.
#pragma once

#include <memory>

#include "detect/order_source.h"
#include "model/data_flow.h"

namespace gordian {

/// Two orders for each data dependence, as long as they are while none was found to be harmless,
/// and one for each of the other writers; nothing is offered, but orders can be drawn.
std::unique_ptr<OrderSource> dataflow_source(const DataFlow& flow);

}  // namespace gordian
