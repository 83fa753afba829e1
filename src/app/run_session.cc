// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/run_session.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/run.h"
#include "store/run_store.h"

namespace gordian {
namespace {

// Writes a run into the database while it goes on: each finished test gets its place in the order,
// and results are stored in batches, so that an interrupted run is there, too.

class Recorder {
 public:
  /// `store` null: nothing is recorded, and nothing fails.
  explicit Recorder(RunStore* store) : store_(store) {}

  Status begin(const RunFacts& facts, const Order& order);
  Status next_repeat(int index, const Order& order);
  void add(const TestRun& run);
  /// So that a long test does not keep the ones before it in memory.
  void flush_if_due();
  /// What did not come as an event (second tries, tests never run) is in the facts. The first
  /// trouble since begin() is the error.
  Status end(const RunFacts& facts);

  /// Set once the run has begun.
  std::optional<RunId> id() const { return id_; }

 private:
  void begin_repeat(int index, const Order& order);
  Status flush();
  void keep(Status status);

  RunStore* store_;
  std::optional<RunId> id_;
  int repeat_ = 0;
  std::map<TestId, std::vector<std::size_t>> open_places_;  ///< last one first
  std::vector<std::size_t> stored_;
  std::vector<PositionedRun> waiting_;
  std::chrono::steady_clock::time_point last_flush_{};
  Status trouble_;
};

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 200;
constexpr std::chrono::milliseconds kLongestWait{500};

Status Recorder::begin(const RunFacts& facts, const Order& order) {
  if (store_ == nullptr) return {};
  auto id = store_->begin_run(facts.header, facts.suite, order);
  if (!id) return id.error();
  id_ = *id;
  for (const Notice& notice : facts.notices) {
    if (Status added = store_->add_notice(*id_, notice); !added) return added;
  }
  begin_repeat(0, order);
  return {};
}

Status Recorder::next_repeat(int index, const Order& order) {
  if (!id_) return {};
  if (Status flushed = flush(); !flushed) return flushed;
  begin_repeat(index, order);
  return store_->add_order(*id_, index, order);
}

void Recorder::add(const TestRun& run) {
  if (!id_) return;
  auto places = open_places_.find(run.test);
  if (places == open_places_.end() || places->second.empty()) return;  // a second try: see end()
  const std::size_t position = places->second.back();
  places->second.pop_back();
  if (run.outcome.kind == OutcomeKind::lost || run.outcome.kind == OutcomeKind::not_run) return;
  waiting_.push_back({position, run});
  stored_.push_back(position);
  if (waiting_.size() >= kBatch) {
    keep(flush());
  } else {
    flush_if_due();
  }
}

void Recorder::flush_if_due() {
  if (id_ && Clock::now() - last_flush_ >= kLongestWait) keep(flush());
}

Status Recorder::end(const RunFacts& facts) {
  if (!id_) return {};
  if (Status flushed = flush(); !flushed) return flushed;
  if (!facts.orders.empty()) {
    std::vector<bool> have(facts.orders.back().runs.size());
    for (std::size_t position : stored_) have[position] = true;
    for (std::size_t p = 0; p < have.size(); ++p) {
      const TestRun& run = facts.orders.back().runs[p];
      if (!have[p] && run.outcome.kind != OutcomeKind::not_run) waiting_.push_back({p, run});
    }
    if (Status flushed = flush(); !flushed) return flushed;
  }
  if (!trouble_.ok()) return trouble_;
  return store_->finish_run(*id_, facts.end, facts.wall);
}

void Recorder::begin_repeat(int index, const Order& order) {
  repeat_ = index;
  stored_.clear();
  open_places_.clear();
  for (std::size_t p = order.size(); p-- > 0;) open_places_[order[p]].push_back(p);
}

Status Recorder::flush() {
  last_flush_ = Clock::now();
  if (waiting_.empty()) return {};
  Status added = store_->add_results(*id_, repeat_, waiting_);
  waiting_.clear();
  return added;
}

void Recorder::keep(Status status) {
  if (trouble_.ok()) trouble_ = std::move(status);
}

using Names = std::vector<std::string>;

bool is_extra(const Suite& suite, TestId test, const Names& extra) {
  return !extra.empty() &&
         std::find(extra.begin(), extra.end(), suite.test(test).full_name()) != extra.end();
}

/// What was run for others only does not count; it is told of.
void leave_out(const Names& extra, RunFacts& facts) {
  if (extra.empty()) return;
  for (OrderRun& order : facts.orders) {
    auto is = [&](TestId test) { return is_extra(facts.suite, test, extra); };
    std::erase_if(order.order, is);
    std::erase_if(order.runs, [&](const TestRun& run) { return is(run.test); });
  }
  std::string names;
  for (const std::string& name : extra) names += (names.empty() ? "" : ", ") + name;
  facts.notices.push_back(
      {Notice::Level::info, "run besides, because others need them before: " + names});
}

/// One event stream, two consumers.
class RecordingObserver : public RunObserver {
 public:
  RecordingObserver(RunStore* store, RunObserver& shown, const Names& extra)
      : recorder_(store), shown_(shown), extra_(extra) {}

  Status run_begins(const RunFacts& facts, const Order& order) override {
    suite_ = facts.suite;
    if (Status begun = shown_.run_begins(facts, order); !begun) return begun;
    return recorder_.begin(facts, order);
  }
  Status repeat_begins(int index, const Order& order) override {
    if (Status begun = shown_.repeat_begins(index, order); !begun) return begun;
    return recorder_.next_repeat(index, order);
  }
  void test_finished(const TestRun& run) override {
    recorder_.add(run);
    if (!is_extra(suite_, run.test, extra_)) shown_.test_finished(run);
  }
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override {
    recorder_.flush_if_due();
    shown_.tick(running, done, total);
  }
  void notice(const Notice& notice) override { shown_.notice(notice); }

  Recorder& recorder() { return recorder_; }

 private:
  Recorder recorder_;
  RunObserver& shown_;
  const Names& extra_;
  Suite suite_;
};

}  // namespace

Result<RunSession> RunSession::open(const std::string& db, FrontEnd& front_end) {
  RunSession session(front_end);
  if (db.empty()) return session;
  auto store = RunStore::open(db);
  if (!store) return store.error();
  session.store_ = std::make_unique<RunStore>(std::move(*store));
  return session;
}

Result<RunSession::Ran> RunSession::run(const RunRequest& request, const Names& extra) {
  auto shown = front_end_.run(request);
  RecordingObserver observer(store_.get(), *shown, extra);
  auto facts = run_target(request, observer);
  if (!facts) return facts.error();
  shown.reset();
  Status ended = observer.recorder().end(*facts);
  leave_out(extra, *facts);
  facts->id = observer.recorder().id();
  runs_.push_back(std::move(*facts));
  return Ran{&runs_.back(), std::move(ended)};
}

std::vector<PartRun> runs_of_part(const ShardFacts& target, const ShardFacts::Part& part,
                                  bool isolated) {
  std::vector<PartRun> runs;
  if (isolated) {
    Order tests = own_tests(part);
    std::sort(tests.begin(), tests.end());
    if (!tests.empty()) runs.push_back({names_of(target.suite, tests), {}});
    return runs;
  }
  for (const ShardFacts::Process& process : part.processes) {
    Order extra;
    for (std::size_t i = 0; i < process.order.size(); ++i) {
      if (process.extra[i]) extra.push_back(process.order[i]);
    }
    runs.push_back({names_of(target.suite, process.order), names_of(target.suite, extra)});
  }
  return runs;
}

}  // namespace gordian
