// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/flow_builder.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TestId test(std::uint32_t number) {
  return TestId(number);
}

SharedState variable(std::string name) {
  return {{CarrierKind::variable, name}, {}, {}, 0};
}

Site site(int line) {
  Site result;
  result.stack.resize(1);
  result.stack[0].line = line;
  return result;
}

TEST(FlowBuilder, AReaderDependsOnTheLastWriter) {
  FlowBuilder builder(FlowSource::watch, false);
  StateId state = builder.state(variable("g"));
  builder.begin(test(4));
  builder.wrote(state, site(1));
  builder.begin(test(7));
  builder.wrote(state, site(2));
  builder.wrote(state, site(3));
  builder.begin(test(2));
  builder.read(state, site(4));
  builder.read(state, site(5));
  DataFlow flow = builder.take();
  ASSERT_EQ(flow.dependences.size(), 1u);
  EXPECT_EQ(flow.dependences[0].reader, test(2));
  EXPECT_EQ(flow.dependences[0].writer, test(7));
  EXPECT_EQ(flow.dependences[0].write->stack[0].line, 3);
  EXPECT_EQ(flow.dependences[0].read->stack[0].line, 4);
}

TEST(FlowBuilder, WhatATestReadsAndWritesDependsOnTheOneBefore) {
  FlowBuilder builder(FlowSource::watch, false);
  StateId state = builder.state(variable("counter"));
  for (std::uint32_t i = 0; i < 3; ++i) {
    builder.begin(test(i));
    builder.wrote(state);  // told first; the read came before it all the same
    builder.read(state);
  }
  DataFlow flow = builder.take();
  ASSERT_EQ(flow.dependences.size(), 2u);
  EXPECT_EQ(flow.dependences[0].writer, test(0));
  EXPECT_EQ(flow.dependences[1].writer, test(1));
}

TEST(FlowBuilder, AReadOfKnownOriginIsOfThatWriterAndNoOther) {
  FlowBuilder builder(FlowSource::trace, false);
  StateId state = builder.state(variable("list"));
  builder.begin(test(0));
  builder.wrote(state);
  builder.begin(test(1));
  builder.wrote(state);  // another part of it
  builder.begin(test(2));
  builder.read_from(state, 0, site(1), site(2));
  builder.begin(test(3));
  builder.read_from(state, std::nullopt);
  DataFlow flow = builder.take();
  ASSERT_EQ(flow.dependences.size(), 1u);
  EXPECT_EQ(flow.dependences[0].reader, test(2));
  EXPECT_EQ(flow.dependences[0].writer, test(0));
  EXPECT_EQ(flow.dependences[0].write->stack[0].line, 1);
  EXPECT_EQ(flow.dependences[0].read->stack[0].line, 2);
  EXPECT_EQ(flow.tests[3].reads.size(), 1u);
}

TEST(FlowBuilder, OneDependenceForEachWriterByItsPosition) {
  FlowBuilder builder(FlowSource::trace, false);
  StateId a = builder.state(variable("a")), b = builder.state(variable("b")),
          c = builder.state(variable("c"));
  builder.begin(test(9));
  builder.wrote(b);
  builder.begin(test(1));
  builder.wrote(a);
  builder.wrote(c);
  builder.begin(test(5));
  builder.read(a);
  builder.read(b);
  builder.read(c);
  DataFlow flow = builder.take();
  ASSERT_EQ(flow.dependences.size(), 2u);
  EXPECT_EQ(flow.dependences[0].writer, test(9));
  EXPECT_EQ(flow.dependences[1].writer, test(1));
  EXPECT_EQ(flow.dependences[1].states, (std::vector{a, c}));
}

TEST(FlowBuilder, StateIsKnownByKindAndName) {
  FlowBuilder builder(FlowSource::watch, false);
  StateId first = builder.state(variable("x"));
  EXPECT_EQ(builder.state(variable("x")), first);
  EXPECT_NE(builder.state({{CarrierKind::environment, "x"}, {}, {}, 0}), first);
}

DataFlow two_alone(std::string unsure) {
  FlowBuilder builder(FlowSource::watch, true);
  StateId a = builder.state(variable("a")), b = builder.state(variable("b"));
  builder.begin(test(0));
  builder.wrote(a);
  builder.read(b);
  builder.begin(test(1));
  builder.read(a);
  if (!unsure.empty()) builder.unsure(std::move(unsure));
  return builder.take();
}

TEST(Influence, IsWhereOneWritesWhatTheOtherReads) {
  DataFlow flow = two_alone("");
  EXPECT_TRUE(flow.dependences.empty());
  Influence may = influence(flow, 3);
  EXPECT_TRUE(may.may_affect(test(0), test(1)));
  EXPECT_FALSE(may.may_affect(test(1), test(0)));
  EXPECT_FALSE(may.may_affect(test(0), test(0)));
  EXPECT_TRUE(may.may_affect(test(2), test(0))) << "nothing is known of it";
}

TEST(Influence, IsPossibleWhereATestIsUnsure) {
  Influence may = influence(two_alone("it crashed"), 2);
  EXPECT_TRUE(may.may_affect(test(1), test(0)));
  EXPECT_TRUE(may.may_affect(test(1), test(1)));
  EXPECT_FALSE(may.may_affect(test(0), test(0)));
}

}  // namespace
}  // namespace gordian
