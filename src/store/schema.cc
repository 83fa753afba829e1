// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/schema.h"

#include <fmt/format.h>

#include <array>

namespace gordian {
namespace {

constexpr const char* kVersion1 = R"sql(
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

constexpr const char* kVersion2 = R"sql(
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

constexpr const char* kVersion3 = R"sql(
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

constexpr const char* kVersion4 = R"sql(
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

constexpr const char* kVersion5 = R"sql(
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

constexpr const char* kVersion6 = R"sql(
PRAGMA user_version = 6;

CREATE TABLE fixes (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  binary_path     TEXT NOT NULL,
  sha256          TEXT NOT NULL,
  settings        TEXT NOT NULL,
  created_unix_ms INTEGER NOT NULL,
  diff            BLOB NOT NULL,
  facts           TEXT NOT NULL,
  UNIQUE (binary_path, settings)
) STRICT;

CREATE TABLE repairs (
  fix_id        INTEGER NOT NULL REFERENCES fixes (id) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  dependence_id INTEGER NOT NULL REFERENCES dependences (id) ON DELETE CASCADE,
  verified      INTEGER NOT NULL,
  facts         TEXT NOT NULL,
  PRIMARY KEY (fix_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX repairs_by_dependence ON repairs (dependence_id);

CREATE TABLE fix_files (
  fix_id INTEGER NOT NULL REFERENCES fixes (id) ON DELETE CASCADE,
  path   TEXT NOT NULL,
  before BLOB,
  after  BLOB NOT NULL,
  PRIMARY KEY (fix_id, path)
) STRICT;
)sql";

constexpr const char* kVersion7 = R"sql(
PRAGMA user_version = 7;

CREATE TABLE coverage (
  id              INTEGER PRIMARY KEY,
  binary_path     TEXT NOT NULL,
  way             TEXT NOT NULL,
  digest          INTEGER NOT NULL,
  sha256          TEXT NOT NULL,
  build_id        TEXT NOT NULL,
  libraries       TEXT NOT NULL,
  created_unix_ms INTEGER NOT NULL,
  about           TEXT NOT NULL,
  statements      BLOB NOT NULL,
  functions       BLOB NOT NULL,
  UNIQUE (binary_path, way, digest)
) STRICT;
)sql";

constexpr const char* kVersion8 = R"sql(
PRAGMA user_version = 8;

ALTER TABLE searches ADD COLUMN suite_id INTEGER REFERENCES suites (id);
ALTER TABLE searches ADD COLUMN detail TEXT NOT NULL DEFAULT '';
)sql";

constexpr const char* kVersion9 = R"sql(
PRAGMA user_version = 9;

CREATE TABLE curves (
  binary_path     TEXT NOT NULL,
  technique       TEXT NOT NULL,
  units           TEXT NOT NULL,
  sha256          TEXT NOT NULL,
  seed            INTEGER NOT NULL,
  created_unix_ms INTEGER NOT NULL,
  curve           TEXT NOT NULL,
  PRIMARY KEY (binary_path, technique, units)
) STRICT, WITHOUT ROWID;
)sql";

/// The columns stay; their content has a shorter form, which those of earlier versions take where
/// it can be told in SQL. What they have of longer forms is read as it is.
constexpr const char* kVersion10 = R"sql(
PRAGMA user_version = 10;

UPDATE state_tests SET covered = x'' WHERE covered = zeroblob(length(covered));
UPDATE state_tests SET results = '"pass"' WHERE results =
  '{"alone":{"exit_code":0,"file":"","in_tear_down":false,"kind":"pass","line":0,"message":"",'
  || '"signal":0},"changed_by":[],"expected":{"exit_code":0,"file":"","in_tear_down":false,'
  || '"kind":"pass","line":0,"message":"","signal":0}}';
)sql";

/// A test may have several findings. Earlier versions kept the last one only: where there is a
/// dependence others may be missing, so those states keep what they know, and are searched again.
constexpr const char* kVersion11 = R"sql(
PRAGMA user_version = 11;

CREATE TABLE findings_of_states (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  state_id INTEGER NOT NULL REFERENCES search_states (id) ON DELETE CASCADE,
  kind     TEXT NOT NULL,
  test_id  INTEGER NOT NULL,
  facts    TEXT NOT NULL
) STRICT;
INSERT INTO findings_of_states SELECT position, state_id, kind, test_id, facts FROM state_findings;
DROP TABLE state_findings;
ALTER TABLE findings_of_states RENAME TO state_findings;
CREATE INDEX findings_by_state ON state_findings (state_id);

DELETE FROM state_phases
  WHERE state_id IN (SELECT state_id FROM state_findings WHERE kind = 'dependence');
UPDATE state_tests SET covered = x''
  WHERE state_id IN (SELECT state_id FROM state_findings WHERE kind = 'dependence');
)sql";

/// The public JSON of a search was kept beside `detail`, which says the same and is what is read.
constexpr const char* kVersion12 = R"sql(
PRAGMA user_version = 12;

ALTER TABLE searches DROP COLUMN facts;
ALTER TABLE runs ADD COLUMN runtime TEXT NOT NULL DEFAULT '';  -- '': not told, see Target
)sql";

/// What ran the tests of a suite was told by its framework alone, while there were two that could.
/// And what was written and never read goes: what a repair came to is told by its facts, and a
/// build by its digest.
constexpr const char* kVersion13 = R"sql(
PRAGMA user_version = 13;

ALTER TABLE suites ADD COLUMN runtime TEXT NOT NULL DEFAULT 'native';
UPDATE suites SET runtime = 'process' WHERE framework = 'process';

ALTER TABLE repairs DROP COLUMN verified;
ALTER TABLE explanations DROP COLUMN build_id;
ALTER TABLE data_flows DROP COLUMN build_id;
ALTER TABLE coverage DROP COLUMN build_id;
ALTER TABLE curves DROP COLUMN created_unix_ms;
)sql";

constexpr std::array<Migration, 13> kMigrations = {{
    {1, kVersion1},
    {2, kVersion2},
    {3, kVersion3},
    {4, kVersion4},
    {5, kVersion5},
    {6, kVersion6},
    {7, kVersion7},
    {8, kVersion8},
    {9, kVersion9},
    {10, kVersion10},
    {11, kVersion11},
    {12, kVersion12},
    {13, kVersion13},
}};

Status apply(Database& database, const Migration& step) {
  if (Status status = database.run_script(step.sql); !status) return status;
  Result<int> version = read_version(database);
  if (!version) return version.error();
  if (*version != step.version) {
    return internal_error(
        fmt::format("migration {} of the database left version {}", step.version, *version));
  }
  return {};
}

}  // namespace

std::span<const Migration> migrations() {
  return kMigrations;
}

int schema_version() {
  return kMigrations.back().version;
}

Result<int> read_version(Database& database) {
  auto version = database.prepare("PRAGMA user_version").first_integer();
  if (!version) return version.error();
  return static_cast<int>(version->value_or(0));
}

Status migrate(Database& database, std::span<const Migration> steps) {
  Result<int> version = read_version(database);
  if (!version) return version.error();
  if (steps.empty() || *version >= steps.back().version) return {};

  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  version = read_version(database);  // another process may have migrated while we waited
  if (!version) return version.error();
  for (const Migration& step : steps) {
    if (step.version <= *version) continue;
    if (Status status = apply(database, step); !status) return status;
  }
  return transaction->commit();
}

}  // namespace gordian
