// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/flow_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/flow_builder.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Tests in a row: 'r' reads the one state, 'w' leaves it changed, 'b' does both, '-' neither.
DataFlow flow_of(std::string_view tests) {
  FlowBuilder builder(FlowSource::watch, false);
  const StateId state = builder.state({{CarrierKind::variable, "g_state"}, "", "", 0});
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    builder.begin(TestId(i));
    if (tests[i] == 'r' || tests[i] == 'b') builder.read(state);
    if (tests[i] == 'w' || tests[i] == 'b') builder.wrote(state);
  }
  return builder.take();
}

TEST(OtherWriters, AWriterBehindTheReader) {
  EXPECT_THAT(other_writers(flow_of("r-w")), ElementsAre(OtherWriter{0, 2}));
}

TEST(OtherWriters, APolluterBeforeItsCleaner) {
  EXPECT_THAT(other_writers(flow_of("wwr")), ElementsAre(OtherWriter{2, 0}));
}

TEST(OtherWriters, WhatIsADependenceIsNoneOfThem) {
  EXPECT_THAT(other_writers(flow_of("wr")), IsEmpty());
}

TEST(OtherWriters, TheNearestOnly) {
  EXPECT_THAT(
      other_writers(flow_of("wwwwrwww"), 2),
      ElementsAre(OtherWriter{4, 1}, OtherWriter{4, 2}, OtherWriter{4, 5}, OtherWriter{4, 6}));
}

TEST(OtherWriters, ATestIsNoWriterForItself) {
  EXPECT_THAT(other_writers(flow_of("b")), IsEmpty());
  EXPECT_THAT(other_writers(flow_of("wb")), IsEmpty());
}

TEST(OtherWriters, AnOrderHoldsWhatBothNeed) {
  const FlowGraph graph(6, {{2, 0}, {4, 1}});
  EXPECT_THAT(order_of(graph, {2, 4}), ElementsAre(0, 1, 4, 2));
  EXPECT_THAT(order_of(graph, {4, 2}), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(order_of(graph, {3, 5}), ElementsAre(5, 3));
}

}  // namespace
}  // namespace gordian
