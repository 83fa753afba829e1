// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/report_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/dependence.h"
#include "store/curve_store.h"
#include "store/encoding.h"
#include "store/explanation_store.h"
#include "store/facts_json.h"
#include "store/suite_rows.h"
#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr int kMostPastRuns = 100;

Error no_search(const std::vector<std::string>& binaries) {
  if (binaries.empty()) {
    return usage_error("the database has no search yet", "gordian detect makes one");
  }
  return usage_error("the database has no search of " + binaries.front(),
                     "gordian detect " + binaries.front() + " makes one");
}

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

/// The runs of one build, in whatever order, the newest first.
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

}  // namespace

Result<ReportStore> ReportStore::open(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec)) {
    return usage_error("there is no database " + file.string(),
                       "gordian detect makes one; --db names another place");
  }
  return StoreOf::open(file);
}

Result<ReportFacts> ReportStore::load(const std::vector<std::string>& binaries) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction.error();
  auto searches = last_searches(binaries);
  if (!searches) return searches.error();
  ReportFacts facts;
  facts.db = database_.file();
  facts.made_unix_ms = unix_ms();
  for (std::int64_t search : *searches) {
    auto suite = load_search(search);
    if (!suite) return suite.error();
    facts.suites.push_back(*std::move(suite));
  }
  return facts;
}

Result<std::vector<std::int64_t>> ReportStore::last_searches(
    const std::vector<std::string>& binaries) {
  std::vector<std::int64_t> found;
  std::set<std::string> missing(binaries.begin(), binaries.end());
  Statement query = database_.prepare(
      "SELECT max(id), binary_path FROM searches GROUP BY binary_path ORDER BY binary_path");
  Status read = query.bind().each([&](Statement& row) -> Status {
    if (!binaries.empty() && missing.erase(row.text(1)) == 0) return {};
    found.push_back(row.integer(0));
    return {};
  });
  if (!read) return read.error();
  if (!missing.empty()) return no_search({*missing.begin()});
  if (found.empty()) return no_search({});
  return found;
}

Result<ReportedSuite> ReportStore::load_search(std::int64_t search) {
  Statement query = database_.prepare(
      "SELECT binary_path, sha256, build_id, ended_unix_ms, suite_id, detail FROM searches"
      " WHERE id = ?1");
  auto row = query.bind(search).step();
  if (!row) return row.error();
  if (!*row) return inconsistent(database_, "a search is missing");
  ReportedSuite reported;
  reported.search = search;
  DetectFacts& facts = reported.detect;
  facts.db = database_.file();
  facts.binary.path = query.text(0);
  facts.binary.sha256 = query.text(1);
  facts.binary.build_id = query.text(2);
  reported.ended_unix_ms = query.integer(3);
  if (query.is_null(4)) {
    return usage_error(
        "the last search of " + facts.binary.path + " was stored by an older version of Gordian",
        "gordian detect " + facts.binary.path + " stores one that can be reported");
  }
  const SuiteRow suite_row{query.integer(4)};
  auto suite = load_suite(database_, suite_row);
  if (!suite) return suite.error();
  facts.suite = *suite;
  try {
    search_facts_from(json::parse(query.text(5)), facts);
    if (Status read = load_pairs(reported); !read) return read.error();
  } catch (const json::exception& error) {
    return internal_error(fmt::format("the last search of {} is stored in a way we cannot read: {}",
                                      facts.binary.path, error.what()),
                          "gordian detect --full makes it anew");
  }
  auto history = load_history(database_, suite_row, facts.binary.sha256);
  if (!history) return history.error();
  reported.history = *std::move(history);
  if (Status read = load_explanations(reported); !read) return read.error();
  if (Status read = load_repairs(reported); !read) return read.error();
  if (Status read = load_runs(suite_row.value(), reported); !read) return read.error();
  auto curves = load_curves(database_, facts.binary);
  if (!curves) return curves.error();
  reported.curves = *std::move(curves);
  return reported;
}

Status ReportStore::load_explanations(ReportedSuite& suite) {
  for (Dependence& dependence : suite.detect.dependences) {
    auto stored = load_explanation(database_, dependence.id);
    if (!stored) return stored.error();
    if (!*stored) continue;
    if (!(*stored)->fits(suite.detect.binary.sha256,
                         names_of(suite.detect.suite, dependence.witness))) {
      continue;
    }
    dependence.explanation = std::move((*stored)->explanation);
  }
  return {};
}

Status ReportStore::load_repairs(ReportedSuite& suite) {
  // Of several fixes that had this dependence the newest counts.
  Statement query = database_.prepare(
      "SELECT r.facts, f.facts FROM repairs r JOIN fixes f ON f.id = r.fix_id"
      " WHERE r.dependence_id = ?1 AND f.sha256 = ?2 ORDER BY f.id DESC LIMIT 1");
  for (Dependence& dependence : suite.detect.dependences) {
    auto row = query.bind(dependence.id, suite.detect.binary.sha256).step();
    if (!row) return row.error();
    if (!*row) continue;
    try {
      dependence.repair = repair_from(json::parse(query.text(0)));
      dependence.repair->dependence = dependence.id;
      suite.source_root = json::parse(query.text(1)).at("source_root").get<std::string>();
    } catch (const json::exception& error) {
      return internal_error(fmt::format("the repair of {} is stored in a way we cannot read: {}",
                                        to_string(dependence.id), error.what()),
                            fmt::format("gordian fix {} makes it anew", to_string(dependence.id)));
    }
  }
  return {};
}

/// Of the settings that were searched last. What does not fit the suite is left out: a report is
/// no place to mend the state of searches.
Status ReportStore::load_pairs(ReportedSuite& suite) {
  auto state = database_
                   .prepare(
                       "SELECT id FROM search_states WHERE binary_path = ?1 AND sha256 = ?2"
                       " ORDER BY updated_unix_ms DESC LIMIT 1")
                   .bind(suite.detect.binary.path, suite.detect.binary.sha256)
                   .first_integer();
  if (!state) return state.error();
  if (!*state) return {};
  const std::size_t tests = suite.detect.suite.size();
  ReportedPairs pairs;
  bool fits = true;
  Statement query = database_.prepare(
      "SELECT name, results, covered FROM state_tests WHERE state_id = ?1 ORDER BY test_id");
  Status read = query.bind(**state).each([&](Statement& row) -> Status {
    const std::size_t place = pairs.covered.size();
    auto covered = unpack_ids(row.bytes(2), tests);
    fits = fits && place < tests && covered &&
           suite.detect.suite.tests()[place].full_name() == row.text(0);
    if (!fits) return {};
    pairs.covered.push_back(*std::move(covered));
    const json results = json::parse(row.text(1), nullptr, false);
    fits = results.is_object() || results.is_string();
    if (!fits || !results.contains("changed_by")) return {};
    for (const json& group : results["changed_by"]) {
      for (const json& first : group.at(1)) {
        pairs.changed.emplace_back(test_id_from(first, tests),
                                   TestId{static_cast<std::uint32_t>(place)});
      }
    }
    return {};
  });
  if (!read) return read;
  // A pair is stored once for each order that showed it.
  std::sort(pairs.changed.begin(), pairs.changed.end());
  pairs.changed.erase(std::unique(pairs.changed.begin(), pairs.changed.end()), pairs.changed.end());
  if (fits && pairs.covered.size() == tests) suite.pairs = std::move(pairs);
  return {};
}

Status ReportStore::load_runs(std::int64_t suite_row, ReportedSuite& suite) {
  Statement newest = database_.prepare(
      "SELECT max(r.id), isolation_used, started_unix_ms, wall_ns FROM runs r"
      " JOIN binaries b ON b.id = r.binary_id"
      " WHERE r.suite_id = ?1 AND b.sha256 = ?2 AND order_spec = 'default'"
      " AND run_end = 'finished' GROUP BY isolation_used ORDER BY isolation_used");
  Status read = newest.bind(suite_row, suite.detect.binary.sha256).each([&](Statement& row) {
    auto isolation = parse_stored_word<Isolation>(row.text(1));
    if (!isolation) return Status(isolation.error());
    suite.runs.push_back({RunId{row.integer(0)},
                          *isolation,
                          row.integer(2),
                          std::chrono::nanoseconds(row.integer(3)),
                          {}});
    return Status();
  });
  if (!read) return read;
  for (ReportedRun& run : suite.runs) {
    Statement results = database_.prepare(
        "SELECT test_id, kind, duration_ns FROM results WHERE run_id = ?1 AND repeat_index = 0"
        " ORDER BY position");
    read = results.bind(run.id).each([&](Statement& row) -> Status {
      const auto kind = parse_outcome_kind(row.text(1));
      if (!kind) return inconsistent(database_, "there is no outcome '" + row.text(1) + "'");
      if (row.integer(0) < 0 ||
          static_cast<std::size_t>(row.integer(0)) >= suite.detect.suite.size()) {
        return inconsistent(database_, "a result names a test that its suite does not have");
      }
      TestRun& test = run.tests.emplace_back(TestId{static_cast<std::uint32_t>(row.integer(0))});
      test.outcome.kind = *kind;
      test.duration = std::chrono::nanoseconds(row.integer(2));
      return {};
    });
    if (!read) return read;
  }
  return {};
}

}  // namespace gordian
