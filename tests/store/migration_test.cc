// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Old files stay readable. The SQL below made the files of versions 1 to 4 and is frozen here,
// apart from the program: it must not follow changes of store/schema.cc. Each new version adds its
// own.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/flow_store.h"
#include "store/open_file.h"
#include "store/schema.h"
#include "store/search_store.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

constexpr const char* kFrozenVersion1 = R"sql(
PRAGMA application_id = 0x474F5244;
PRAGMA user_version = 1;

CREATE TABLE binaries (
  id       INTEGER PRIMARY KEY,
  sha256   TEXT NOT NULL,
  build_id TEXT NOT NULL,
  size     INTEGER NOT NULL,
  UNIQUE (sha256, build_id, size)
) STRICT;

CREATE TABLE suites (
  id                INTEGER PRIMARY KEY,
  digest            INTEGER NOT NULL,
  framework         TEXT NOT NULL,
  framework_version TEXT NOT NULL
) STRICT;
CREATE INDEX suites_by_digest ON suites (digest);

CREATE TABLE tests (
  suite_id    INTEGER NOT NULL REFERENCES suites (id) ON DELETE CASCADE,
  test_id     INTEGER NOT NULL,
  suite       TEXT NOT NULL,
  name        TEXT NOT NULL,
  file        TEXT NOT NULL,
  line        INTEGER NOT NULL,
  type_param  TEXT NOT NULL,
  value_param TEXT NOT NULL,
  disabled    INTEGER NOT NULL,
  will_run    INTEGER NOT NULL,
  PRIMARY KEY (suite_id, test_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
  id       INTEGER PRIMARY KEY,
  suite_id INTEGER NOT NULL REFERENCES suites (id) ON DELETE CASCADE,
  digest   INTEGER NOT NULL,
  length   INTEGER NOT NULL,
  tests    BLOB NOT NULL
) STRICT;
CREATE INDEX orders_by_digest ON orders (suite_id, digest);

CREATE TABLE runs (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_id           INTEGER NOT NULL REFERENCES binaries (id),
  suite_id            INTEGER NOT NULL REFERENCES suites (id),
  binary_path         TEXT NOT NULL,
  target_binary       TEXT NOT NULL,
  working_dir         TEXT NOT NULL,
  origin              TEXT NOT NULL,
  order_spec          TEXT NOT NULL,
  seed                INTEGER,
  isolation_requested TEXT NOT NULL,
  isolation_used      TEXT NOT NULL,
  control             TEXT NOT NULL,
  private_fs          INTEGER NOT NULL,
  jobs                INTEGER NOT NULL,
  repeat              INTEGER NOT NULL,
  test_timeout_ms     INTEGER NOT NULL,
  command             TEXT NOT NULL,
  started_unix_ms     INTEGER NOT NULL,
  run_end             TEXT NOT NULL,
  wall_ns             INTEGER NOT NULL
) STRICT;

CREATE TABLE run_args (
  run_id   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_env (
  run_id   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name     TEXT NOT NULL,
  value    TEXT,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_orders (
  run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  repeat_index INTEGER NOT NULL,
  order_id     INTEGER NOT NULL REFERENCES orders (id),
  PRIMARY KEY (run_id, repeat_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
  run_id          INTEGER NOT NULL,
  repeat_index    INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  test_id         INTEGER NOT NULL,
  kind            TEXT NOT NULL,
  duration_ns     INTEGER NOT NULL,
  signal          INTEGER NOT NULL,
  exit_code       INTEGER NOT NULL,
  leaked_threads  INTEGER NOT NULL,
  leaked_children INTEGER NOT NULL,
  PRIMARY KEY (run_id, repeat_index, position),
  FOREIGN KEY (run_id, repeat_index) REFERENCES run_orders (run_id, repeat_index) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE details (
  run_id           INTEGER NOT NULL,
  repeat_index     INTEGER NOT NULL,
  position         INTEGER NOT NULL,
  file             TEXT NOT NULL,
  line             INTEGER NOT NULL,
  message          TEXT NOT NULL,
  output           BLOB NOT NULL,
  output_truncated INTEGER NOT NULL,
  PRIMARY KEY (run_id, repeat_index, position),
  FOREIGN KEY (run_id, repeat_index, position)
    REFERENCES results (run_id, repeat_index, position) ON DELETE CASCADE
) STRICT;

CREATE TABLE frames (
  run_id       INTEGER NOT NULL,
  repeat_index INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  depth        INTEGER NOT NULL,
  function     TEXT NOT NULL,
  file         TEXT NOT NULL,
  line         INTEGER NOT NULL,
  module       TEXT NOT NULL,
  address      INTEGER NOT NULL,
  PRIMARY KEY (run_id, repeat_index, position, depth),
  FOREIGN KEY (run_id, repeat_index, position)
    REFERENCES results (run_id, repeat_index, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE notices (
  id     INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  level  TEXT NOT NULL,
  text   TEXT NOT NULL
) STRICT;
CREATE INDEX notices_by_run ON notices (run_id);
)sql";

constexpr const char* kContentOfVersion1 = R"sql(
PRAGMA journal_mode = WAL;
INSERT INTO binaries VALUES (1, 'feed', 'b01d', 4096);
INSERT INTO suites VALUES (1, 42, 'gtest', '1.12.1');
INSERT INTO tests VALUES (1, 0, 'S', 'A', 's.cc', 3, '', '', 0, 1);
INSERT INTO tests VALUES (1, 1, 'S', 'B', 's.cc', 9, 'int', '7', 0, 1);
INSERT INTO orders VALUES (1, 1, 43, 2, x'0100000000000000');
INSERT INTO runs VALUES (5, 1, 1, '/b/t', '/b/t', '/b', '', 'reverse', NULL, 'fork', 'none',
  'hooks', 1, 2, 1, 60000, 'gordian run t', 1700000000000, 'failed_fast', 77);
INSERT INTO run_args VALUES (5, 0, '--x');
INSERT INTO run_env VALUES (5, 0, 'A', 'b'), (5, 1, 'C', NULL);
INSERT INTO run_orders VALUES (5, 0, 1);
INSERT INTO results VALUES (5, 0, 0, 1, 'crash', 900, 11, 0, 1, 2);
INSERT INTO details VALUES (5, 0, 0, 's.cc', 9, 'boom', x'6f7574', 0);
INSERT INTO frames VALUES (5, 0, 0, 0, 'f()', 's.cc', 10, 't', -1);
INSERT INTO notices VALUES (1, 5, 'warning', 'careful');
)sql";

/// Leads from a file of version 1 to one of version 2.
constexpr const char* kFrozenVersion2 = R"sql(
PRAGMA user_version = 2;

CREATE TABLE searches (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_path     TEXT NOT NULL,
  sha256          TEXT NOT NULL,
  build_id        TEXT NOT NULL,
  ended_unix_ms   INTEGER NOT NULL,
  facts           TEXT NOT NULL
) STRICT;
CREATE INDEX searches_by_binary ON searches (binary_path, id);

CREATE TABLE dependences (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_path     TEXT NOT NULL,
  test            TEXT NOT NULL,
  search_id       INTEGER NOT NULL REFERENCES searches (id),
  target          TEXT NOT NULL,
  facts           TEXT NOT NULL,
  UNIQUE (binary_path, test)
) STRICT;
)sql";

constexpr const char* kContentOfVersion2 = R"sql(
INSERT INTO searches VALUES (3, '/b/t', 'feed', 'b01d', 1700000000000, '{}');
INSERT INTO dependences VALUES (4, '/b/t', 'S.B', 3,
  '{"binary": "/b/t", "args": ["--x"], "working_dir": "/b", "env": [["A", "b"], ["C", null]],
    "origin": ""}',
  '{"role": "brittle", "witness": ["S.A", "S.B"],
    "expected": {"kind": "pass", "file": "", "line": 0, "message": "", "signal": 0, "exit_code": 0},
    "alone": {"kind": "crash", "file": "", "line": 0, "message": "", "signal": 11, "exit_code": 0},
    "witnessed": {"kind": "pass", "file": "", "line": 0, "message": "", "signal": 0,
      "exit_code": 0}}');
)sql";

/// Leads from a file of version 2 to one of version 3.
constexpr const char* kFrozenVersion3 = R"sql(
PRAGMA user_version = 3;

CREATE TABLE search_states (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_path     TEXT NOT NULL,
  settings        TEXT NOT NULL,
  sha256          TEXT NOT NULL,
  build_id        TEXT NOT NULL,
  libraries       TEXT NOT NULL,
  seed            INTEGER NOT NULL,
  order_cost_ns   INTEGER NOT NULL,
  started_unix_ms INTEGER NOT NULL,
  updated_unix_ms INTEGER NOT NULL,
  UNIQUE (binary_path, settings)
) STRICT;

CREATE TABLE state_tests (
  state_id  INTEGER NOT NULL REFERENCES search_states (id) ON DELETE CASCADE,
  test_id   INTEGER NOT NULL,
  name      TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  results   TEXT NOT NULL,
  covered   BLOB NOT NULL,
  PRIMARY KEY (state_id, test_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_phases (
  state_id INTEGER NOT NULL REFERENCES search_states (id) ON DELETE CASCADE,
  phase    TEXT NOT NULL,
  mark     TEXT NOT NULL,
  finished INTEGER NOT NULL,
  PRIMARY KEY (state_id, phase)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_findings (
  position INTEGER PRIMARY KEY,
  state_id INTEGER NOT NULL REFERENCES search_states (id) ON DELETE CASCADE,
  kind     TEXT NOT NULL,
  test_id  INTEGER NOT NULL,
  facts    TEXT NOT NULL,
  UNIQUE (state_id, test_id)
) STRICT;
)sql";

constexpr const char* kContentOfVersion3 = R"sql(
INSERT INTO search_states VALUES (2, '/b/t',
  '{"args":["--x"],"binary":"/b/t","digest":-5791531880940433571,"env":[],"filter":"","isolation":"fork","private_dirs":[],"private_fs":true,"test_timeout_ms":1000,"working_dir":"/b"}',
  'feed', 'b01d', 'lib', 7, 400000, 1700000000000, 1700000001000);
INSERT INTO state_tests VALUES
  (2, 0, 'S.A', '1:aa', '{"expected": {"kind": "pass", "file": "", "line": 0, "message": "",
    "signal": 0, "exit_code": 0}, "alone": null, "changed_by": []}', x'02'),
  (2, 1, 'S.B', '', '{"expected": null, "alone": null, "changed_by": [[{"kind": "fail",
    "file": "s.cc", "line": 9, "message": "m", "signal": 0, "exit_code": 0}, [0]]]}', x'00');
INSERT INTO state_phases VALUES (2, 'isolation', '2/2', 1);
INSERT INTO state_findings VALUES (1, 2, 'left_out', 1, '{"test": 1, "why": "because"}');
)sql";

/// Leads from a file of version 3 to one of version 4.
constexpr const char* kFrozenVersion4 = R"sql(
PRAGMA user_version = 4;

CREATE TABLE explanations (
  dependence_id   INTEGER PRIMARY KEY REFERENCES dependences (id) ON DELETE CASCADE,
  sha256          TEXT NOT NULL,
  build_id        TEXT NOT NULL,
  witness         TEXT NOT NULL,
  with_sites      INTEGER NOT NULL,
  created_unix_ms INTEGER NOT NULL,
  facts           TEXT NOT NULL
) STRICT;
)sql";

constexpr const char* kContentOfVersion4 = R"sql(
INSERT INTO explanations VALUES (4, 'feed', 'b01d', '["S.A", "S.B"]', 1, 1700000000000,
  '{"carriers": [{"kind": "env", "name": "LANG", "type": "", "old": null, "new": "de",
      "file": "", "line": 0, "proved": true, "read": null,
      "write": {"test": "S.A", "shown": 1, "times": 2, "times_capped": true, "stack": [
        {"function": "setenv", "file": "", "line": 0, "module": "libc.so.6",
         "address": 18446744073709551615},
        {"function": "f()", "file": "s.cc", "line": 7, "module": "t", "address": 16}]}}],
    "proved": true, "proofs": 3, "changes": 5, "why_not": "", "seconds": 1.5}');
)sql";

/// Leads from a file of version 4 to one of version 5.
constexpr const char* kFrozenVersion5 = R"sql(
PRAGMA user_version = 5;

CREATE TABLE data_flows (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_path     TEXT NOT NULL,
  kind            TEXT NOT NULL,
  digest          INTEGER NOT NULL,
  sha256          TEXT NOT NULL,
  build_id        TEXT NOT NULL,
  libraries       TEXT NOT NULL,
  created_unix_ms INTEGER NOT NULL,
  flow            TEXT NOT NULL,
  refinement      TEXT NOT NULL,
  UNIQUE (binary_path, kind, digest)
) STRICT;
)sql";

constexpr const char* kContentOfVersion5 = R"sql(
INSERT INTO data_flows VALUES (3, '/b/t', 'trace', -3983974209235029072, 'feed', 'b01d', 'lib', 1700000000000,
  '{"order": [0, 1], "states": [["variable", "x", "int", "s.cc", 4]], "tests": [
     {"test": 0, "reads": [], "writes": [0], "unsure": ""},
     {"test": 1, "reads": [0], "writes": [], "unsure": "it crashed"}],
    "dependences": [{"reader": 1, "writer": 0, "states": [0], "write": null, "read": null}],
    "misses": ["much"], "passes": 2, "seconds": 0.5}',
  '{"tested": [[1, 0, "manifest", "", 1, [1]]], "schedules": 1, "tests_run": 2, "seconds": 0.25}');
)sql";

std::string no_json(const DetectFacts&) {
  return "{}";
}

class Migrations : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::create);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion1));
    ASSERT_DONE(database->run_script(kContentOfVersion1));
  }
};

TEST_F(Migrations, FileOfVersion1IsRead) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load_run(RunId{5});
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->header.order_spec, "reverse");
  EXPECT_EQ(facts->header.used, Isolation::none);
  EXPECT_EQ(facts->header.target.env[1].second, std::nullopt);
  EXPECT_EQ(facts->end, RunEnd::failed_fast);
  EXPECT_EQ(facts->suite.test(TestId{1}).value_param, "7");
  EXPECT_EQ(facts->orders.at(0).order, (Order{TestId{1}, TestId{0}}));
  const TestRun& crashed = facts->orders[0].runs[0];
  EXPECT_EQ(crashed.outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(crashed.outcome.message, "boom");
  EXPECT_EQ(crashed.output, "out");
  EXPECT_EQ(crashed.stack.at(0).address, ~std::uint64_t{0});
  EXPECT_EQ(facts->notices.at(0).text, "careful");
}

TEST_F(Migrations, FileOfVersion1TakesNewRuns) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto run = store->begin_run(plain_header(), numbered_suite(1), {TestId{0}});
  ASSERT_DONE(run);
  EXPECT_EQ(*run, RunId{6});
}

TEST_F(Migrations, FileOfVersion1IsAtTheCurrentVersionOnceOpened) {
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_EQ(*read_version(*database), schema_version());
}

/// A file as version 2 left it, with the runs of version 1 in it.
class MigrationsFrom2 : public Migrations {
 protected:
  void SetUp() override {
    Migrations::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion2));
    ASSERT_DONE(database->run_script(kContentOfVersion2));
  }
};

TEST_F(MigrationsFrom2, DependencesAreRead) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto stored = store->load(4);
  ASSERT_DONE(stored);
  EXPECT_EQ(stored->test, "S.B");
  EXPECT_EQ(stored->role, Role::brittle);
  EXPECT_EQ(stored->witness, (std::vector<std::string>{"S.A", "S.B"}));
  EXPECT_EQ(stored->alone.kind, OutcomeKind::crash);
  EXPECT_EQ(stored->alone.signal, 11);
  EXPECT_EQ(stored->target.args, std::vector<std::string>{"--x"});
  EXPECT_EQ(stored->target.env.at(1).second, std::nullopt);
}

TEST_F(MigrationsFrom2, RunsAreStillThereAndTheVersionIsCurrent) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  EXPECT_EQ(store->load_run(RunId{5})->notices.at(0).text, "careful");
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_EQ(*read_version(*database), schema_version());
}

TEST_F(MigrationsFrom2, ADependenceFoundAgainKeepsItsNumber) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  DetectFacts facts;
  facts.binary.path = "/b/t";
  facts.suite =
      Suite(Framework::gtest, "1.12.1",
            {{"S", "B", "", 0, "", "", false, true}, {"S", "C", "", 0, "", "", false, true}});
  facts.dependences.resize(2);
  facts.dependences[1].test = TestId{1};
  ASSERT_DONE(store->save(facts, no_json));
  EXPECT_EQ(facts.dependences[0].id, 4);
  EXPECT_GT(facts.dependences[1].id, 4);
}

TEST_F(MigrationsFrom2, TakesTheStateOfASearch) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  SearchSettings settings;
  settings.target.binary = "/b/t";
  auto none = store->load(settings);
  ASSERT_DONE(none);
  EXPECT_FALSE(none->has_value());
  ASSERT_DONE(store->begin(settings, SearchRecord{}));
  EXPECT_TRUE(store->load(settings)->has_value());
}

/// A file as version 3 left it.
class MigrationsFrom3 : public MigrationsFrom2 {
 protected:
  void SetUp() override {
    MigrationsFrom2::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion3));
    ASSERT_DONE(database->run_script(kContentOfVersion3));
  }
};

TEST_F(MigrationsFrom3, TheStateOfASearchIsRead) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  SearchSettings settings;
  settings.target.binary = "/b/t";
  settings.target.working_dir = "/b";
  settings.target.args = {"--x"};
  settings.private_fs = true;
  settings.test_timeout_ms = 1000;
  auto loaded = store->load(settings);
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const SearchRecord& record = (*loaded)->record;
  EXPECT_EQ(record.build, (SearchedBuild{"feed", "b01d", "lib"}));
  EXPECT_EQ(record.seed, 7U);
  EXPECT_EQ(record.updated_unix_ms, 1700000001000);
  ASSERT_EQ(record.tests.size(), 2U);
  EXPECT_EQ(record.tests[0].code_hash, "1:aa");
  EXPECT_EQ(record.tests[0].covered, (std::vector{false, true}));
  EXPECT_EQ(record.tests[1].changed_by.at(0).second.line, 9);
  EXPECT_EQ(record.phases.at("isolation"), (PhaseRecord{"2/2", true}));
  EXPECT_EQ(record.left_out.at(0).why, "because");
}

TEST_F(Migrations, FileOfVersion1TakesDependences) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  DetectFacts facts;
  facts.suite = numbered_suite(1);
  facts.dependences.resize(1);
  ASSERT_DONE(store->save(facts, no_json));
  EXPECT_EQ(facts.dependences[0].id, 1);
}

TEST_F(MigrationsFrom3, TakesAnExplanation) {
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  EXPECT_FALSE(store->load(4)->has_value());
  ASSERT_DONE(store->save(4, StoredExplanation{}));
  EXPECT_TRUE(store->load(4)->has_value());
  auto dependences = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(dependences);
  EXPECT_EQ(dependences->load(4)->test, "S.B");
}

/// A file as version 4 left it.
class MigrationsFrom4 : public MigrationsFrom3 {
 protected:
  void SetUp() override {
    MigrationsFrom3::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion4));
    ASSERT_DONE(database->run_script(kContentOfVersion4));
  }
};

TEST_F(MigrationsFrom4, ExplanationsAreRead) {
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load(4);
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  EXPECT_TRUE((*loaded)->fits("feed", {"S.A", "S.B"}));
  const Explanation& explanation = (*loaded)->explanation;
  EXPECT_EQ(explanation.dependence, "D4");
  ASSERT_EQ(explanation.carriers.size(), 1U);
  const Carrier& carrier = explanation.carriers[0];
  EXPECT_EQ(carrier.kind, CarrierKind::environment);
  EXPECT_EQ(carrier.old_value, std::nullopt);
  EXPECT_EQ(carrier.new_value, "de");
  ASSERT_TRUE(carrier.write);
  EXPECT_FALSE(carrier.read);
  EXPECT_TRUE(carrier.write->times_capped);
  EXPECT_EQ(carrier.write->stack.at(0).address, ~std::uint64_t{0});
  EXPECT_EQ(carrier.write->stack.at(carrier.write->shown).line, 7);
}

/// A file as version 5 left it.
class MigrationsFrom5 : public MigrationsFrom4 {
 protected:
  void SetUp() override {
    MigrationsFrom4::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion5));
    ASSERT_DONE(database->run_script(kContentOfVersion5));
  }
};

TEST_F(MigrationsFrom5, DataFlowsAreRead) {
  auto store = FlowStore::open(dir_ / "db");
  ASSERT_DONE(store);
  FlowKey key;
  key.target.binary = "/b/t";
  key.source = FlowSource::trace;
  key.order = {TestId{0}, TestId{1}};
  auto loaded = store->load(key, {"feed", "b01d", "lib"}, numbered_suite(2));
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const DataFlow& flow = (*loaded)->flow;
  EXPECT_EQ(flow.states.at(0).name, "x");
  EXPECT_EQ(flow.tests.at(1).unsure, "it crashed");
  EXPECT_EQ(flow.dependences.at(0).states, std::vector{StateId{0}});
  EXPECT_EQ((*loaded)->refinement.tested.at(0).tested.verdict, FlowVerdict::manifest);
}

TEST_F(MigrationsFrom4, TakesADataFlow) {
  auto store = FlowStore::open(dir_ / "db");
  ASSERT_DONE(store);
  FlowKey key;
  ASSERT_DONE(store->save(key, {}, numbered_suite(1), DataFlow{}));
  EXPECT_TRUE(store->load(key, {}, numbered_suite(1))->has_value());
}

TEST_F(Migrations, VersionsCountWithoutAGap) {
  int expected = 0;
  for (const Migration& step : migrations()) EXPECT_EQ(step.version, ++expected);
  EXPECT_EQ(schema_version(), expected);
}

TEST_F(Migrations, LaterStepAddsATableAndKeepsTheRuns) {
  const std::array<Migration, 2> steps = {{
      {1, "THIS IS NOT RUN AGAIN"},
      {2,
       "PRAGMA user_version = 2;"
       "CREATE TABLE witnesses (id INTEGER PRIMARY KEY,"
       " order_id INTEGER NOT NULL REFERENCES orders (id)) STRICT;"
       "INSERT INTO witnesses VALUES (1, 1)"},
  }};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  ASSERT_DONE(migrate(*database, steps));
  EXPECT_EQ(*read_version(*database), 2);
  EXPECT_EQ(*database->prepare("SELECT count(*) FROM runs, witnesses").first_integer(), 1);
}

TEST_F(Migrations, FailedStepLeavesTheOldVersion) {
  const std::array<Migration, 2> steps = {{
      {2, "PRAGMA user_version = 2; CREATE TABLE half (x)"},
      {3, "PRAGMA user_version = 3; CREATE TABLE runs (x)"},  // there is one already
  }};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  EXPECT_FALSE(migrate(*database, steps).ok());
  EXPECT_EQ(*read_version(*database), 1);
  EXPECT_FALSE(database->prepare("SELECT * FROM half").step().ok());
}

TEST_F(Migrations, StepThatForgetsItsVersionIsCaught) {
  const std::array<Migration, 1> steps = {{{2, "CREATE TABLE extra (x)"}}};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  EXPECT_FALSE(migrate(*database, steps).ok());
  EXPECT_FALSE(database->prepare("SELECT * FROM extra").step().ok());
}

}  // namespace
}  // namespace gordian::store_test
