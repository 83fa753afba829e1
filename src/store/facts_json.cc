// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/facts_json.h"

#include <algorithm>
#include <chrono>

#include "store/flow_store.h"
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

std::chrono::seconds age_of(std::int64_t then_unix_ms) {
  // A clock that was put back must not give a negative age.
  return std::chrono::seconds(std::max<std::int64_t>(unix_ms() - then_unix_ms, 0) / 1000);
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

namespace {

std::vector<StateId> states_from(const json& value, std::size_t states) {
  std::vector<StateId> ids;
  for (const json& id : value) {
    const auto number = id.get<std::uint32_t>();
    if (number >= states) refuse("a state that is not there");
    ids.emplace_back(number);
  }
  return ids;
}

json state_json(const SharedState& state) {
  return {to_string(state.key.kind()), state.key.text(), state.type, state.file, state.line};
}

SharedState state_from(const json& value) {
  return {{carrier_kind_from(value.at(0)), value.at(1).get<std::string>()},
          value.at(2).get<std::string>(),
          value.at(3).get<std::string>(),
          value.at(4).get<int>()};
}

json test_json(const TestFlow& test) {
  return {{"test", test.test.value()},
          {"reads", numbers_of(test.reads)},
          {"writes", numbers_of(test.writes)},
          {"unsure", test.unsure}};
}

json dependence_json(const DataDependence& dependence) {
  return {{"reader", dependence.reader.value()},
          {"writer", dependence.writer.value()},
          {"states", numbers_of(dependence.states)},
          {"write", site_to_json(dependence.write, JsonForm::kept)},
          {"read", site_to_json(dependence.read, JsonForm::kept)}};
}

}  // namespace

json flow_json(const DataFlow& flow) {
  json states = json::array(), tests = json::array(), dependences = json::array();
  for (const SharedState& state : flow.states) states.push_back(state_json(state));
  for (const TestFlow& test : flow.tests) tests.push_back(test_json(test));
  for (const DataDependence& d : flow.dependences) dependences.push_back(dependence_json(d));
  return {{"order", numbers_of(flow.order)}, {"states", std::move(states)},
          {"tests", std::move(tests)},       {"dependences", std::move(dependences)},
          {"misses", flow.misses},           {"passes", flow.passes},
          {"seconds", flow.seconds}};
}

DataFlow flow_from(const json& value, std::size_t tests) {
  DataFlow flow;
  flow.order = numbers_from(value.at("order"), tests);
  for (const json& state : value.at("states")) flow.states.push_back(state_from(state));
  const std::size_t states = flow.states.size();
  for (const json& test : value.at("tests")) {
    flow.tests.push_back({test_id_from(test.at("test"), tests),
                          states_from(test.at("reads"), states),
                          states_from(test.at("writes"), states), test.at("unsure")});
  }
  for (const json& d : value.at("dependences")) {
    flow.dependences.push_back(
        {test_id_from(d.at("reader"), tests), test_id_from(d.at("writer"), tests),
         states_from(d.at("states"), states), site_from(d.at("write")), site_from(d.at("read"))});
  }
  value.at("misses").get_to(flow.misses);
  value.at("passes").get_to(flow.passes);
  value.at("seconds").get_to(flow.seconds);
  return flow;
}

json refinement_json(const RefinementRecord& record) {
  json tested = json::array();
  for (const TestedDependence& one : record.tested) {
    tested.push_back({one.reader.value(), one.writer.value(), to_string(one.tested.verdict),
                      one.tested.why, one.tested.changed.value(), numbers_of(one.tested.schedule)});
  }
  return {{"tested", std::move(tested)},
          {"schedules", record.schedules},
          {"tests_run", record.tests_run},
          {"seconds", record.seconds}};
}

RefinementRecord refinement_from(const json& value, std::size_t tests) {
  RefinementRecord record;
  for (const json& one : value.at("tested")) {
    auto verdict = parse_flow_verdict(one.at(2).get<std::string>());
    if (!verdict) refuse("a verdict that is none");
    record.tested.push_back({test_id_from(one.at(0), tests),
                             test_id_from(one.at(1), tests),
                             {*verdict, one.at(3).get<std::string>(),
                              test_id_from(one.at(4), tests), numbers_from(one.at(5), tests)}});
  }
  value.at("schedules").get_to(record.schedules);
  value.at("tests_run").get_to(record.tests_run);
  value.at("seconds").get_to(record.seconds);
  return record;
}

}  // namespace gordian
