// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/dependence_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/facts_json.h"
#include "store/open_file.h"
#include "store/search_facts_json.h"
#include "store/suite_rows.h"

namespace gordian {
namespace {

using nlohmann::json;

json names(const Suite& suite, const Order& order) {
  json list = json::array();
  for (TestId id : order) list.push_back(suite.test(id).full_name());
  return list;
}

/// What a replay needs, with tests by name: they outlive a rebuild.
json replay_json(const Suite& suite, const Dependence& dependence) {
  return {{"role", to_string(dependence.role)},
          {"witness", names(suite, dependence.witness)},
          {"singles", names(suite, dependence.singles)},
          {"cleaners", names(suite, dependence.cleaners)},
          {"expected", outcome_json(dependence.expected)},
          {"alone", outcome_json(dependence.alone)},
          {"witnessed", outcome_json(dependence.witnessed)}};
}

/// The dependence of a test; an empty one at the end if it has none.
Dependence& of_test(DetectFacts& facts, TestId test) {
  auto known = std::ranges::find(facts.dependences, test, &Dependence::test);
  return known != facts.dependences.end() ? *known : facts.dependences.emplace_back();
}

/// The first column of all rows.
Result<std::vector<int>> read_numbers(Statement& query) {
  std::vector<int> numbers;
  Status read = query.each([&numbers](Statement& row) {
    numbers.push_back(row.small_integer(0));
    return Status();
  });
  if (!read) return read.error();
  return numbers;
}

}  // namespace

Result<DependenceStore> DependenceStore::open(const std::filesystem::path& file) {
  auto database = open_database(file);
  if (!database) return database.error();
  return DependenceStore(std::move(*database));
}

Status DependenceStore::save(DetectFacts& facts, const FactsWriter& to_json) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto search = new_search(facts);
  if (!search) return search.error();
  if (Status written = write(facts, *search, to_json); !written) return written;
  return transaction->commit();
}

Status DependenceStore::add(DetectFacts& facts, const FactsWriter& to_json) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto last = search_to_join(facts);
  if (!last) return last.error();
  if (!*last) {
    auto search = new_search(facts);
    if (!search) return search.error();
    last->emplace(*search, facts);
  }
  auto& [search, joined] = **last;
  for (const Dependence& found : facts.dependences) of_test(joined, found.test) = found;
  if (Status written = write(joined, search, to_json); !written) return written;
  for (Dependence& found : facts.dependences) found.id = of_test(joined, found.test).id;
  return transaction->commit();
}

Result<std::int64_t> DependenceStore::new_search(const DetectFacts& facts) {
  auto id = database_
                .prepare(
                    "INSERT INTO searches (binary_path, sha256, build_id, ended_unix_ms, facts)"
                    " VALUES (?1, ?2, ?3, ?4, '') RETURNING id")
                .bind(facts.binary.path, facts.binary.sha256, facts.binary.build_id, unix_ms())
                .first_integer();
  if (!id) return id.error();
  return id->value_or(0);
}

Status DependenceStore::write(DetectFacts& facts, std::int64_t search, const FactsWriter& to_json) {
  for (Dependence& dependence : facts.dependences) {
    auto id = save_one(facts, dependence, search);
    if (!id) return id.error();
    dependence.id = *id;
  }
  // Only now the dependences have the numbers that the text will name.
  auto suite = save_suite(database_, facts.suite);
  if (!suite) return suite.error();
  return database_
      .prepare("UPDATE searches SET facts = ?2, suite_id = ?3, detail = ?4 WHERE id = ?1")
      .run(search, to_json(facts), *suite, dump_compact(search_facts_json(facts)));
}

Result<std::optional<std::pair<std::int64_t, DetectFacts>>> DependenceStore::search_to_join(
    const DetectFacts& facts) {
  auto suite = save_suite(database_, facts.suite);
  if (!suite) return suite.error();
  Statement query = database_.prepare(
      "SELECT id, sha256, suite_id, detail FROM searches WHERE binary_path = ?1"
      " ORDER BY id DESC LIMIT 1");
  auto row = query.bind(facts.binary.path).step();
  if (!row) return row.error();
  const bool same = *row && query.text(1) == facts.binary.sha256 && !query.is_null(2) &&
                    query.integer(2) == suite->value();
  if (!same) return {std::nullopt};
  DetectFacts last;
  last.binary = facts.binary;
  last.suite = facts.suite;
  last.db = facts.db;
  try {
    search_facts_from(json::parse(query.text(3)), last);
  } catch (const json::exception&) {
    return {std::nullopt};  // a report says so; what is found now must not be lost by it
  }
  return std::optional(std::pair(query.integer(0), std::move(last)));
}

Result<int> DependenceStore::save_one(const DetectFacts& facts, const Dependence& dependence,
                                      std::int64_t search_id) {
  const std::string test = facts.suite.test(dependence.test).full_name();
  const std::string target = dump_compact(target_json(facts.target)),
                    what = dump_compact(replay_json(facts.suite, dependence));
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

Result<std::vector<int>> DependenceStore::numbers() {
  Statement query = database_.prepare("SELECT id FROM dependences ORDER BY id");
  return read_numbers(query.bind());
}

Result<StoredDependence> DependenceStore::load(int id) {
  StoredDependence stored;
  Statement query = database_.prepare(
      "SELECT d.test, d.target, d.facts, s.sha256, s.build_id FROM dependences d"
      " JOIN searches s ON s.id = d.search_id WHERE d.id = ?1");
  auto row = query.bind(id).step();
  if (!row) return row.error();
  if (!*row) return unknown(id);
  try {
    stored.id = id;
    stored.test = query.text(0);
    stored.target = target_from(json::parse(query.text(1)));
    json facts = json::parse(query.text(2));
    stored.sha256 = query.text(3);
    stored.build_id = query.text(4);
    stored.role = parse_role(facts.at("role").get<std::string>()).value_or(Role::victim);
    facts.at("witness").get_to(stored.witness);
    stored.singles = facts.value("singles", std::vector<std::string>());  // older rows have none
    stored.cleaners = facts.value("cleaners", std::vector<std::string>());
    stored.expected = outcome_from(facts.at("expected"));
    stored.alone = outcome_from(facts.at("alone"));
    stored.witnessed = outcome_from(facts.at("witnessed"));
  } catch (const json::exception& error) {
    return internal_error(
        fmt::format("dependence D{} is stored in a way we cannot read: {}", id, error.what()));
  }
  return stored;
}

Result<std::vector<int>> DependenceStore::of_last_search() {
  auto last = database_.prepare("SELECT max(id) FROM searches").first_integer();
  if (!last) return last.error();
  if (!*last) return usage_error("the database has no search yet", "gordian detect makes one");
  return of_search(**last);
}

Result<std::vector<int>> DependenceStore::of_last_search(const std::string& binary_path) {
  auto last = database_.prepare("SELECT max(id) FROM searches WHERE binary_path = ?1")
                  .bind(binary_path)
                  .first_integer();
  if (!last) return last.error();
  if (!*last) {
    return usage_error(fmt::format("the database has no search of {}", binary_path),
                       fmt::format("gordian detect {} makes one", binary_path));
  }
  return of_search(**last);
}

Result<std::vector<int>> DependenceStore::of_search(std::int64_t search) {
  Statement query =
      database_.prepare("SELECT id FROM dependences WHERE search_id = ?1 ORDER BY id");
  return read_numbers(query.bind(search));
}

Result<std::vector<int>> DependenceStore::of_binary(const std::string& binary_path) {
  Statement query =
      database_.prepare("SELECT id FROM dependences WHERE binary_path = ?1 ORDER BY id");
  return read_numbers(query.bind(binary_path));
}

Result<bool> DependenceStore::was_searched(const BinaryIdentity& binary) {
  auto search = database_
                    .prepare(
                        "SELECT max(id) FROM searches WHERE binary_path = ?1"
                        " AND (sha256 = ?2 OR (build_id = ?3 AND build_id <> ''))")
                    .bind(binary.path, binary.sha256, binary.build_id)
                    .first_integer();
  if (!search) return search.error();
  return search->has_value();
}

}  // namespace gordian
