// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The writing half of RunStore; run_load.cc holds the reading half.
#include "store/run_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/outcome_codec.h"
#include "store/encoding.h"
#include "store/suite_rows.h"
#include "store/words.h"

namespace gordian {
namespace {

Status check_order(const Order& order, std::size_t tests) {
  for (TestId test : order) {
    if (test.value() < tests) continue;
    return internal_error(
        fmt::format("an order names test {} of a suite of {}", test.value(), tests));
  }
  return {};
}

Status insert_run(Database& database, const RunHeader& header, BinaryRow binary, SuiteRow suite) {
  return database
      .prepare(
          "INSERT INTO runs (binary_id, suite_id, binary_path, target_binary, working_dir,"
          " origin, order_spec, seed, isolation_requested, isolation_used, control,"
          " private_fs, jobs, repeat, test_timeout_ms, command, started_unix_ms, run_end,"
          " runtime, wall_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
          " ?15, ?16, ?17, ?18, ?19, 0)")
      .run(binary, suite, header.binary.path, header.target.binary.native(),
           header.target.working_dir.native(), header.target.origin, header.order_spec, header.seed,
           stored_word(header.requested), stored_word(header.used), stored_word(header.control),
           header.private_fs, header.jobs, header.repeat, header.test_timeout_ms, header.command,
           header.started_unix_ms, stored_word(RunEnd::unfinished),
           runtime_word(header.target.runtime));
}

Status insert_target_words(Database& database, RunId run, const Target& target) {
  Statement arg =
      database.prepare("INSERT INTO run_args (run_id, position, value) VALUES (?1, ?2, ?3)");
  for (std::size_t i = 0; i < target.args.size(); ++i) {
    if (Status status = arg.run(run, i, target.args[i]); !status) return status;
  }
  Statement env = database.prepare(
      "INSERT INTO run_env (run_id, position, name, value) VALUES (?1, ?2, ?3, ?4)");
  for (std::size_t i = 0; i < target.env.size(); ++i) {
    const auto& [name, value] = target.env[i];
    if (Status status = env.run(run, i, name, value); !status) return status;
  }
  return {};
}

Status insert_run_order(Database& database, RunId run, int repeat_index, OrderRow order) {
  return database
      .prepare("INSERT INTO run_orders (run_id, repeat_index, order_id) VALUES (?1, ?2, ?3)")
      .run(run, repeat_index, order);
}

/// The order announced for a repeat; nullopt when there is none.
Result<std::optional<OrderRow>> announced(Database& database, RunId run, int repeat_index) {
  Statement select =
      database.prepare("SELECT order_id FROM run_orders WHERE run_id = ?1 AND repeat_index = ?2");
  auto row = select.bind(run, repeat_index).first_integer();
  if (!row) return row.error();
  std::optional<OrderRow> order;
  if (*row) order = OrderRow{**row};
  return order;
}

Result<std::int64_t> announced_count(Database& database, RunId run) {
  Statement select = database.prepare("SELECT max(repeat_index) FROM run_orders WHERE run_id = ?1");
  auto last = select.bind(run).first_integer();
  if (!last) return last.error();
  return last->has_value() ? **last + 1 : 0;
}

/// The suite of a run and how many tests it has; nullopt for an unknown run.
struct RunSuite {
  SuiteRow row;
  std::size_t tests = 0;
};

Result<std::optional<RunSuite>> suite_of(Database& database, RunId run) {
  Statement select = database.prepare(
      "SELECT suite_id, (SELECT count(*) FROM tests WHERE tests.suite_id = runs.suite_id)"
      " FROM runs WHERE id = ?1");
  Result<bool> found = select.bind(run).step();
  if (!found) return found.error();
  std::optional<RunSuite> suite;
  if (*found) suite = {SuiteRow{select.integer(0)}, static_cast<std::size_t>(select.integer(1))};
  return suite;
}

/// Inserts results of one repeat; its statements are prepared once for the whole batch.
class ResultWriter {
 public:
  ResultWriter(Database& database, RunId run, int repeat_index)
      : run_(run),
        repeat_index_(repeat_index),
        result_(database.prepare(
            "INSERT INTO results (run_id, repeat_index, position, test_id, kind, duration_ns,"
            " signal, exit_code, leaked_threads, leaked_children)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")),
        detail_(database.prepare(
            "INSERT INTO details (run_id, repeat_index, position, file, line, message, output,"
            " output_truncated) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")),
        frame_(database.prepare(
            "INSERT INTO frames (run_id, repeat_index, position, depth, function, file, line,"
            " module, address) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")) {}

  Status write(std::size_t position, const TestRun& run) {
    const OutcomeFields outcome = fields_of(run.outcome);
    Status status =
        result_.run(run_, repeat_index_, position, run.test, outcome.kind, run.duration.count(),
                    outcome.signal, outcome.exit_code, run.leaks.threads, run.leaks.children);
    if (status && has_detail(outcome, run)) status = write_detail(position, outcome, run);
    for (std::size_t depth = 0; status && depth < run.stack.size(); ++depth) {
      const StackFrame& frame = run.stack[depth];
      status = frame_.run(run_, repeat_index_, position, depth, frame.function, frame.file,
                          frame.line, frame.module, frame.address);
    }
    return status;
  }

 private:
  static bool has_detail(const OutcomeFields& outcome, const TestRun& run) {
    return !outcome.file.empty() || outcome.line != 0 || !outcome.message.empty() ||
           !run.output.empty() || run.output_truncated;
  }

  Status write_detail(std::size_t position, const OutcomeFields& outcome, const TestRun& run) {
    const CappedOutput output = cap_output(run.output);
    return detail_.run(run_, repeat_index_, position, outcome.file, outcome.line, outcome.message,
                       std::as_bytes(std::span(output.text)),
                       run.output_truncated || output.truncated);
  }

  RunId run_;
  int repeat_index_;
  Statement result_;
  Statement detail_;
  Statement frame_;
};

Status write_results(Database& database, RunId run, int repeat_index, const Order& order,
                     std::span<const PositionedRun> results) {
  ResultWriter writer(database, run, repeat_index);
  for (const PositionedRun& result : results) {
    if (result.position >= order.size() || order[result.position] != result.run.test) {
      return internal_error(fmt::format("test {} does not stand at position {} of order {} of {}",
                                        result.run.test.value(), result.position, repeat_index,
                                        to_string(run)));
    }
    if (Status status = writer.write(result.position, result.run); !status) return status;
  }
  return {};
}

}  // namespace

Result<RunId> RunStore::begin_run(const RunHeader& header, const Suite& suite, const Order& order) {
  if (Status status = check_order(order, suite.size()); !status) return status.error();
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  Result<BinaryRow> binary = save_binary(database_, header.binary);
  if (!binary) return binary.error();
  Result<SuiteRow> suite_row = save_suite(database_, suite);
  if (!suite_row) return suite_row.error();
  Result<OrderRow> order_row = save_order(database_, *suite_row, order);
  if (!order_row) return order_row.error();

  Status status = insert_run(database_, header, *binary, *suite_row);
  if (!status) return status.error();
  const RunId run{database_.last_insert_id()};
  status = insert_target_words(database_, run, header.target);
  if (status) status = insert_run_order(database_, run, 0, *order_row);
  if (status) status = transaction->commit();
  if (!status) return status.error();
  return run;
}

Status RunStore::add_order(RunId run, int repeat_index, const Order& order) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto suite = suite_of(database_, run);
  if (!suite) return suite.error();
  if (!*suite) return unknown_run(run);
  if (Status status = check_order(order, (*suite)->tests); !status) return status;
  Result<OrderRow> row = save_order(database_, (*suite)->row, order);
  if (!row) return row.error();

  auto before = announced(database_, run, repeat_index);
  if (!before) return before.error();
  if (*before == *row) return {};
  Result<std::int64_t> count = announced_count(database_, run);
  if (!count) return count.error();
  if (before->has_value() || repeat_index != *count) {
    return internal_error(fmt::format("{} has {} orders: order {} cannot be added", to_string(run),
                                      *count, repeat_index));
  }
  Status status = insert_run_order(database_, run, repeat_index, *row);
  return status ? transaction->commit() : status;
}

Status RunStore::add_results(RunId run, int repeat_index, std::span<const PositionedRun> results) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  auto suite = suite_of(database_, run);
  if (!suite) return suite.error();
  if (!*suite) return unknown_run(run);
  auto row = announced(database_, run, repeat_index);
  if (!row) return row.error();
  if (!*row) {
    return internal_error(fmt::format("{} has no order {} yet", to_string(run), repeat_index));
  }
  Result<Order> order = load_order(database_, **row, (*suite)->tests);
  if (!order) return order.error();
  Status status = write_results(database_, run, repeat_index, *order, results);
  return status ? transaction->commit() : status;
}

Status RunStore::add_notice(RunId run, const Notice& notice) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  Status status = database_
                      .prepare(
                          "INSERT INTO notices (run_id, level, text)"
                          " SELECT id, ?2, ?3 FROM runs WHERE id = ?1")
                      .run(run, stored_word(notice.level), notice.text);
  if (!status) return status;
  if (database_.changed_rows() == 0) return unknown_run(run);
  return transaction->commit();
}

Status RunStore::finish_run(RunId run, RunEnd end, std::chrono::nanoseconds wall) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  Status status = database_.prepare("UPDATE runs SET run_end = ?2, wall_ns = ?3 WHERE id = ?1")
                      .run(run, stored_word(end), wall.count());
  if (!status) return status;
  if (database_.changed_rows() == 0) return unknown_run(run);
  return transaction->commit();
}

Error RunStore::unknown_run(RunId run) {
  auto latest = latest_run();
  if (!latest) return latest.error();
  return usage_error(fmt::format("there is no run {} in {}", to_string(run), database_.file()),
                     latest->has_value() ? "the newest run is " + to_string(**latest)
                                         : "the database holds no runs yet");
}

}  // namespace gordian
