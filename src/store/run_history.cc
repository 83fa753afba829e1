// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/run_history.h"

#include "store/words.h"

namespace gordian {
namespace {

Result<PastRun> past_run_from(Statement& row) {
  auto isolation = parse_stored_word<Isolation>(row.text(2));
  if (!isolation) return isolation.error();
  auto end = parse_stored_word<RunEnd>(row.text(5));
  if (!end) return end.error();
  return PastRun{RunId{row.integer(0)},
                 row.text(1),
                 *isolation,
                 row.integer(3),
                 std::chrono::nanoseconds(row.integer(4)),
                 *end,
                 static_cast<std::size_t>(row.integer(6)),
                 static_cast<std::size_t>(row.integer(7))};
}

}  // namespace

Result<std::vector<PastRun>> load_history(Database& database, SuiteRow suite,
                                          const std::string& sha256) {
  // Only results of the runs that are told are counted.
  Statement query = database.prepare(
      "SELECT id, order_spec, isolation_used, started_unix_ms, wall_ns, run_end,"
      "  (SELECT count(*) FROM results WHERE run_id = r.id),"
      "  (SELECT count(*) FROM results WHERE run_id = r.id"
      "    AND kind IN ('fail', 'crash', 'timeout', 'exit', 'lost'))"
      " FROM (SELECT r.* FROM runs r JOIN binaries b ON b.id = r.binary_id"
      "       WHERE r.suite_id = ?1 AND b.sha256 = ?2 ORDER BY r.id DESC LIMIT ?3) r"
      " ORDER BY id DESC");
  std::vector<PastRun> runs;
  Status read = query.bind(suite, sha256, kMostPastRuns).each([&runs](Statement& row) -> Status {
    auto run = past_run_from(row);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
    return {};
  });
  if (!read) return read.error();
  return runs;
}

}  // namespace gordian
