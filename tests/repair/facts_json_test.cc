// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/unit_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/repair/unit_samples.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FactsJson, ReadsAUnit) {
  auto unit = sample_unit("/p/a.cc");
  unit["states"].push_back(sample_state("c:@x", "x"));
  unit["states"][0]["access"] = "closed";
  unit["states"][0]["kind"] = "class_static";
  unit["tests"].push_back(sample_test("/p/a.cc", sample_effects({"c:@x"})));
  const auto units = parse_unit_facts(sample_document({unit}));
  ASSERT_TRUE(units.ok()) << units.error().message;
  ASSERT_EQ(units->size(), 1u);
  const StateFact& state = units->front().states.at(0).fact;
  EXPECT_EQ(state.access, Access::closed);
  EXPECT_EQ(state.kind, StateKind::class_static);
  EXPECT_EQ(state.copyable, Known::yes);
  EXPECT_EQ(state.initializer, "2");
  const UnitTest& test = units->front().tests.at(0);
  EXPECT_EQ(test.fact.statements.at(0).range.begin, 30u);
  EXPECT_THAT(test.effects.at(0).writes, ElementsAre("c:@x"));
}

TEST(FactsJson, MindsNoOtherLines) {
  const auto units =
      parse_unit_facts("warning: {odd}\n" + sample_document({sample_unit("/p/a.cc")}) + "bye\n");
  ASSERT_TRUE(units.ok()) << units.error().message;
  EXPECT_EQ(units->size(), 1u);
}

TEST(FactsJson, AUnitThatCouldNotBeReadIsEmpty) {
  const auto units = parse_unit_facts(
      sample_document({{{"file", "/p/a.cc"}, {"errors", 1}, {"first_error", "no such file"}}}));
  ASSERT_TRUE(units.ok()) << units.error().message;
  EXPECT_EQ(units->front().unit.errors, 1);
  EXPECT_EQ(units->front().unit.first_error, "no such file");
  EXPECT_TRUE(units->front().states.empty());
}

std::string error_of(const std::string& output) {
  const auto units = parse_unit_facts(output);
  return units.ok() ? "" : units.error().message;
}

TEST(FactsJson, SaysWhatIsWrong) {
  const std::string whole = sample_document({sample_unit("/p/a.cc")});
  EXPECT_THAT(error_of(""), HasSubstr("no document"));
  EXPECT_THAT(error_of("Segmentation fault\n"), HasSubstr("no document"));
  EXPECT_THAT(error_of("{\"other\": 1}\n"), HasSubstr("no document"));
  EXPECT_THAT(error_of(whole.substr(0, whole.size() / 2)), HasSubstr("cut off"));
  EXPECT_THAT(error_of(sample_document({}, 99)), HasSubstr("version 99"));
}

TEST(FactsJson, AMissingOrMistypedKeyIsAnError) {
  auto unit = sample_unit("/p/a.cc");
  unit["states"].push_back(sample_state("c:@x", "x"));
  unit["states"][0].erase("type");
  EXPECT_THAT(error_of(sample_document({unit})), HasSubstr("type"));
  unit["states"] = 7;
  EXPECT_NE(error_of(sample_document({unit})), "");
  unit = sample_unit("/p/a.cc");
  unit["errors"] = "many";
  EXPECT_NE(error_of(sample_document({unit})), "");
}

}  // namespace
}  // namespace gordian
