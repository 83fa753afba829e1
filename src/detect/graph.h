// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian graph` as a library call: the data dependences of a binary, from the database or
// collected now, with what searches have found out about them.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "detect/detect.h"
#include "detect/remembered_flow.h"
#include "model/data_flow.h"

namespace gordian {

/// Of `request`: target, filter, also_disabled, engine, flow_source, both_ways, ignore, flows,
/// collector, and `full` (collect again).
Result<GraphFacts> collect_graph(const DetectRequest& request,
                                 const std::function<void(const CollectProgress&)>& progress);

/// How the flow of an opened target is remembered.
FlowMemory flow_memory(const DetectRequest& request, const DetectFacts& facts,
                       std::string libraries);
/// request.collector, or the one for the target where none is given.
OpenCollector collector_for(const DetectRequest& request, const OpenTarget& open);

}  // namespace gordian
