// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/run_session.h"

#include <algorithm>
#include <utility>

#include "app/recorder.h"
#include "model/dependence.h"

namespace gordian {
namespace {

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
