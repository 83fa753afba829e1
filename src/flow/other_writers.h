// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test could read, and does not in the reference order: values of states that it reads, left
// by tests that stand behind it, or before the one that wrote last. Breaking dependences shows
// nothing of these, as when a cleaner stands between a polluter and its victim. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "flow/flow_graph.h"

namespace gordian {

struct OtherWriter {
  Place reader, writer;
  auto operator<=>(const OtherWriter&) const = default;
};

/// By reader. Where variables are not known by type, many of them are one state: hence not only the
/// next few. For each state that it reads, of the tests that leave it changed, the `near` nearest
/// behind the reader and before the one that it reads from; each pair once, and none that is a
/// dependence of `flow`. REQUIRES: the flow is one of an order in which no test stands twice.
std::vector<OtherWriter> other_writers(const DataFlow& flow, std::size_t near = 16);

/// All that reader or writer need, as in the reference order, then the writer, then the reader.
std::vector<Place> order_of(const FlowGraph& graph, const OtherWriter& pair);

}  // namespace gordian
