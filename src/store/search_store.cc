// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/search_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/outcome_codec.h"
#include "store/encoding.h"
#include "store/facts_json.h"
#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr const char* kDependence = "dependence";
constexpr const char* kNondeterministic = "nondeterministic";
constexpr const char* kLeftOut = "left_out";

/// Text cannot hold bytes that are no UTF-8; they must count all the same.
std::int64_t raw_digest(const SearchSettings& settings) {
  Digest digest;
  digest.add(settings.target.working_dir.string()).add(settings.filter).add(settings.target);
  return digest.value();
}

std::string settings_text(const SearchSettings& settings) {
  json value = target_json(settings.target);
  value.erase("origin");  // how it was found, not what it is
  value.erase("runtime");
  value["filter"] = settings.filter;
  value["isolation"] = stored_word(settings.isolation);
  value["private_fs"] = settings.private_fs;
  value["private_dirs"] = settings.private_dirs;
  value["test_timeout_ms"] = settings.test_timeout_ms;
  value["digest"] = raw_digest(settings);
  return dump_compact(value);
}

json optional_json(const std::optional<Outcome>& outcome) {
  return outcome ? to_short_json(*outcome) : json();
}

std::optional<Outcome> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(outcome_from(value));
}

/// By result, because many tests change another one in the same way.
json changes_json(const TestRecord& test) {
  std::map<std::string, json> firsts;
  for (const auto& [first, outcome] : test.changed_by) {
    firsts[dump_compact(to_short_json(outcome))].push_back(first.value());
  }
  json list = json::array();
  for (const auto& [outcome, tests] : firsts) list.push_back({json::parse(outcome), tests});
  return list;
}

std::string results_text(const TestRecord& test) {
  json value = {{"expected", optional_json(test.expected)}, {"alone", optional_json(test.alone)}};
  if (!test.changed_by.empty()) {
    value["changed_by"] = changes_json(test);
  } else if (value["expected"].is_string() && value["expected"] == value["alone"]) {
    value = json(value["alone"]);  // nearly every test: one word
  }
  return dump_compact(value);
}

void read_results(const std::string& text, TestRecord& test, std::size_t tests) {
  const json value = json::parse(text);
  if (value.is_string()) {
    test.expected = test.alone = outcome_from(value);
    return;
  }
  test.expected = optional_from(value.at("expected"));
  test.alone = optional_from(value.at("alone"));
  if (!value.contains("changed_by")) return;
  for (const json& group : value.at("changed_by")) {
    const Outcome outcome = outcome_from(group.at(0));
    for (const json& first : group.at(1)) {
      test.changed_by.emplace_back(test_id_from(first, tests), outcome);
    }
  }
}

Error unreadable(const Database& database, std::string_view what) {
  return internal_error(
      fmt::format("{}: the state of the earlier search cannot be read: {}", database.file(), what),
      "--full starts the search afresh and replaces it");
}

}  // namespace

Result<std::optional<StoredSearch>> SearchStore::load(const SearchSettings& settings) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction.error();
  auto id =
      database_.prepare("SELECT id FROM search_states WHERE binary_path = ?1 AND settings = ?2")
          .bind(settings.target.binary.string(), settings_text(settings))
          .first_integer();
  if (!id) return id.error();
  if (!*id) return std::optional<StoredSearch>();
  StoredSearch stored;
  stored.id = SearchStateId{**id};
  own_ = {stored.id, {}};
  try {
    for (auto load : {&SearchStore::load_head, &SearchStore::load_tests, &SearchStore::load_phases,
                      &SearchStore::load_findings}) {
      if (Status loaded = (this->*load)(stored); !loaded) return loaded.error();
    }
  } catch (const json::exception& error) {
    return unreadable(database_, error.what());
  }
  return std::optional(std::move(stored));
}

Status SearchStore::load_head(StoredSearch& stored) {
  Statement query = database_.prepare(
      "SELECT sha256, build_id, libraries, seed, order_cost_ns, updated_unix_ms"
      " FROM search_states WHERE id = ?1");
  auto row = query.bind(stored.id).step();
  if (!row) return row.error();
  SearchRecord& record = stored.record;
  record.build = {query.text(0), query.text(1), query.text(2)};
  record.seed = static_cast<std::uint64_t>(query.integer(3));
  record.order_cost_ns = query.integer(4);
  record.updated_unix_ms = query.integer(5);
  return {};
}

Status SearchStore::load_tests(StoredSearch& stored) {
  auto count = database_.prepare("SELECT count(*) FROM state_tests WHERE state_id = ?1")
                   .bind(stored.id)
                   .first_integer();
  if (!count) return count.error();
  const auto tests = static_cast<std::size_t>(count->value_or(0));
  Statement query = database_.prepare(
      "SELECT test_id, name, code_hash, results, covered FROM state_tests"
      " WHERE state_id = ?1 ORDER BY test_id");
  return query.bind(stored.id).each([&](Statement& row) -> Status {
    if (row.integer(0) != static_cast<std::int64_t>(stored.record.tests.size())) {
      return unreadable(database_, "its tests are not numbered through");
    }
    TestRecord test;
    test.name = row.text(1);
    test.code_hash = row.text(2);
    read_results(row.text(3), test, tests);
    const auto covered = unpack_ids(row.bytes(4), tests);
    if (!covered) return unreadable(database_, "its pairs do not fit its tests");
    test.covered.resize(tests);
    set_flags(*covered, test.covered);
    stored.record.tests.push_back(std::move(test));
    return {};
  });
}

Result<std::vector<StoredSearch>> SearchStore::states_of(const BinaryIdentity& binary) {
  Statement query = database_.prepare(
      "SELECT id FROM search_states WHERE binary_path = ?1"
      " AND (sha256 = ?2 OR (build_id = ?3 AND build_id <> '')) ORDER BY id");
  return query.bind(binary.path, binary.sha256, binary.build_id).list([](Statement& row) {
    return StoredSearch{SearchStateId{row.integer(0)}, {}};
  });
}

Result<std::vector<std::string>> SearchStore::nondeterministic(const BinaryIdentity& binary) {
  auto states = states_of(binary);
  if (!states) return states.error();
  std::set<std::string> names;
  for (StoredSearch& state : *states) {
    try {
      if (Status loaded = load_tests(state); !loaded) return loaded.error();
      if (Status loaded = load_findings(state); !loaded) return loaded.error();
    } catch (const json::exception& error) {
      return unreadable(database_, error.what());
    }
    for (const NondeterministicTest& found : state.record.nondeterministic) {
      names.insert(state.record.tests[found.test.value()].name);
    }
  }
  return std::vector(names.begin(), names.end());
}

Result<std::vector<std::pair<std::string, std::string>>> SearchStore::changed_pairs(
    const BinaryIdentity& binary) {
  auto states = states_of(binary);
  if (!states) return states.error();
  std::vector<std::pair<std::string, std::string>> pairs;
  for (StoredSearch& state : *states) {
    try {
      if (Status loaded = load_tests(state); !loaded) return loaded.error();
    } catch (const json::exception& error) {
      return unreadable(database_, error.what());
    }
    for (const TestRecord& second : state.record.tests) {
      for (const auto& [first, outcome] : second.changed_by) {
        pairs.emplace_back(state.record.tests[first.value()].name, second.name);
      }
    }
  }
  return pairs;
}

Status SearchStore::load_phases(StoredSearch& stored) {
  Statement query =
      database_.prepare("SELECT phase, mark, finished FROM state_phases WHERE state_id = ?1");
  return query.bind(stored.id).each([&](Statement& row) {
    // A phase that this version does not know is begun afresh.
    if (auto key = PhaseKey::parse(row.text(0))) {
      stored.record.phases[*key] = {row.text(1), row.integer(2) != 0};
    }
  });
}

Status SearchStore::load_findings(StoredSearch& stored) {
  SearchRecord& record = stored.record;
  const std::size_t tests = record.tests.size();
  Statement query = database_.prepare(
      "SELECT kind, position, facts FROM state_findings WHERE state_id = ?1 ORDER BY position");
  Status read = query.bind(stored.id).each([&](Statement& row) -> Status {
    const std::string kind = row.text(0);
    const json facts = json::parse(row.text(2));
    if (kind != kLeftOut && stored.id == own_.state) own_.positions.push_back(row.integer(1));
    if (kind == kDependence) {
      record.dependences.push_back(dependence_from(facts, tests));
    } else if (kind == kNondeterministic) {
      record.nondeterministic.push_back(nondeterministic_from(facts, tests));
    } else if (kind == kLeftOut) {
      record.left_out.push_back(
          {test_id_from(facts.at("test"), tests), facts.at("why").get<std::string>()});
    } else {
      return unreadable(database_, "unknown finding '" + kind + "'");
    }
    return {};
  });
  // Of two processes one may have seen it waver.
  std::erase_if(record.dependences, [&record](const Dependence& one) {
    return std::any_of(record.nondeterministic.begin(), record.nondeterministic.end(),
                       [&one](const auto& other) { return other.test == one.test; });
  });
  return read;
}

Result<SearchStateId> SearchStore::begin(const SearchSettings& settings,
                                         const SearchRecord& record) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  const std::string path = settings.target.binary.string(), text = settings_text(settings);
  Status removed =
      database_.prepare("DELETE FROM search_states WHERE binary_path = ?1 AND settings = ?2")
          .run(path, text);
  if (!removed) return removed.error();
  auto id = database_
                .prepare(
                    "INSERT INTO search_states (binary_path, settings, sha256, build_id, libraries,"
                    " seed, order_cost_ns, started_unix_ms, updated_unix_ms)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8) RETURNING id")
                .insert(path, text, record.build.sha256, record.build.build_id,
                        record.build.libraries, record.seed, record.order_cost_ns, unix_ms());
  if (!id) return id.error();
  const SearchStateId state{*id};
  own_ = {state, {}};
  for (std::size_t i = 0; i < record.tests.size(); ++i) {
    Status saved = save_test(state, TestId{static_cast<std::uint32_t>(i)}, record.tests[i]);
    if (!saved) return saved.error();
  }
  if (Status saved = save_phases(state, record.phases); !saved) return saved.error();
  Status saved = save_findings(state, record.dependences, record.nondeterministic, record.left_out);
  if (!saved) return saved.error();
  if (Status committed = transaction->commit(); !committed) return committed.error();
  return state;
}

Result<bool> SearchStore::update(SearchStateId state, const SearchUpdate& update) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto touched = database_
                     .prepare(
                         "UPDATE search_states SET seed = ?2, order_cost_ns = ?3,"
                         " updated_unix_ms = ?4 WHERE id = ?1 RETURNING id")
                     .bind(state, update.seed, update.order_cost_ns, unix_ms())
                     .first_integer();
  if (!touched) return touched.error();
  if (!*touched) return false;
  for (const auto& [id, test] : update.tests) {
    if (Status saved = save_test(state, id, test); !saved) return saved.error();
  }
  if (Status saved = save_phases(state, update.phases); !saved) return saved.error();
  if (Status dropped = drop_own_findings(state); !dropped) return dropped.error();
  Status saved = save_findings(state, update.dependences, update.nondeterministic, {});
  if (!saved) return saved.error();
  if (Status committed = transaction->commit(); !committed) return committed.error();
  return true;
}

/// Another process may have covered other pairs of the same row: its bits stay.
Status SearchStore::save_test(SearchStateId state, TestId id, const TestRecord& test) {
  IdRuns covered = runs_of(test.covered);
  Statement before =
      database_.prepare("SELECT covered FROM state_tests WHERE state_id = ?1 AND test_id = ?2");
  auto row = before.bind(state, id).step();
  if (!row) return row.error();
  if (*row) {
    const auto stored = unpack_ids(before.bytes(0), test.covered.size());
    if (!stored) return unreadable(database_, "its pairs do not fit its tests");
    if (!stored->empty()) {
      std::vector<bool> both = test.covered;
      set_flags(*stored, both);
      covered = runs_of(both);
    }
  }
  const std::vector<std::byte> packed = pack_ids(covered, test.covered.size());
  return database_
      .prepare(
          "INSERT INTO state_tests (state_id, test_id, name, code_hash, results, covered)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (state_id, test_id)"
          " DO UPDATE SET results = excluded.results, covered = excluded.covered")
      .run(state, id, test.name, test.code_hash, results_text(test), Bytes(packed));
}

Status SearchStore::save_phases(SearchStateId state,
                                const std::map<PhaseKey, PhaseRecord>& phases) {
  Statement insert = database_.prepare(
      "INSERT INTO state_phases (state_id, phase, mark, finished) VALUES (?1, ?2, ?3, ?4)"
      " ON CONFLICT (state_id, phase) DO UPDATE SET mark = excluded.mark,"
      " finished = excluded.finished");
  for (const auto& [key, phase] : phases) {
    if (Status saved = insert.run(state, key.text(), phase.mark, phase.finished); !saved)
      return saved;
  }
  return {};
}

/// Positions are never used again, so those that another process has dropped are no one else's.
Status SearchStore::drop_own_findings(SearchStateId state) {
  if (own_.state != state) own_ = {state, {}};
  Statement remove = database_.prepare("DELETE FROM state_findings WHERE position = ?1");
  for (std::int64_t position : own_.positions) {
    if (Status removed = remove.run(position); !removed) return removed;
  }
  own_.positions.clear();
  return {};
}

Status SearchStore::save_finding(SearchStateId state, const char* kind, TestId test,
                                 const std::string& facts) {
  Status saved =
      database_
          .prepare(
              "INSERT INTO state_findings (state_id, kind, test_id, facts) VALUES (?1, ?2, ?3, ?4)")
          .run(state, std::string_view(kind), test, facts);
  if (saved.ok() && kind != kLeftOut) own_.positions.push_back(database_.last_insert_id());
  return saved;
}

Status SearchStore::save_findings(SearchStateId state, const std::vector<Dependence>& dependences,
                                  const std::vector<NondeterministicTest>& nondeterministic,
                                  const std::vector<LeftOutTest>& left_out) {
  Status saved;
  for (const Dependence& d : dependences) {
    saved = save_finding(state, kDependence, d.test, dump_compact(to_json(d)));
    if (!saved) return saved;
  }
  for (const NondeterministicTest& test : nondeterministic) {
    saved = save_finding(state, kNondeterministic, test.test, dump_compact(to_json(test)));
    if (!saved) return saved;
  }
  for (const LeftOutTest& out : left_out) {
    const json facts = {{"test", out.test.value()}, {"why", out.why}};
    saved = save_finding(state, kLeftOut, out.test, dump_compact(facts));
    if (!saved) return saved;
  }
  return {};
}

}  // namespace gordian
