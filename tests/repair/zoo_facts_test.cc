// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations and facts speak of the same states by the same names: the state of every carrier of
// the zoo is found, from debug information and from the compiler.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "repair/debug_states.h"
#include "tests/repair/facts_program.h"
#include "tests/symbols/zoo_carriers.h"

namespace gordian {
namespace {

class ZooFacts : public testing::Test {
 protected:
  /// Of every so-manieth suite that was built, by its path in the zoo.
  static std::map<std::string, std::vector<std::string>> carriers(int step, int first = 0) {
    std::map<std::string, std::vector<std::string>> all, some;
    for (const ZooCarrier& one : zoo_carriers()) {
      all[one.folder + "/" + one.suite].push_back(one.name);
    }
    int index = 0;
    for (auto& [suite, names] : all) {
      const bool wanted = index++ % step == first;
      if (wanted && std::filesystem::exists(binary(suite))) some[suite] = std::move(names);
    }
    EXPECT_GT(some.size(), 3u);
    return some;
  }
  static std::string binary(const std::string& suite) {
    return std::string(GORDIAN_ZOO_BINARIES) + "/" + suite;
  }
  static void expect_found(const SourceFacts& facts, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const StateFact* state = facts.state(name);
      ASSERT_NE(state, nullptr) << name;
      EXPECT_EQ(state->name, root_of(name));
    }
  }
};

TEST_F(ZooFacts, FromDebugInformation) {
  for (const auto& [suite, names] : carriers(1)) {
    SCOPED_TRACE(suite);
    auto states = read_debug_states(binary(suite), std::nullopt);
    ASSERT_TRUE(states.ok()) << states.error().message;
    SourceFacts facts;
    facts.states = std::move(states->states);
    expect_found(facts, names);
  }
}

/// Clang takes seconds for each, so two thirds of them are left to the repairs of the zoo.
class ZooFactsOfClang : public ZooFacts, public testing::WithParamInterface<int> {};
constexpr int kParts = 4;  // so that they run beside one another
INSTANTIATE_TEST_SUITE_P(Part, ZooFactsOfClang, testing::Range(0, kParts));

TEST_P(ZooFactsOfClang, HaveTheirNames) {
  if (!has_facts_program()) GTEST_SKIP() << "gordian-facts was not built";
  for (const auto& [suite, names] : carriers(3 * kParts, 3 * GetParam())) {
    SCOPED_TRACE(suite);
    const auto facts = facts_of_files({std::string(GORDIAN_ZOO_SOURCES) + "/" + suite + ".cc"},
                                      GORDIAN_ZOO_SOURCES, GORDIAN_OWN_COMMANDS);
    ASSERT_TRUE(facts.ok()) << facts.error().message;
    ASSERT_EQ(facts->units.at(0).errors, 0) << facts->units.at(0).first_error;
    expect_found(*facts, names);
  }
}

}  // namespace
}  // namespace gordian
