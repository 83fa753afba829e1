// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/source_facts.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

SourceFacts with_states(const std::vector<std::string>& names) {
  SourceFacts facts;
  for (const std::string& name : names) facts.states.emplace_back().name = name;
  return facts;
}

std::string found(const SourceFacts& facts, const std::string& carrier) {
  const StateFact* state = facts.state(carrier);
  return state == nullptr ? "" : state->name;
}

TEST(SourceFacts, FindsAStateByTheNameOfItsCarrier) {
  const auto facts = with_states({"g_seats", "Shared::data_", "Settings::instance()::settings",
                                  "Pool<std::pair<int, long> >::used"});
  EXPECT_EQ(found(facts, "g_seats"), "g_seats");
  EXPECT_EQ(found(facts, "g_seats[3]"), "g_seats");
  EXPECT_EQ(found(facts, "*Shared::data_"), "Shared::data_");
  EXPECT_EQ(found(facts, "(*Shared::data_)[1].x"), "Shared::data_");
  EXPECT_EQ(found(facts, "Settings::instance()::settings.verbosity_"),
            "Settings::instance()::settings");
  EXPECT_EQ(found(facts, "Pool<std::pair<int,long>>::used"), "Pool<std::pair<int, long> >::used");
}

TEST(SourceFacts, TakesTheLongestNameAndNoPartOfAWord) {
  const auto facts = with_states({"g", "g.x", "g_seat"});
  EXPECT_EQ(found(facts, "g.x.y"), "g.x");
  EXPECT_EQ(found(facts, "g_seats"), "");
  EXPECT_EQ(found(facts, ""), "");
  EXPECT_EQ(found(facts, "**"), "");
}

SourceFacts with_test(const std::string& file, int macro_line, int body_line) {
  SourceFacts facts;
  TestFact& test = facts.tests.emplace_back();
  test.macro = {file, 10, 20, macro_line};
  test.body = {file, 21, 40, body_line};
  return facts;
}

TEST(SourceFacts, FindsATestByItsPlace) {
  const auto facts = with_test("/src/app/a_test.cc", 7, 9);
  EXPECT_NE(facts.test_at("/src/app/a_test.cc", 7), nullptr);
  EXPECT_NE(facts.test_at("app/a_test.cc", 7), nullptr);
  EXPECT_NE(facts.test_at("./app/../app/a_test.cc", 7), nullptr);
  EXPECT_NE(facts.test_at("/src/app/a_test.cc", 9), nullptr) << "the last line of the macro";
  EXPECT_EQ(facts.test_at("/src/app/a_test.cc", 10), nullptr);
  EXPECT_EQ(facts.test_at("/src/app/other_a_test.cc", 7), nullptr);
  EXPECT_EQ(facts.test_at("", 7), nullptr);
}

TEST(SourceFacts, FindsAFixtureByTheEndOfItsName) {
  SourceFacts facts;
  facts.fixtures.emplace_back().name = "app::Base";
  EXPECT_NE(facts.fixture("app::Base"), nullptr);
  EXPECT_NE(facts.fixture("Base"), nullptr);
  EXPECT_NE(facts.fixture("other::app::Base"), nullptr);
  EXPECT_EQ(facts.fixture("MyBase"), nullptr);
}

}  // namespace
}  // namespace gordian
