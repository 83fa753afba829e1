// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Documents as gordian-facts prints them, small enough to be read here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gordian {

inline nlohmann::json sample_effects(std::vector<std::string> writes = {},
                                     std::vector<std::string> calls = {},
                                     std::vector<std::string> through = {}) {
  return {{"writes", writes}, {"calls", calls}, {"through", through}, {"outside", {"setenv"}}};
}

inline nlohmann::json sample_state(const std::string& id, const std::string& name) {
  return {{"id", id},
          {"name", name},
          {"expression", "::" + name},
          {"type", "int"},
          {"kind", "global"},
          {"thread_local", false},
          {"internal", false},
          {"const", false},
          {"access", "open"},
          {"owner", ""},
          {"defined", true},
          {"file", "/p/a.cc"},
          {"line", 3},
          {"header", ""},
          {"initializer", "2"},
          {"copyable", true},
          {"default_constructible", true},
          {"shallow", false},
          {"pointee", ""},
          {"members", nlohmann::json::array()},
          {"reset_methods", nlohmann::json::array()},
          {"property_methods", nlohmann::json::array()}};
}

inline nlohmann::json sample_function(const std::string& id, nlohmann::json effects,
                                      std::vector<std::string> gives = {}) {
  effects["id"] = id;
  effects["gives"] = gives;
  effects["gives_of"] = nlohmann::json::array();
  return effects;
}

/// One test with one statement.
inline nlohmann::json sample_test(const std::string& file, const nlohmann::json& effects) {
  nlohmann::json statement = effects;
  statement["range"] = {{"file", file}, {"begin", 30}, {"end", 40}, {"line", 6}};
  statement["assertion"] = false;
  statement["declares"] = {"x"};
  statement["uses"] = nlohmann::json::array();
  return {{"suite", "S"},
          {"name", "T"},
          {"fixture", ""},
          {"macro", {{"file", file}, {"begin", 10}, {"end", 20}, {"line", 5}}},
          {"body", {{"file", file}, {"begin", 21}, {"end", 50}, {"line", 5}}},
          {"spelled", true},
          {"template", false},
          {"statements", nlohmann::json::array({statement})}};
}

inline nlohmann::json sample_unit(const std::string& file) {
  nlohmann::json unit = {{"file", file}, {"errors", 0}, {"first_error", ""}};
  for (const char* list :
       {"includes", "states", "accessors", "reset_functions", "property_functions", "functions",
        "overrides", "undefined", "tests", "fixtures"}) {
    unit[list] = nlohmann::json::array();
  }
  return unit;
}

inline std::string sample_document(const std::vector<nlohmann::json>& units, int version = 2) {
  return nlohmann::json({{"gordian_facts", version}, {"units", units}}).dump() + "\n";
}

}  // namespace gordian
