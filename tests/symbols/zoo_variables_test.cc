// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whatever the zoo says carries a dependence in memory can be named from the binary.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "symbols/debug_info.h"

namespace gordian {
namespace {

struct Carried {
  std::string suite, kind, root;
  auto operator<=>(const Carried&) const = default;
};

/// "*Shared::data_", "g_settings.net.retries", "g_seats[3]" -> the variable they begin with.
std::string root_of(std::string name) {
  if (name.starts_with('*')) name.erase(0, 1);
  return name.substr(0, std::min({name.find('.'), name.find("->"), name.find('[')}));
}

std::set<Carried> carriers() {
  std::ifstream file(GORDIAN_ZOO_VERDICTS);
  std::set<Carried> result;
  const auto verdicts = nlohmann::json::parse(file);
  for (const auto& suite : verdicts.at("suites")) {
    if (suite.at("folder") != "guilty" || !suite.contains("dependences")) continue;
    for (const auto& dependence : suite.at("dependences")) {
      if (!dependence.contains("carrier")) continue;
      const auto& carrier = dependence.at("carrier");
      const std::string kind = carrier.at("kind");
      if (kind != "variable" && kind != "thread_local" && kind != "heap") continue;
      result.insert({suite.at("name"), kind, root_of(carrier.at("name"))});
    }
  }
  return result;
}

class ZooVariables : public testing::TestWithParam<Carried> {};

INSTANTIATE_TEST_SUITE_P(Guilty, ZooVariables, testing::ValuesIn(carriers()), [](const auto& one) {
  return one.param.suite + "_" + std::to_string(one.index);
});

TEST_P(ZooVariables, HaveTheirNames) {
  const Carried& carried = GetParam();
  auto info = DebugInfo::open(std::string(GORDIAN_ZOO_BINARIES) + "/guilty/" + carried.suite);
  ASSERT_TRUE(info.ok()) << info.error().message;
  const Variable* variable = info->variable_named(carried.root);
  ASSERT_NE(variable, nullptr) << carried.root;
  EXPECT_EQ(variable->thread_local_storage, carried.kind == "thread_local");
  const Type* type = info->type(variable->type_id);
  ASSERT_NE(type, nullptr);
  // Of the library's own types some are only declared, even for std::cout.
  const bool known = type->kind != TypeKind::opaque;
  EXPECT_TRUE(known || variable->owner == Owner::library) << type->name;
  EXPECT_EQ(variable->size, known ? type->size : variable->size);
  EXPECT_GT(variable->line, 0);
}

}  // namespace
}  // namespace gordian
