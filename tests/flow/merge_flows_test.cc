// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <gtest/gtest.h>

#include "flow/flow_builder.h"

namespace gordian {
namespace {

constexpr TestId kFirst(3), kSecond(1), kThird(2);

/// Of three tests; the first wrote what the second or the third reads.
DataFlow flow_of(std::string name, TestId reader, std::string unsure) {
  FlowBuilder builder(FlowSource::watch, false);
  const StateId state = builder.state({{CarrierKind::variable, name}, "", "", 0});
  for (TestId test : {kFirst, kSecond, kThird}) {
    builder.begin(test);
    if (test == kFirst) builder.wrote(state);
    if (test == reader) builder.read(state);
  }
  builder.unsure(std::move(unsure));
  builder.misses("what is in no list");
  return builder.take();
}

TEST(MergeFlows, KeepsBothSetsOfStates) {
  DataFlow flow = flow_of("a", kThird, "");
  DataFlow other = flow_of("b", kSecond, "it crashed");
  other.passes = 2;
  merge_into(flow, other);
  ASSERT_EQ(flow.states.size(), 2u);
  EXPECT_EQ(flow.state(StateId(1)).key.text(), "b");
  EXPECT_EQ(flow.tests[0].writes, (std::vector{StateId(0), StateId(1)}));
  EXPECT_EQ(flow.tests[1].reads, (std::vector{StateId(1)}));
  EXPECT_EQ(flow.tests[2].unsure, "it crashed");
  EXPECT_EQ(flow.passes, 2u);
  EXPECT_EQ(flow.misses.size(), 2u);
}

TEST(MergeFlows, DependencesStayInTheOrderOfTheTests) {
  DataFlow flow = flow_of("a", kThird, "");
  merge_into(flow, flow_of("b", kSecond, ""));
  ASSERT_EQ(flow.dependences.size(), 2u);
  EXPECT_EQ(flow.dependences[0].reader, kSecond);
  EXPECT_EQ(flow.dependences[1].reader, kThird);
  EXPECT_EQ(flow.dependences[1].states, (std::vector{StateId(0)}));
}

TEST(MergeFlows, ADependenceThatBothKnowIsOne) {
  DataFlow flow = flow_of("a", kThird, "");
  merge_into(flow, flow_of("b", kThird, ""));
  ASSERT_EQ(flow.dependences.size(), 1u);
  EXPECT_EQ(flow.dependences[0].states, (std::vector{StateId(0), StateId(1)}));
}

}  // namespace
}  // namespace gordian
