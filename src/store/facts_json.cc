// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/facts_json.h"

#include <chrono>

#include "model/outcome_codec.h"
#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

json ids(const std::vector<TestId>& tests) {
  json list = json::array();
  for (TestId id : tests) list.push_back(id.value());
  return list;
}

std::vector<TestId> ids_from(const json& list, std::size_t tests) {
  std::vector<TestId> found;
  for (const json& id : list) found.push_back(test_id_from(id, tests));
  return found;
}

/// As the library itself would: an exception with a text.
[[noreturn]] void refuse(const std::string& what) {
  throw json::other_error::create(501, what, nullptr);
}

}  // namespace

std::string dump_compact(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t unix_ms() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

TestId test_id_from(const json& value, std::size_t tests) {
  const auto id = value.get<std::uint64_t>();
  if (!value.is_number_unsigned() || id >= tests) refuse("there is no test " + value.dump());
  return TestId{static_cast<std::uint32_t>(id)};
}

Outcome outcome_from(const json& value) {
  auto outcome = outcome_from_json(value);
  if (!outcome) refuse(outcome.error().message);
  return *std::move(outcome);
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

json dependence_json(const Dependence& d) {
  return {{"test", d.test.value()},
          {"role", to_string(d.role)},
          {"by", ids(d.by)},
          {"expected", to_json(d.expected)},
          {"alone", to_json(d.alone)},
          {"witnessed", to_json(d.witnessed)},
          {"confirmed", d.confirmed},
          {"fresh", d.fresh},
          {"passes_after", ids(d.passes_after)},
          {"singles", ids(d.singles)},
          {"singles_complete", d.singles_complete},
          {"cleaners", ids(d.cleaners)},
          {"cleaners_complete", d.cleaners_complete},
          {"splits_suite", d.splits_suite},
          {"found_by", d.found_by}};
}

Dependence dependence_from(const json& value, std::size_t tests) {
  Dependence d;
  d.test = test_id_from(value.at("test"), tests);
  auto role = parse_role(value.at("role").get<std::string>());
  if (!role) refuse("unknown role " + value.at("role").dump());
  d.role = *role;
  d.by = ids_from(value.at("by"), tests);
  if (d.by.empty()) refuse("a dependence on nothing");
  d.witness = d.by;
  d.witness.push_back(d.test);
  d.expected = outcome_from(value.at("expected"));
  d.alone = outcome_from(value.at("alone"));
  d.witnessed = outcome_from(value.at("witnessed"));
  value.at("confirmed").get_to(d.confirmed);
  d.fresh = value.value("fresh", 0);  // what is stored by older versions has neither
  if (value.contains("passes_after")) d.passes_after = ids_from(value.at("passes_after"), tests);
  d.singles = ids_from(value.at("singles"), tests);
  value.at("singles_complete").get_to(d.singles_complete);
  d.cleaners = ids_from(value.at("cleaners"), tests);
  value.at("cleaners_complete").get_to(d.cleaners_complete);
  value.at("splits_suite").get_to(d.splits_suite);
  value.at("found_by").get_to(d.found_by);
  return d;
}

json nondeterministic_json(const NondeterministicTest& test) {
  return {{"test", test.test.value()},
          {"runs", test.runs},
          {"differ", test.differ},
          {"order", ids(test.order)},
          {"usual", to_json(test.usual)},
          {"other", to_json(test.other)},
          {"in_fresh", test.in_fresh},
          {"alone_runs", test.alone_runs},
          {"alone_differ", test.alone_differ}};
}

NondeterministicTest nondeterministic_from(const json& value, std::size_t tests) {
  NondeterministicTest test;
  test.test = test_id_from(value.at("test"), tests);
  value.at("runs").get_to(test.runs);
  value.at("differ").get_to(test.differ);
  test.order = ids_from(value.at("order"), tests);
  test.usual = outcome_from(value.at("usual"));
  test.other = outcome_from(value.at("other"));
  test.in_fresh = value.value("in_fresh", false);
  test.alone_runs = value.value("alone_runs", 0);
  test.alone_differ = value.value("alone_differ", 0);
  return test;
}

}  // namespace gordian
