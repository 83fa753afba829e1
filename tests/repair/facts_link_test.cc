// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/unit_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/repair/unit_samples.h"

namespace gordian {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

SourceFacts linked(const std::vector<json>& units) {
  auto parsed = parse_unit_facts(sample_document(units));
  EXPECT_TRUE(parsed.ok()) << parsed.error().message;
  return parsed.ok() ? link_facts(*parsed) : SourceFacts();
}

/// A unit whose one test does this.
json test_unit(const json& effects) {
  json unit = sample_unit("/p/test.cc");
  unit["tests"].push_back(sample_test("/p/test.cc", effects));
  return unit;
}

json state_unit() {
  json unit = sample_unit("/p/a.cc");
  unit["states"].push_back(sample_state("x", "app::x"));
  return unit;
}

const StatementFact& statement(const SourceFacts& facts) {
  return facts.tests.at(0).statements.at(0);
}

TEST(FactsLink, FollowsCallsIntoOtherUnits) {
  json product = state_unit();
  product["functions"] = {sample_function("f", sample_effects({}, {"g"})),
                          sample_function("g", sample_effects({"x"}, {"f"}))};
  const auto facts = linked({test_unit(sample_effects({}, {"f"})), product});
  EXPECT_THAT(statement(facts).may_write, ElementsAre("app::x"));
  EXPECT_THAT(statement(facts).calls, ElementsAre("setenv"));
  EXPECT_TRUE(facts.by_compiler);
}

TEST(FactsLink, FollowsWhatOverrides) {
  json product = state_unit();
  product["overrides"] = json::array({json::array({"base", "derived"})});
  product["functions"] = {sample_function("derived", sample_effects({"x"}))};
  const auto facts = linked({test_unit(sample_effects({}, {"base"})), product});
  EXPECT_THAT(statement(facts).may_write, ElementsAre("app::x"));
}

TEST(FactsLink, WhatAnAccessorGivesIsWrittenOnlyThroughIt) {
  json product = state_unit();
  product["functions"] = {sample_function("get", sample_effects(), {"x"})};
  const auto reads = linked({test_unit(sample_effects({}, {"get"})), product});
  EXPECT_THAT(statement(reads).may_write, IsEmpty());
  const auto writes = linked({test_unit(sample_effects({}, {"get"}, {"get"})), product});
  EXPECT_THAT(statement(writes).may_write, ElementsAre("app::x"));
}

TEST(FactsLink, ADefinitionCountsMoreThanADeclaration) {
  json declaring = state_unit(), defining = state_unit();
  declaring["states"][0]["defined"] = false;
  declaring["states"][0]["header"] = "/p/app.h";
  declaring["states"][0]["initializer"] = "";
  const auto facts = linked({declaring, defining});
  ASSERT_EQ(facts.states.size(), 1u);
  EXPECT_EQ(facts.states[0].header, "/p/app.h");
  EXPECT_EQ(facts.states[0].initializer, "2");
}

TEST(FactsLink, FunctionsWithoutABodyAreTold) {
  json unit = test_unit(sample_effects({}, {"f"}));
  unit["undefined"] = {{{"id", "f"}, {"name", "app::f"}, {"file", "/p/app.h"}}};
  const auto units = parse_unit_facts(sample_document({unit}));
  ASSERT_TRUE(units.ok());
  EXPECT_EQ(undefined_functions(*units).at(0).name, "app::f");
  EXPECT_THAT(statement(link_facts(*units)).calls, ElementsAre("app::f", "setenv"));
}

TEST(FactsLink, ResetsAreCalledOnEveryWayThatLeadsThere) {
  json product = state_unit();
  product["states"][0]["reset_methods"] = {
      {{"name", "flush_for"}, {"access", "open"}, {"parameters", true}},
      {{"name", "clear"}, {"access", "open"}, {"parameters", false}}};
  product["states"][0]["access"] = "closed";
  product["accessors"] = {{{"state", "x"},
                           {"expression", "*::app::get()"},
                           {"access", "open"},
                           {"gives_const", false},
                           {"pointee", false},
                           {"header", "/p/app.h"}}};
  json reset = sample_effects({"x"});
  reset["function"] = "r";
  reset["call"] = "::app::reset_all()";
  reset["score"] = 3;
  reset["access"] = "open";
  reset["parameters"] = false;
  reset["header"] = "";
  product["reset_functions"] = {reset};
  std::vector<std::string> calls;
  for (const ResetFact& fact : linked({product}).resets) calls.push_back(fact.call);
  EXPECT_THAT(calls, ElementsAre("::app::get()->clear()", "::app::reset_all()", "::app::x.clear()",
                                 "::app::get()->flush_for()", "::app::x.flush_for()"));
}

json sample_property(const std::string& set, json effects) {
  effects.update({{"get", "::app::level()"},
                  {"set", set},
                  {"type", "int"},
                  {"access", "open"},
                  {"header", "/p/app.h"},
                  {"unmistakable", true}});
  return effects;
}

TEST(FactsLink, PropertiesAreOfTheStateThatTheirSetterWrites) {
  json product = sample_unit("/p/app.cc");
  product["states"] = {sample_state("x", "app::x"), sample_state("y", "app::y")};
  product["functions"] = {sample_function("store", sample_effects({"x"}))};
  product["property_functions"] = {
      sample_property("::app::set_level", sample_effects({}, {"store"})),
      sample_property("::app::set_nothing", sample_effects())};
  product["states"][1]["property_methods"] = {
      {{"get", "size"}, {"set", "set_size"}, {"type", "long"}, {"access", "open"}}};
  std::vector<std::string> found;
  for (const PropertyFact& fact : linked({product, product}).properties) {
    found.push_back(fact.state + ": " + fact.get + ", " + fact.set + " " + fact.type);
  }
  EXPECT_THAT(found, ElementsAre("app::x: ::app::level(), ::app::set_level int",
                                 "app::y: ::app::y.size(), ::app::y.set_size long"));
}

TEST(FactsLink, ATestSeenByTwoUnitsIsOne) {
  const json unit = test_unit(sample_effects());
  EXPECT_EQ(linked({unit, unit}).tests.size(), 1u);
}

}  // namespace
}  // namespace gordian
