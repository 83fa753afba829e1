// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations and facts speak of the same states by the same names: the state of every carrier of
// the zoo is found, from debug information and from the compiler.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "repair/debug_states.h"
#include "tests/repair/facts_program.h"

namespace gordian {
namespace {

struct Carried {
  std::string folder, suite, name;
  auto operator<=>(const Carried&) const = default;
};

std::set<Carried> carriers() {
  std::ifstream file(GORDIAN_ZOO_VERDICTS);
  std::set<Carried> result;
  const auto verdicts = nlohmann::json::parse(file);
  for (const auto& suite : verdicts.at("suites")) {
    if (!suite.contains("dependences")) continue;
    for (const auto& dependence : suite.at("dependences")) {
      if (!dependence.contains("carrier")) continue;
      const auto& carrier = dependence.at("carrier");
      const std::string kind = carrier.at("kind");
      if (kind != "variable" && kind != "thread_local" && kind != "heap") continue;
      result.insert({suite.at("folder"), suite.at("name"), carrier.at("name")});
    }
  }
  return result;
}

/// "*Shared::data_", "g_settings.net.retries", "g_seats[3]" -> the variable they begin with.
std::string root_of(std::string name) {
  if (name.starts_with('*')) name.erase(0, 1);
  return name.substr(0, std::min({name.find('.'), name.find("->"), name.find('[')}));
}

class ZooFacts : public testing::TestWithParam<Carried> {
 protected:
  std::string path(const std::string& root, const std::string& ending = "") const {
    return root + "/" + GetParam().folder + "/" + GetParam().suite + ending;
  }
  void expect_found(const SourceFacts& facts) const {
    const StateFact* state = facts.state(GetParam().name);
    ASSERT_NE(state, nullptr) << GetParam().name;
    EXPECT_EQ(state->name, root_of(GetParam().name));
  }
};

INSTANTIATE_TEST_SUITE_P(All, ZooFacts, testing::ValuesIn(carriers()), [](const auto& one) {
  return one.param.folder + "_" + one.param.suite + "_" + std::to_string(one.index);
});

TEST_P(ZooFacts, FromDebugInformation) {
  const std::string binary = path(GORDIAN_ZOO_BINARIES);
  if (!std::filesystem::exists(binary)) GTEST_SKIP() << "this part of the zoo was not built";
  auto states = read_debug_states(binary, std::nullopt);
  ASSERT_TRUE(states.ok()) << states.error().message;
  SourceFacts facts;
  facts.states = std::move(states->states);
  expect_found(facts);
}

TEST_P(ZooFacts, FromTheCompiler) {
  if (!has_facts_program()) GTEST_SKIP() << "gordian-facts was not built";
  const std::string binary = path(GORDIAN_ZOO_BINARIES);
  if (!std::filesystem::exists(binary)) GTEST_SKIP() << "this part of the zoo was not built";
  const auto facts =
      facts_of_files({path(GORDIAN_ZOO_SOURCES, ".cc")}, GORDIAN_ZOO_SOURCES, GORDIAN_OWN_COMMANDS);
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  ASSERT_EQ(facts->units.at(0).errors, 0) << facts->units.at(0).first_error;
  expect_found(*facts);
}

}  // namespace
}  // namespace gordian
