// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/collected_states.h"

#include <gmock/gmock.h>

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

NetChange change(std::string name, std::uint64_t address, std::string value = "1") {
  NetChange result;
  result.what.key = {CarrierKind::variable, name};
  result.words = {{address, 8}};
  result.old_words = {{address + 0x100, 8}};
  result.value = std::move(value);
  return result;
}

NetChange first_use(std::string name, std::uint64_t root, std::string value) {
  NetChange result = change(std::move(name), root, std::move(value));
  result.first_use = true;
  result.root = root;
  return result;
}

TEST(CollectedStates, AVariableIsWatchedFromTheFirstTestOn) {
  CollectedStates states(10);
  states.add_in_order(3, change("g", 0x1000));
  ASSERT_THAT(states.words(), SizeIs(1));
  EXPECT_EQ(states.words()[0].watch.address, 0x1000u);
  EXPECT_EQ(states.words()[0].from, 0u);  // who reads it before it is written counts, too
  EXPECT_EQ(states.words()[0].to, 10u);
  EXPECT_THAT(states.writes_of(3), ElementsAre(0));
  EXPECT_THAT(states.writes_of(4), IsEmpty());
}

TEST(CollectedStates, AnObjectThatMovedIsNotWatchedAtItsOldPlace) {
  CollectedStates states(10);
  NetChange first = change("*p", 0x1000), second = change("*p", 0x2000);
  first.on_heap = second.on_heap = true;
  states.add_in_order(1, first);
  states.add_in_order(5, second);
  ASSERT_THAT(states.words(), SizeIs(2));
  EXPECT_EQ(states.words()[0].from, 1u);
  EXPECT_EQ(states.words()[0].to, 6u);  // the writer itself may read it before
  EXPECT_EQ(states.words()[1].from, 5u);
  EXPECT_THAT(states.states(), SizeIs(1));
}

TEST(CollectedStates, AloneEveryTestFindsItWhereItWasAtTheBeginning) {
  CollectedStates states(3);
  states.add_alone(2, change("g", 0x1000));
  ASSERT_THAT(states.words(), SizeIs(1));
  EXPECT_EQ(states.words()[0].watch.address, 0x1100u);
  EXPECT_EQ(states.words()[0].from, 0u);
}

TEST(CollectedStates, TheProgramsOwnComesBeforeLibraries) {
  CollectedStates states(3);
  NetChange library = change("libc.so.6+0x10", 0x5000);
  library.library = true;
  states.add_alone(0, library);
  states.add_alone(1, change("g", 0x1000));
  EXPECT_THAT(states.words()[0].states, ElementsAre(1));
}

TEST(CollectedStates, WhatIsNotInMemoryIsSeenByCalls) {
  CollectedStates states(3);
  NetChange variable;
  variable.what = {{CarrierKind::environment, "HOME"}, {}, {}, 0};
  variable.events.readers = {"getenv"};
  states.add_in_order(1, variable);
  EXPECT_THAT(states.words(), IsEmpty());
  ASSERT_THAT(states.calls(), SizeIs(1));
  EXPECT_EQ(states.calls()[0].from, 0u);
  EXPECT_THAT(states.calls()[0].events.readers, ElementsAre("getenv"));
}

TEST(FirstUses, TheSameResultForAllIsAWriteOfNobody) {
  FirstUses uses;
  uses.add(0, first_use("table()::t", 0x1000, "{1, 2}"));
  uses.add(1, first_use("table()::t", 0x1000, "{1, 2}"));
  EXPECT_THAT(uses.disputed(), IsEmpty());
}

TEST(FirstUses, OtherResultsMakeItAStateOfAllItsUsers) {
  FirstUses uses;
  uses.add(0, first_use("config()::c", 0x1000, "dark"));
  uses.add(2, first_use("config()::c", 0x1000, "light"));
  ASSERT_THAT(uses.disputed(), SizeIs(1));
  EXPECT_THAT(uses.disputed()[0].users, ElementsAre(0, 2));
}

TEST(FirstUses, AMemberThatOnlyOneChangedIsAnotherResult) {
  FirstUses uses;
  uses.add(0, first_use("c()::c.name", 0x1000, "x"));
  uses.add(0, first_use("c()::c.uses", 0x1000, "1"));
  uses.add(1, first_use("c()::c.name", 0x1000, "x"));
  ASSERT_THAT(uses.disputed(), SizeIs(1));
  EXPECT_THAT(uses.disputed()[0].writes, SizeIs(3));
}

TEST(FirstUses, TextThatMayHaveBeenCutIsNoProof) {
  FirstUses uses;
  uses.add(0, first_use("t()::t", 0x1000, std::string(3000, 'x')));
  uses.add(1, first_use("t()::t", 0x1000, std::string(3000, 'x')));
  EXPECT_THAT(uses.disputed(), SizeIs(1));
}

}  // namespace
}  // namespace gordian
