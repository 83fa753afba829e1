// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The reading half of RunStore. Each call reads inside one transaction: another process may be
// writing, and a report must not mix two moments.
#include <algorithm>
#include <map>
#include <utility>

#include "model/outcome_codec.h"
#include "store/run_store.h"
#include "store/suite_rows.h"
#include "store/words.h"

namespace gordian {
namespace {

struct LoadedHeader {
  RunFacts facts;
  SuiteRow suite;
};

/// Reads a word into `out`.
template <class E>
Status read_word(const Statement& row, int column, E& out) {
  Result<E> parsed = parse_stored_word<E>(row.text(column));
  if (!parsed) return parsed.error();
  out = *parsed;
  return {};
}

Status read_run_words(const Statement& row, RunFacts& facts) {
  if (Status s = read_word(row, 10, facts.header.requested); !s) return s;
  if (Status s = read_word(row, 11, facts.header.used); !s) return s;
  if (Status s = read_word(row, 12, facts.header.control); !s) return s;
  if (Status s = read_word(row, 19, facts.end); !s) return s;
  return read_word(row, 21, facts.header.target.runtime);
}

void read_run_fields(const Statement& row, RunFacts& facts) {
  RunHeader& header = facts.header;
  header.binary.sha256 = row.text(1);
  header.binary.build_id = row.text(2);
  header.binary.size = static_cast<std::uint64_t>(row.integer(3));
  header.binary.path = row.text(4);
  header.target.binary = row.text(5);
  header.target.working_dir = row.text(6);
  header.target.origin = row.text(7);
  header.order_spec = row.text(8);
  if (!row.is_null(9)) header.seed = static_cast<std::uint64_t>(row.integer(9));
  header.private_fs = row.integer(13) != 0;
  header.jobs = row.small_integer(14);
  header.repeat = row.small_integer(15);
  header.test_timeout_ms = row.integer(16);
  header.command = row.text(17);
  header.started_unix_ms = row.integer(18);
  facts.wall = std::chrono::nanoseconds(row.integer(20));
}

/// nullopt for an unknown run.
Result<std::optional<LoadedHeader>> load_header(Database& database, RunId run) {
  Statement select = database.prepare(
      "SELECT suite_id, sha256, build_id, size, binary_path, target_binary, working_dir, origin,"
      " order_spec, seed, isolation_requested, isolation_used, control, private_fs, jobs, repeat,"
      " test_timeout_ms, command, started_unix_ms, run_end, wall_ns, runtime"
      " FROM runs JOIN binaries ON binaries.id = binary_id WHERE runs.id = ?1");
  Result<bool> found = select.bind(run).step();
  if (!found) return found.error();
  if (!*found) return std::optional<LoadedHeader>();
  LoadedHeader loaded;
  loaded.facts.id = run;
  loaded.suite = SuiteRow{select.integer(0)};
  read_run_fields(select, loaded.facts);
  if (Status status = read_run_words(select, loaded.facts); !status) return status.error();
  return std::optional(std::move(loaded));
}

Status load_target_words(Database& database, RunId run, Target& target) {
  Statement args =
      database.prepare("SELECT value FROM run_args WHERE run_id = ?1 ORDER BY position");
  Status status = args.bind(run).each([&](Statement& row) { target.args.push_back(row.text(0)); });
  if (!status) return status;
  Statement env =
      database.prepare("SELECT name, value FROM run_env WHERE run_id = ?1 ORDER BY position");
  return env.bind(run).each([&](Statement& row) {
    std::optional<std::string> value;
    if (!row.is_null(1)) value = row.text(1);
    target.env.emplace_back(row.text(0), std::move(value));
  });
}

OrderRun without_results(Order order) {
  OrderRun run;
  run.runs.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) run.runs[i].test = order[i];
  run.order = std::move(order);
  return run;
}

Status load_orders(Database& database, RunId run, RunFacts& facts) {
  Statement select = database.prepare(
      "SELECT repeat_index, order_id FROM run_orders WHERE run_id = ?1 ORDER BY repeat_index");
  return select.bind(run).each([&](Statement& row) -> Status {
    if (row.integer(0) != static_cast<std::int64_t>(facts.orders.size())) {
      return inconsistent(database, "an order of a run is missing");
    }
    Result<Order> order = load_order(database, OrderRow{row.integer(1)}, facts.suite.size());
    if (!order) return order.error();
    facts.orders.push_back(without_results(*std::move(order)));
    return {};
  });
}

/// The place that columns 0 and 1 (repeat, position) name; nullptr when there is none.
TestRun* place(RunFacts& facts, const Statement& row) {
  const auto repeat = static_cast<std::uint64_t>(row.integer(0));
  if (repeat >= facts.orders.size()) return nullptr;
  std::vector<TestRun>& runs = facts.orders[repeat].runs;
  const auto position = static_cast<std::uint64_t>(row.integer(1));
  return position < runs.size() ? &runs[position] : nullptr;
}

/// What a result has to say stands in a row of its own, where it has anything to say.
Status load_results(Database& database, RunId run, RunFacts& facts) {
  Statement select = database.prepare(
      "SELECT repeat_index, position, test_id, duration_ns, leaked_threads, leaked_children,"
      " output, output_truncated, kind, signal, exit_code, file, line, message"
      " FROM results LEFT JOIN details USING (run_id, repeat_index, position) WHERE run_id = ?1");
  return select.bind(run).each([&](Statement& row) -> Status {
    TestRun* result = place(facts, row);
    if (result == nullptr || result->test.value() != row.integer(2)) {
      return inconsistent(database, "a result does not fit its order");
    }
    result->duration = std::chrono::nanoseconds(row.integer(3));
    result->leaks = {row.small_integer(4), row.small_integer(5)};
    result->output = row.text(6);
    result->output_truncated = row.integer(7) != 0;
    const std::string kind = row.text(8), file = row.text(11), message = row.text(13);
    auto outcome =
        outcome_of({kind, file, row.integer(12), message, row.integer(9), row.integer(10), false});
    if (!outcome) return inconsistent(database, outcome.error().message);
    result->outcome = *std::move(outcome);
    return {};
  });
}

Status load_frames(Database& database, RunId run, RunFacts& facts) {
  Statement select = database.prepare(
      "SELECT repeat_index, position, function, file, line, module, address FROM frames"
      " WHERE run_id = ?1 ORDER BY repeat_index, position, depth");
  return select.bind(run).each([&](Statement& row) -> Status {
    TestRun* result = place(facts, row);
    if (result == nullptr) return inconsistent(database, "a stack does not fit its order");
    result->stack.push_back({row.text(2), row.text(3), row.small_integer(4), row.text(5),
                             static_cast<std::uint64_t>(row.integer(6))});
    return {};
  });
}

Status load_notices(Database& database, RunId run, RunFacts& facts) {
  Statement select =
      database.prepare("SELECT level, text FROM notices WHERE run_id = ?1 ORDER BY id");
  return select.bind(run).each([&](Statement& row) -> Status {
    Notice notice;
    notice.text = row.text(1);
    if (Status status = read_word(row, 0, notice.level); !status) return status;
    facts.notices.push_back(std::move(notice));
    return {};
  });
}

Status load_body(Database& database, RunId run, RunFacts& facts) {
  if (Status s = load_target_words(database, run, facts.header.target); !s) return s;
  if (Status s = load_orders(database, run, facts); !s) return s;
  if (Status s = load_results(database, run, facts); !s) return s;
  if (Status s = load_frames(database, run, facts); !s) return s;
  return load_notices(database, run, facts);
}

/// What is missing of the `planned` positions was not run.
Status count_results(Database& database, int planned, RunSummary& summary) {
  Statement select =
      database.prepare("SELECT kind, count(*) FROM results WHERE run_id = ?1 GROUP BY kind");
  Status status = select.bind(summary.id).each([&](Statement& row) -> Status {
    auto kind = parse_outcome_kind(row.text(0));
    if (!kind) return inconsistent(database, "there is no outcome '" + row.text(0) + "'");
    summary.counts.of(*kind) += row.small_integer(1);
    return {};
  });
  if (status) summary.counts.not_run += planned - summary.counts.total();
  return status;
}

Status read_summary(Database& database, const Statement& row, RunSummary& summary) {
  summary.id = RunId{row.integer(0)};
  summary.started_unix_ms = row.integer(1);
  summary.binary_path = row.text(2);
  summary.origin = row.text(3);
  summary.order_spec = row.text(4);
  summary.repeat = row.small_integer(6);
  summary.wall = std::chrono::nanoseconds(row.integer(8));
  if (Status status = read_word(row, 5, summary.isolation); !status) return status;
  if (Status status = read_word(row, 7, summary.end); !status) return status;
  return count_results(database, row.small_integer(9), summary);
}

}  // namespace

Result<RunFacts> RunStore::load_run(RunId run) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction.error();
  auto loaded = load_header(database_, run);
  if (!loaded) return loaded.error();
  if (!*loaded) return unknown_run(run);
  RunFacts facts = std::move((*loaded)->facts);
  Result<Suite> suite = load_suite(database_, (*loaded)->suite);
  if (!suite) return suite.error();
  facts.suite = *std::move(suite);
  if (Status status = load_body(database_, run, facts); !status) return status.error();
  return facts;
}

Result<std::vector<RunSummary>> RunStore::recent_runs(int limit) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction.error();
  std::vector<RunSummary> summaries;
  Statement select = database_.prepare(
      "SELECT id, started_unix_ms, binary_path, origin, order_spec, isolation_used, repeat,"
      " run_end, wall_ns, (SELECT sum(length) FROM run_orders JOIN orders"
      "   ON orders.id = order_id WHERE run_id = runs.id)"
      " FROM runs ORDER BY id DESC LIMIT ?1");
  Status status = select.bind(std::max(limit, 0)).each([&](Statement& row) {
    return read_summary(database_, row, summaries.emplace_back());
  });
  if (!status) return status.error();
  return summaries;
}

Result<std::optional<RunId>> RunStore::latest_run() {
  auto newest = database_.prepare("SELECT max(id) FROM runs").first_integer();
  if (!newest) return newest.error();
  std::optional<RunId> run;
  if (*newest) run = RunId{**newest};
  return run;
}

Result<std::optional<RecordedTimes>> RunStore::recorded_times(const std::string& binary_path) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction.error();
  auto run = database_
                 .prepare(
                     "SELECT max(r.id) FROM runs r"
                     " JOIN run_orders ro ON ro.run_id = r.id AND ro.repeat_index = 0"
                     " JOIN orders o ON o.id = ro.order_id"
                     " WHERE r.binary_path = ?1 AND r.order_spec = 'default'"
                     " AND r.run_end = 'finished' AND o.length >= (SELECT count(*) FROM tests t"
                     "  WHERE t.suite_id = r.suite_id AND t.will_run <> 0)")
                 .bind(binary_path)
                 .first_integer();
  if (!run) return run.error();
  if (!*run) return std::optional<RecordedTimes>();
  RecordedTimes times{RunId{**run}, {}};
  Statement query = database_.prepare(
      "SELECT t.suite, t.name, min(s.duration_ns) FROM results s JOIN runs r ON r.id = s.run_id"
      " JOIN tests t ON t.suite_id = r.suite_id AND t.test_id = s.test_id"
      " WHERE s.run_id = ?1 GROUP BY s.test_id");
  Status read = query.bind(times.run).each([&times](Statement& row) {
    Test test;
    test.suite = row.text(0);
    test.name = row.text(1);
    times.by_test[test.full_name()] = std::chrono::nanoseconds(row.integer(2));
  });
  if (!read) return read.error();
  return std::optional(std::move(times));
}

}  // namespace gordian
