// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations and facts speak of the same states by the same names: the state of every carrier of
// the zoo is found, from debug information and from the compiler.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "repair/debug_details.h"
#include "tests/repair/facts_program.h"
#include "tests/symbols/zoo_carriers.h"

namespace gordian {
namespace {

constexpr int kParts = 8;  // Clang takes seconds for a suite: one part for `make test`

class ZooFacts : public testing::TestWithParam<int> {
 protected:
  /// The carriers of this part's suites that were built, by the path of the suite in the zoo.
  static std::map<std::string, std::vector<std::string>> carriers() {
    std::map<std::string, std::vector<std::string>> all, part;
    for (const ZooCarrier& one : zoo_carriers()) {
      all[one.folder + "/" + one.suite].push_back(one.name);
    }
    int index = 0;
    for (auto& [suite, names] : all) {
      const bool mine = index++ % kParts == GetParam();
      if (mine && std::filesystem::exists(binary(suite))) part[suite] = std::move(names);
    }
    EXPECT_GT(part.size(), 3u);
    return part;
  }
  static std::string binary(const std::string& suite) {
    return std::string(GORDIAN_ZOO_BINARIES) + "/" + suite;
  }
  static void expect_found(const Result<SourceFacts>& facts,
                           const std::vector<std::string>& names) {
    ASSERT_TRUE(facts.ok()) << facts.error().message;
    for (const std::string& name : names) {
      const StateFact* state = facts->state(name);
      ASSERT_NE(state, nullptr) << name;
      EXPECT_EQ(state->name, root_of(name));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Part, ZooFacts, testing::Values(0));
INSTANTIATE_TEST_SUITE_P(Whole, ZooFacts, testing::Range(1, kParts));

Result<SourceFacts> from_debug_information(const std::string& binary) {
  auto states = read_debug_states(binary, std::nullopt);
  if (!states) return states.error();
  SourceFacts facts;
  facts.states = std::move(states->states);
  return facts;
}

TEST_P(ZooFacts, FromDebugInformation) {
  for (const auto& [suite, names] : carriers()) {
    SCOPED_TRACE(suite);
    expect_found(from_debug_information(binary(suite)), names);
  }
}

TEST_P(ZooFacts, FromTheCompiler) {
  if (!has_facts_program()) GTEST_SKIP() << "gordian-facts was not built";
  for (const auto& [suite, names] : carriers()) {
    SCOPED_TRACE(suite);
    const auto facts = facts_of_files({std::string(GORDIAN_ZOO_SOURCES) + "/" + suite + ".cc"},
                                      GORDIAN_ZOO_SOURCES, GORDIAN_OWN_COMMANDS);
    expect_found(facts, names);
    if (!facts.ok()) continue;
    EXPECT_EQ(facts->units.at(0).errors, 0) << facts->units.at(0).first_error;
  }
}

}  // namespace
}  // namespace gordian
