// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the zoo says carries its dependences in memory. Read when a test asks for it: lists of
// parameters are made anew for each test that ctest starts.
#pragma once

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace gordian {

struct ZooCarrier {
  std::string folder, suite, kind, name;
  auto operator<=>(const ZooCarrier&) const = default;
};

inline std::set<ZooCarrier> zoo_carriers() {
  std::ifstream file(GORDIAN_ZOO_VERDICTS);
  std::set<ZooCarrier> result;
  const auto verdicts = nlohmann::json::parse(file);
  for (const auto& suite : verdicts.at("suites")) {
    if (!suite.contains("dependences")) continue;
    for (const auto& dependence : suite.at("dependences")) {
      if (!dependence.contains("carrier")) continue;
      const auto& carrier = dependence.at("carrier");
      const std::string kind = carrier.at("kind");
      if (kind != "variable" && kind != "thread_local" && kind != "heap") continue;
      result.insert({suite.at("folder"), suite.at("name"), kind, carrier.at("name")});
    }
  }
  return result;
}

/// "*Shared::data_", "g_settings.net.retries", "g_seats[3]" -> the variable they begin with.
inline std::string root_of(std::string name) {
  if (name.starts_with('*')) name.erase(0, 1);
  return name.substr(0, std::min({name.find('.'), name.find("->"), name.find('[')}));
}

}  // namespace gordian
