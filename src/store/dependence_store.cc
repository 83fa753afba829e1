// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/dependence_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/dependence_codec.h"
#include "store/facts_json.h"
#include "store/suite_rows.h"

namespace gordian {
namespace {

using nlohmann::json;

/// The same one; an empty one at the end if there is none.
Dependence& same_one(DetectFacts& facts, const Dependence& wanted) {
  auto known = std::ranges::find_if(
      facts.dependences, [&](const Dependence& one) { return same_dependence(one, wanted); });
  return known != facts.dependences.end() ? *known : facts.dependences.emplace_back();
}

/// One row for a test: which of its dependences it was.
struct StoredRow {
  DependenceId id;
  std::string key;  ///< see key_of()
  json facts;
};

/// The first dependence of a test is stored by its name alone, as when a test had only one.
std::string key_of(const std::string& test, int which) {
  return which == 1 ? test : fmt::format("{}\n{}", test, which);
}

/// How much a stored one is like this one: its result, but for the line, which a rebuild moves; or
/// its role.
int likeness(const json& stored, const Dependence& dependence) {
  if (stored.value("role", "") != to_string(dependence.role)) return 1;
  try {
    Outcome then = outcome_from(stored.at("witnessed")), now = dependence.witnessed;
    if (same_result(then, now) && same_crash_place(then, now)) return 4;
    then.line = now.line = 0;
    return same_result(then, now) ? 3 : 2;
  } catch (const json::exception&) {
    return 2;
  }
}

/// Another dependence of the test is more like what is stored.
bool is_wanted_by_another(const json& stored, int like, const DetectFacts& facts,
                          const Dependence& dependence) {
  if (!stored.is_object()) return false;
  return std::ranges::any_of(facts.dependences, [&](const Dependence& other) {
    return other.test == dependence.test && &other != &dependence && likeness(stored, other) > like;
  });
}

/// The first column of all rows.
Result<std::vector<DependenceId>> read_numbers(Statement& query) {
  return query.list([](Statement& row) { return DependenceId{row.small_integer(0)}; });
}

}  // namespace

Status DependenceStore::save(DetectFacts& facts) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto search = new_search(facts);
  if (!search) return search.error();
  if (Status written = write(facts, *search); !written) return written;
  return transaction->commit();
}

Status DependenceStore::add(DetectFacts& facts) {
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
  for (const Dependence& found : facts.dependences) same_one(joined, found) = found;
  if (Status written = write(joined, search); !written) return written;
  for (Dependence& found : facts.dependences) found.id = same_one(joined, found).id;
  return transaction->commit();
}

Result<std::int64_t> DependenceStore::new_search(const DetectFacts& facts) {
  return database_
      .prepare(
          "INSERT INTO searches (binary_path, sha256, build_id, ended_unix_ms)"
          " VALUES (?1, ?2, ?3, ?4) RETURNING id")
      .insert(facts.binary.path, facts.binary.sha256, facts.binary.build_id, unix_ms());
}

Status DependenceStore::write(DetectFacts& facts, std::int64_t search) {
  std::set<DependenceId> taken;
  for (Dependence& dependence : facts.dependences) {
    auto id = save_one(facts, dependence, search, taken);
    if (!id) return id.error();
    dependence.id = *id;
    taken.insert(*id);
  }
  // Only now the dependences have the numbers that are stored with the search.
  auto suite = save_suite(database_, facts.suite);
  if (!suite) return suite.error();
  return database_.prepare("UPDATE searches SET suite_id = ?2, detail = ?3 WHERE id = ?1")
      .run(search, *suite, dump_compact(search_facts_json(facts)));
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

/// A dependence that is found again keeps its number: that of the row of its test that is most like
/// it, and was not given to another one already.
Result<DependenceId> DependenceStore::save_one(const DetectFacts& facts,
                                               const Dependence& dependence, std::int64_t search_id,
                                               const std::set<DependenceId>& taken) {
  const std::string test = facts.suite.test(dependence.test).full_name();
  const std::string target = dump_compact(target_json(facts.target)),
                    what = dump_compact(to_json(named(facts.suite, dependence)));
  Statement query = database_.prepare(
      "SELECT id, test, facts FROM dependences WHERE binary_path = ?1"
      " AND (test = ?2 OR substr(test, 1, length(?2) + 1) = ?2 || char(10)) ORDER BY id");
  auto rows = query.bind(facts.binary.path, test).list([](Statement& row) {
    return StoredRow{DependenceId{row.small_integer(0)}, row.text(1),
                     json::parse(row.text(2), nullptr, false)};
  });
  if (!rows) return rows.error();
  const StoredRow* best = nullptr;
  int best_likeness = 0;
  for (const StoredRow& row : *rows) {
    const int like = row.facts.is_object() ? likeness(row.facts, dependence) : 1;
    if (taken.contains(row.id) || is_wanted_by_another(row.facts, like, facts, dependence))
      continue;
    if (like > best_likeness) best = &row, best_likeness = like;
  }
  if (best != nullptr) {
    Status done = database_
                      .prepare(
                          "UPDATE dependences SET search_id = ?2, target = ?3, facts = ?4"
                          " WHERE id = ?1")
                      .run(best->id, search_id, target, what);
    if (!done) return done.error();
    return best->id;
  }
  int which = 1;
  auto used = [&](const std::string& key) {
    return std::ranges::find(*rows, key, &StoredRow::key) != rows->end();
  };
  while (used(key_of(test, which))) ++which;
  auto id = database_
                .prepare(
                    "INSERT INTO dependences (binary_path, test, search_id, target, facts)"
                    " VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id")
                .insert(facts.binary.path, key_of(test, which), search_id, target, what);
  if (!id) return id.error();
  return DependenceId{static_cast<int>(*id)};
}

Error DependenceStore::unknown(DependenceId id) {
  auto newest = database_.prepare("SELECT max(id) FROM dependences").first_integer();
  const bool any = newest && newest->has_value();
  const DependenceId last{any ? static_cast<int>(**newest) : 0};
  return usage_error("the database has no dependence " + to_string(id),
                     any ? "the newest one is " + to_string(last) : "gordian detect finds them");
}

Result<std::vector<DependenceId>> DependenceStore::numbers() {
  Statement query = database_.prepare("SELECT id FROM dependences ORDER BY id");
  return read_numbers(query.bind());
}

Result<NamedDependence> DependenceStore::load(DependenceId id) {
  NamedDependence stored;
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
    stored.sha256 = query.text(3);
    stored.build_id = query.text(4);
    read_named(json::parse(query.text(2)), stored);
  } catch (const json::exception& error) {
    return internal_error(fmt::format("dependence {} is stored in a way we cannot read: {}",
                                      to_string(id), error.what()));
  }
  return stored;
}

Result<std::vector<DependenceId>> DependenceStore::of_last_search() {
  auto last = database_.prepare("SELECT max(id) FROM searches").first_integer();
  if (!last) return last.error();
  if (!*last) return usage_error("the database has no search yet", "gordian detect makes one");
  return of_search(**last);
}

Result<std::vector<DependenceId>> DependenceStore::of_last_search(const std::string& binary_path) {
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

Result<std::vector<DependenceId>> DependenceStore::of_search(std::int64_t search) {
  Statement query =
      database_.prepare("SELECT id FROM dependences WHERE search_id = ?1 ORDER BY id");
  return read_numbers(query.bind(search));
}

Result<std::vector<DependenceId>> DependenceStore::of_binary(const std::string& binary_path) {
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
