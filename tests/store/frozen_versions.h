// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The SQL that made database files of earlier versions, each with some content. Frozen, apart from
// the program: it must not follow changes of store/schema.cc. Each new version adds its own.
#pragma once

namespace gordian::store_test {

inline constexpr const char* kFrozenVersion1 = R"sql(
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

inline constexpr const char* kContentOfVersion1 = R"sql(
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
inline constexpr const char* kFrozenVersion2 = R"sql(
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

inline constexpr const char* kContentOfVersion2 = R"sql(
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
inline constexpr const char* kFrozenVersion3 = R"sql(
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

inline constexpr const char* kContentOfVersion3 = R"sql(
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
inline constexpr const char* kFrozenVersion4 = R"sql(
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

inline constexpr const char* kContentOfVersion4 = R"sql(
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
inline constexpr const char* kFrozenVersion5 = R"sql(
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

inline constexpr const char* kContentOfVersion5 = R"sql(
INSERT INTO data_flows VALUES (3, '/b/t', 'trace', -3983974209235029072, 'feed', 'b01d', 'lib', 1700000000000,
  '{"order": [0, 1], "states": [["variable", "x", "int", "s.cc", 4]], "tests": [
     {"test": 0, "reads": [], "writes": [0], "unsure": ""},
     {"test": 1, "reads": [0], "writes": [], "unsure": "it crashed"}],
    "dependences": [{"reader": 1, "writer": 0, "states": [0], "write": null, "read": null}],
    "misses": ["much"], "passes": 2, "seconds": 0.5}',
  '{"tested": [[1, 0, "manifest", "", 1, [1]]], "schedules": 1, "tests_run": 2, "seconds": 0.25}');
)sql";

/// Leads from a file of version 5 to one of version 6.
inline constexpr const char* kFrozenVersion6 = R"sql(
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

inline constexpr const char* kContentOfVersion6 = R"sql(
INSERT INTO fixes VALUES (2, '/b/t', 'feed', '{}', 1700000000000, X'2D2D2DFF',
  '{"source_root": "/src", "build_command": "make", "commit_message": "why", "failing_before": 3,
    "failing_after": 1, "random_orders": 20, "checks": [], "seconds": 1.5}');
INSERT INTO repairs VALUES (2, 0, 4, 1,
  '{"accepted": 0, "gone_by": "", "why_not": "", "inapplicable": [
      {"strategy": "own-reset", "why": "there is none"}],
    "attempts": [{"verdict": "verified", "why": "", "build_seconds": 1, "check_seconds": 2,
      "checks": [{"name": "alone", "passed": true, "runs": 3, "detail": ""}],
      "patch": {"strategy": "restore", "diff": "--- a", "summary": "s", "reason": "r",
        "commit_message": "c", "added": 1, "removed": 2, "files": ["t.cc"],
        "product_code": false}}]}');
INSERT INTO fix_files VALUES (2, '/src/new.h', NULL, X'00FF');
INSERT INTO fix_files VALUES (2, '/src/t.cc', X'FE', X'6162');
)sql";

/// Leads from a file of version 6 to one of version 7.
inline constexpr const char* kFrozenVersion7 = R"sql(
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

inline constexpr const char* kContentOfVersion7 = R"sql(
INSERT INTO coverage VALUES (1, '/b/t', 'alone', 837682048086119438, 'feed', 'b01d', 'lib', 1700000000000,
  '{"source": "gcc --coverage", "notices": ["much"], "statements": [["/a.cc", [1, 2]], ["/b.h", [7]]],
    "functions": [["/a.cc", [[1, "f()"]]]]}',
  x'010002010101', x'01000100');
)sql";

/// Leads from a file of version 7 to one of version 8.
inline constexpr const char* kFrozenVersion8 = R"sql(
PRAGMA user_version = 8;

ALTER TABLE searches ADD COLUMN suite_id INTEGER REFERENCES suites (id);
ALTER TABLE searches ADD COLUMN detail TEXT NOT NULL DEFAULT '';
)sql";

inline constexpr const char* kContentOfVersion8 = R"sql(
INSERT INTO searches VALUES (9, '/b/t', 'feed', 'b01d', 1700000000000, '{}', 1,
  '{"target": {"binary": "/b/t", "args": ["--x"], "working_dir": "/b", "env": [], "origin": ""},
    "isolation": "snapshot", "private_fs": true,
    "search": {"algorithm": "auto", "orders": 5, "tests_run": 9, "wall_ns": 7, "budget_ms": 60000,
      "out_of_budget": false, "complete_k": 2, "pairs_total": 2, "pairs_covered": 2, "seed": 18446744073709551615,
      "phases": [{"algorithm": "isolation", "orders": 2, "tests_run": 2, "found": 1, "wall_ns": 3, "finished": true}],
      "resumed": null, "pruning": null},
    "dependences": [{"id": 4, "test": 1, "role": "brittle", "by": [0],
      "expected": {"kind": "pass", "file": "", "line": 0, "message": "", "signal": 0, "exit_code": 0},
      "alone": {"kind": "crash", "file": "", "line": 0, "message": "", "signal": 11, "exit_code": 0},
      "witnessed": {"kind": "pass", "file": "", "line": 0, "message": "", "signal": 0, "exit_code": 0},
      "confirmed": 3, "singles": [0], "singles_complete": true, "cleaners": [], "cleaners_complete": false,
      "splits_suite": false, "found_by": "isolation"}],
    "nondeterministic": [], "declared": [], "left_out": [{"test": 0, "why": "because"}], "flows": [],
    "notices": [{"level": "warning", "text": "careful"}], "end": "finished"}');
UPDATE dependences SET search_id = 9 WHERE id = 4;
)sql";

/// Leads from a file of version 8 to one of version 9.
inline constexpr const char* kFrozenVersion9 = R"sql(
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

inline constexpr const char* kContentOfVersion9 = R"sql(
INSERT INTO curves VALUES ('/b/t', 'T4 aware', 'statements', 'feed', -1, 1700000000000,
  '{"rate": 0.75, "covered": [3, 4]}');
INSERT INTO curves VALUES ('/b/t', 'default', 'statements', 'feed', 0, 1700000000000,
  '{"rate": 0.5, "covered": [1, 4]}');
)sql";

/// Leads from a file of version 9 to one of version 10.
inline constexpr const char* kFrozenVersion10 = R"sql(
PRAGMA user_version = 10;

UPDATE state_tests SET covered = x'' WHERE covered = zeroblob(length(covered));
UPDATE state_tests SET results = '"pass"' WHERE results =
  '{"alone":{"exit_code":0,"file":"","in_tear_down":false,"kind":"pass","line":0,"message":"",'
  || '"signal":0},"changed_by":[],"expected":{"exit_code":0,"file":"","in_tear_down":false,'
  || '"kind":"pass","line":0,"message":"","signal":0}}';
)sql";

/// Of the state that version 3 has left: a word, a short result, runs.
inline constexpr const char* kContentOfVersion10 = R"sql(
INSERT INTO state_tests SELECT 2, value, 'S.' || value, '1:bb', '"pass"', x''
  FROM (WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < 99)
        SELECT value FROM n);
UPDATE state_tests SET covered = x'0102' WHERE test_id = 2;
UPDATE state_tests SET covered = x'01000000000000000000000008' WHERE test_id = 0;
UPDATE state_tests SET results = '{"alone":null,"changed_by":[["skip",[2]]],"expected":"pass"}'
  WHERE test_id = 3;
)sql";

inline constexpr const char* kFrozenVersion11 = R"sql(
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

/// The one that earlier versions have kept.
inline constexpr const char* kOneDependence = R"sql(
INSERT INTO state_findings (state_id, kind, test_id, facts) VALUES
  (2, 'dependence', 3, '{"test": 3, "role": "brittle", "by": [1], "expected": {"kind": "pass", "file": "", "line":
    0, "message": "", "signal": 0, "exit_code": 0}, "alone": {"kind": "fail", "file": "s.cc",
    "line": 4, "message": "m", "signal": 0, "exit_code": 0}, "witnessed": {"kind": "pass",
    "file": "", "line": 0, "message": "", "signal": 0, "exit_code": 0}, "confirmed": 3, "fresh":
    3, "passes_after": [], "singles": [1], "singles_complete": true, "cleaners": [],
    "cleaners_complete": false, "splits_suite": false, "found_by": "exhaustive"}');
)sql";

/// Of the state that version 3 has left: two dependences of one test.
inline constexpr const char* kContentOfVersion11 = R"sql(
INSERT INTO state_findings (state_id, kind, test_id, facts) VALUES
  (2, 'dependence', 3, '{"test": 3, "role": "brittle", "by": [1], "expected": {"kind": "pass", "file": "", "line":
    0, "message": "", "signal": 0, "exit_code": 0}, "alone": {"kind": "fail", "file": "s.cc",
    "line": 4, "message": "m", "signal": 0, "exit_code": 0}, "witnessed": {"kind": "pass",
    "file": "", "line": 0, "message": "", "signal": 0, "exit_code": 0}, "confirmed": 3, "fresh":
    3, "passes_after": [], "singles": [1], "singles_complete": true, "cleaners": [],
    "cleaners_complete": false, "splits_suite": false, "found_by": "exhaustive"}'),
  (2, 'dependence', 3, '{"test": 3, "role": "victim", "by": [1, 2], "expected": {"kind": "pass", "file": "", "line":
    0, "message": "", "signal": 0, "exit_code": 0}, "alone": {"kind": "fail", "file": "s.cc",
    "line": 4, "message": "m", "signal": 0, "exit_code": 0}, "witnessed": {"kind": "fail",
    "file": "s.cc", "line": 8, "message": "m", "signal": 0, "exit_code": 0}, "confirmed": 3,
    "fresh": 3, "passes_after": [1], "singles": [], "singles_complete": true, "cleaners": [],
    "cleaners_complete": false, "splits_suite": false, "found_by": "exhaustive"}');
)sql";

inline constexpr const char* kFrozenVersion12 = R"sql(
PRAGMA user_version = 12;

ALTER TABLE searches DROP COLUMN facts;
ALTER TABLE runs ADD COLUMN runtime TEXT NOT NULL DEFAULT '';
)sql";

/// Tests that are processes of their own.
inline constexpr const char* kContentOfVersion12 = R"sql(
INSERT INTO suites VALUES (90, 7, 'process', '');
INSERT INTO tests VALUES (90, 0, '', 'prog', '', 0, '', '', 0, 1);
INSERT INTO orders VALUES (90, 90, 7, 1, x'00000000');
INSERT INTO runs (id, binary_id, suite_id, binary_path, target_binary, working_dir, origin, order_spec,
  isolation_requested, isolation_used, control, private_fs, jobs, repeat, test_timeout_ms, command,
  started_unix_ms, run_end, wall_ns, runtime)
  SELECT 90, binary_id, 90, '/build', '/build', '/build', '', 'default', 'auto', 'process', 'hooks', 1, 1, 1,
  0, '', 9, 'finished', 9, 'process' FROM runs WHERE id = 5;
)sql";

inline constexpr const char* kFrozenVersion13 = R"sql(
PRAGMA user_version = 13;

ALTER TABLE suites ADD COLUMN runtime TEXT NOT NULL DEFAULT 'native';
UPDATE suites SET runtime = 'process' WHERE framework = 'process';

ALTER TABLE repairs DROP COLUMN verified;
ALTER TABLE explanations DROP COLUMN build_id;
ALTER TABLE data_flows DROP COLUMN build_id;
ALTER TABLE coverage DROP COLUMN build_id;
ALTER TABLE curves DROP COLUMN created_unix_ms;
)sql";

}  // namespace gordian::store_test
