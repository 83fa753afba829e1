// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/dependence_store.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "store/open_file.h"

namespace gordian {
namespace {

using nlohmann::json;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json outcome_json(const Outcome& outcome) {
  return {{"kind", to_string(outcome.kind)},
          {"file", outcome.file},
          {"line", outcome.line},
          {"message", outcome.message},
          {"signal", outcome.signal},
          {"exit_code", outcome.exit_code}};
}

Outcome outcome_from(const json& value) {
  Outcome outcome;
  outcome.kind =
      parse_outcome_kind(value.at("kind").get<std::string>()).value_or(OutcomeKind::lost);
  value.at("file").get_to(outcome.file);
  value.at("line").get_to(outcome.line);
  value.at("message").get_to(outcome.message);
  value.at("signal").get_to(outcome.signal);
  value.at("exit_code").get_to(outcome.exit_code);
  return outcome;
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
          {"origin", target.origin}};
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
  return target;
}

json names(const Suite& suite, const Order& order) {
  json list = json::array();
  for (TestId id : order) list.push_back(suite.test(id).full_name());
  return list;
}

json dependence_json(const Suite& suite, const Dependence& dependence) {
  return {{"role", to_string(dependence.role)},
          {"witness", names(suite, dependence.witness)},
          {"expected", outcome_json(dependence.expected)},
          {"alone", outcome_json(dependence.alone)},
          {"witnessed", outcome_json(dependence.witnessed)}};
}

std::int64_t unix_ms() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

Result<DependenceStore> DependenceStore::open(const std::filesystem::path& file) {
  auto database = open_database(file);
  if (!database) return database.error();
  return DependenceStore(std::move(*database));
}

Status DependenceStore::save(DetectFacts& facts, const std::string& facts_json) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto search_id =
      database_
          .prepare(
              "INSERT INTO searches (binary_path, sha256, build_id, ended_unix_ms, facts)"
              " VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id")
          .bind(facts.binary.path, facts.binary.sha256, facts.binary.build_id, unix_ms(),
                facts_json)
          .first_integer();
  if (!search_id) return search_id.error();
  for (Dependence& dependence : facts.dependences) {
    auto id = save_one(facts, dependence, search_id->value_or(0));
    if (!id) return id.error();
    dependence.id = *id;
  }
  return transaction->commit();
}

Result<int> DependenceStore::save_one(const DetectFacts& facts, const Dependence& dependence,
                                      std::int64_t search_id) {
  const std::string test = facts.suite.test(dependence.test).full_name();
  const std::string target = dump(target_json(facts.target)),
                    what = dump(dependence_json(facts.suite, dependence));
  // First as an update: a failed insert would use up a number.
  auto id = database_
                .prepare(
                    "UPDATE dependences SET search_id = ?3, target = ?4, facts = ?5"
                    " WHERE binary_path = ?1 AND test = ?2 RETURNING id")
                .bind(facts.binary.path, test, search_id, target, what)
                .first_integer();
  if (id && !*id) {
    id = database_
             .prepare(
                 "INSERT INTO dependences (binary_path, test, search_id, target, facts)"
                 " VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id")
             .bind(facts.binary.path, test, search_id, target, what)
             .first_integer();
  }
  if (!id) return id.error();
  return static_cast<int>(id->value_or(0));
}

Error DependenceStore::unknown(int id) {
  auto newest = database_.prepare("SELECT max(id) FROM dependences").first_integer();
  bool any = newest && newest->has_value();
  return usage_error(
      fmt::format("the database has no dependence D{}", id),
      any ? fmt::format("the newest one is D{}", **newest) : "gordian detect finds them");
}

Result<StoredDependence> DependenceStore::load(int id) {
  StoredDependence stored;
  Statement query = database_.prepare("SELECT test, target, facts FROM dependences WHERE id = ?1");
  auto row = query.bind(id).step();
  if (!row) return row.error();
  if (!*row) return unknown(id);
  try {
    stored.id = id;
    stored.test = query.text(0);
    stored.target = target_from(json::parse(query.text(1)));
    json facts = json::parse(query.text(2));
    stored.role = parse_role(facts.at("role").get<std::string>()).value_or(Role::victim);
    facts.at("witness").get_to(stored.witness);
    stored.expected = outcome_from(facts.at("expected"));
    stored.alone = outcome_from(facts.at("alone"));
    stored.witnessed = outcome_from(facts.at("witnessed"));
  } catch (const json::exception& error) {
    return internal_error(
        fmt::format("dependence D{} is stored in a way we cannot read: {}", id, error.what()));
  }
  return stored;
}

}  // namespace gordian
