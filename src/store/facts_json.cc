// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/facts_json.h"

#include <chrono>

#include "store/words.h"

namespace gordian {

using nlohmann::json;

std::string dump_compact(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t unix_ms() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

json target_json(const Target& target) {
  json env = json::array();
  for (const EnvChange& change : target.env) {
    env.push_back({change.first, change.second ? json(*change.second) : json()});
  }
  return {{"binary", target.binary.string()},
          {"args", target.args},
          {"working_dir", target.working_dir.string()},
          {"env", env},
          {"origin", target.origin},
          {"runtime", runtime_word(target.runtime)}};
}

Target target_from(const json& value) {
  Target target;
  target.binary = value.at("binary").get<std::string>();
  value.at("args").get_to(target.args);
  target.working_dir = value.at("working_dir").get<std::string>();
  for (const json& change : value.at("env")) {
    std::optional<std::string> setting;
    if (!change.at(1).is_null()) setting = change.at(1).get<std::string>();
    target.env.emplace_back(change.at(0).get<std::string>(), setting);
  }
  value.at("origin").get_to(target.origin);
  auto runtime = parse_stored_word<RuntimeId>(value.value("runtime", std::string()));
  if (!runtime) refuse(runtime.error().message);
  target.runtime = *runtime;
  return target;
}

}  // namespace gordian
