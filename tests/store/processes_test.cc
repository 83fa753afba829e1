// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Several processes at one database, and processes that are killed while they write.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <thread>

#include "store/open_file.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

class Processes : public StoreTest {
 protected:
  static constexpr std::size_t kBatch = 10;

  void expect_sound() {
    auto database = open_database(dir_ / "db");
    ASSERT_DONE(database);
    Statement check = database->prepare("PRAGMA integrity_check");
    ASSERT_TRUE(*check.step());
    EXPECT_EQ(check.text(0), "ok");
    EXPECT_FALSE(*database->prepare("PRAGMA foreign_key_check").step());
  }

  /// One whole run of 20 tests, opened and closed anew.
  static bool write_run(const std::filesystem::path& file, const std::string& who) {
    auto store = RunStore::open(file);
    if (!store) return false;
    RunHeader header = plain_header();
    header.command = who;
    const Suite suite = numbered_suite(2 * kBatch);
    const Order order = suite.default_order();
    auto run = store->begin_run(header, suite, order);
    return run && store->add_results(*run, 0, passes(order, 0, kBatch)) &&
           store->add_results(*run, 0, passes(order, kBatch, 2 * kBatch)) &&
           store->finish_run(*run, RunEnd::finished, {});
  }
};

TEST_F(Processes, WriteAtOnceIntoADatabaseThatNobodyMadeYet) {
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    children.push_back(in_child([&] {
      for (int i = 0; i < 10; ++i) {
        if (!write_run(dir_ / "db", std::to_string(child))) return false;
      }
      return true;
    }));
  }
  for (pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto summaries = store->recent_runs(100);
  ASSERT_DONE(summaries);
  EXPECT_EQ(summaries->size(), 40U);
  for (const RunSummary& summary : *summaries) EXPECT_EQ(summary.counts.pass, 20);
  expect_sound();
}

TEST_F(Processes, InterleavedRunsKeepTheirResultsApart) {
  auto one = RunStore::open(dir_ / "db");
  auto two = RunStore::open(dir_ / "db");
  ASSERT_DONE(one);
  ASSERT_DONE(two);
  const Suite suite = numbered_suite(4);
  const Order order = suite.default_order();
  auto first = one->begin_run(plain_header(), suite, order);
  auto second = two->begin_run(plain_header(), suite, order);
  ASSERT_DONE(first);
  ASSERT_DONE(second);
  ASSERT_DONE(one->add_results(*first, 0, passes(order, 0, 3)));
  ASSERT_DONE(two->add_results(*second, 0, passes(order, 3, 4)));
  EXPECT_EQ(count_outcomes(*one->load_run(*second)).pass, 1);
  EXPECT_EQ(count_outcomes(*two->load_run(*first)).pass, 3);
}

TEST_F(Processes, KilledWriterLosesOnlyTheBatchInFlight) {
  int reports[2];
  ASSERT_EQ(::pipe(reports), 0);
  const pid_t child = in_child([&] {
    auto store = RunStore::open(dir_ / "db");
    const Suite suite = numbered_suite(kBatch);
    const Order order = suite.default_order();
    auto run = store->begin_run(plain_header(), suite, order);
    for (int repeat = 0; run.ok(); ++repeat) {  // until killed
      if (!store->add_order(*run, repeat, order)) return false;
      if (!store->add_results(*run, repeat, passes(order, 0, kBatch))) return false;
      if (::write(reports[1], &repeat, sizeof repeat) != sizeof repeat) return false;
    }
    return false;
  });
  ::close(reports[1]);
  int committed = -1;
  while (committed < 50 && ::read(reports[0], &committed, sizeof committed) > 0) continue;
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(wait_for(child), -1);
  while (::read(reports[0], &committed, sizeof committed) > 0) continue;
  ::close(reports[0]);

  expect_sound();
  auto facts = RunStore::open(dir_ / "db")->load_run(RunId{1});
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->end, RunEnd::unfinished);
  ASSERT_GT(facts->orders.size(), static_cast<std::size_t>(committed));
  for (int repeat = 0; repeat <= committed; ++repeat) {
    for (const TestRun& run : facts->orders.at(static_cast<std::size_t>(repeat)).runs) {
      EXPECT_EQ(run.outcome.kind, OutcomeKind::pass);
    }
  }
  for (const OrderRun& order : facts->orders) {  // a batch is there whole or not at all
    for (const TestRun& run : order.runs) EXPECT_EQ(run.outcome.kind, order.runs[0].outcome.kind);
  }
}

TEST_F(Processes, KilledAtAnyMomentLeavesAFileThatOpens) {
  for (int attempt = 0; attempt < 25; ++attempt) {
    const std::filesystem::path file = dir_ / std::to_string(attempt);
    const pid_t child = in_child([&] {
      while (write_run(file, "victim")) continue;
      return false;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(400 * attempt));
    ::kill(child, SIGKILL);
    ASSERT_EQ(wait_for(child), -1) << "the writer failed by itself";
    auto store = RunStore::open(file);
    ASSERT_TRUE(store.ok()) << attempt << ": " << store.error().message;
    EXPECT_TRUE(write_run(file, "survivor")) << attempt;
  }
}

}  // namespace
}  // namespace gordian::store_test
