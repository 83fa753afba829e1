// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/run_session.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/exit_codes.h"
#include "cli/screen.h"
#include "report/junit.h"
#include "report/live_display.h"
#include "report/run_json.h"
#include "report/run_summary.h"
#include "report/write_file.h"

namespace gordian {
namespace {

/// Gives each finished test its place in the order, and stores results in batches.
class Recorder {
 public:
  explicit Recorder(RunStore* store) : store_(store) {}

  Status begin(const RunFacts& facts, const Order& order) {
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

  Status next_repeat(int index, const Order& order) {
    if (!id_) return {};
    if (Status flushed = flush(); !flushed) return flushed;
    begin_repeat(index, order);
    return store_->add_order(*id_, index, order);
  }

  void add(const TestRun& run) {
    if (!id_) return;
    auto places = open_places_.find(run.test);
    if (places == open_places_.end() || places->second.empty()) return;  // a second try: see end()
    std::size_t position = places->second.back();
    places->second.pop_back();
    if (run.outcome.kind == OutcomeKind::lost || run.outcome.kind == OutcomeKind::not_run) return;
    waiting_.push_back({position, run});
    stored_.push_back(position);
    constexpr std::size_t kBatch = 200;
    auto now = std::chrono::steady_clock::now();
    if (waiting_.size() < kBatch && now - last_flush_ < std::chrono::milliseconds(500)) return;
    keep(flush());
  }

  /// So that a long test does not keep the ones before it in memory.
  void flush_if_due() {
    if (id_ && std::chrono::steady_clock::now() - last_flush_ > std::chrono::milliseconds(500)) {
      keep(flush());
    }
  }

  /// What did not come as an event (second tries, tests never run) is in the facts.
  Status end(const RunFacts& facts) {
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

  std::optional<RunId> id() const { return id_; }

 private:
  void begin_repeat(int index, const Order& order) {
    repeat_ = index;
    stored_.clear();
    open_places_.clear();
    for (std::size_t p = order.size(); p-- > 0;) open_places_[order[p]].push_back(p);
  }

  Status flush() {
    last_flush_ = std::chrono::steady_clock::now();
    if (waiting_.empty()) return {};
    Status added = store_->add_results(*id_, repeat_, waiting_);
    waiting_.clear();
    return added;
  }

  void keep(Status status) {
    if (trouble_.ok()) trouble_ = std::move(status);
  }

  RunStore* store_;
  std::optional<RunId> id_;
  int repeat_ = 0;
  std::map<TestId, std::vector<std::size_t>> open_places_;  ///< last one first
  std::vector<std::size_t> stored_;
  std::vector<PositionedRun> waiting_;
  std::chrono::steady_clock::time_point last_flush_{};
  Status trouble_;
};

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

/// The option was checked before.
std::chrono::nanoseconds slow_threshold(const RunOptions& options) {
  auto slow = parse_duration(options.slow);
  return slow ? *slow : std::chrono::nanoseconds(0);
}

/// One event stream, two consumers.
class Observer : public RunObserver {
 public:
  Observer(RunStore* store, const RunOptions& options, const CommonOptions& common,
           const RunRequest& request, const Names& extra)
      : recorder_(store), options_(options), common_(common), request_(request), extra_(extra) {}

  Status run_begins(const RunFacts& facts, const Order& order) override {
    suite_ = facts.suite;
    LiveDisplayOptions live;
    static_cast<LiveScreenOptions&>(live) =
        screen_options(describe_terminal(kScreen, common_.color_choice()));
    live.verbose = options_.verbose;
    live.jobs = request_.engine.jobs;
    live.slow_threshold = slow_threshold(options_);
    display_.emplace(suite_, live, sink_to(kScreen));
    display_->starting(order.size(), facts.header.target.binary.string());
    return recorder_.begin(facts, order);
  }
  Status repeat_begins(int index, const Order& order) override {
    return recorder_.next_repeat(index, order);
  }
  void test_finished(const TestRun& run) override {
    recorder_.add(run);
    if (!is_extra(suite_, run.test, extra_)) display_->test_finished(run);
  }
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override {
    recorder_.flush_if_due();
    display_->tick(running, done, total);
  }
  void notice(const Notice& notice) override {
    if (display_) display_->notice(notice);
  }

  Status end(const RunFacts& facts) {
    if (display_) display_->finish();
    return recorder_.end(facts);
  }
  std::optional<RunId> id() const { return recorder_.id(); }

 private:
  Recorder recorder_;
  const RunOptions& options_;
  const CommonOptions& common_;
  const RunRequest& request_;
  const Names& extra_;
  Suite suite_;
  std::optional<LiveDisplay> display_;
};

}  // namespace

Result<RunSession> RunSession::open(const RunOptions& options, const CommonOptions& common) {
  RunSession session(options, common);
  if (!options.no_db) {
    auto store = RunStore::open(common.db_path());
    if (!store) return store.error();
    session.store_ = std::make_unique<RunStore>(std::move(*store));
  }
  return session;
}

Result<const RunFacts*> RunSession::run(const RunRequest& request, const Names& extra) {
  Observer observer(store_.get(), options_, common_, request, extra);
  auto facts = run_target(request, observer);
  if (!facts) return facts.error();
  Status ended = observer.end(*facts);
  leave_out(extra, *facts);
  facts->id = observer.id();
  facts->db = common_.db;
  const Style style = describe_terminal(kScreen, common_.color_choice()).style;
  sink_to(kScreen)(run_summary(*facts, style, slow_threshold(options_)));
  runs_.push_back(std::move(*facts));
  if (!ended) return ended.error();
  return &runs_.back();
}

int exit_code_of(const RunFacts& facts) {
  if (facts.end == RunEnd::interrupted) return kExitInterrupted;
  OutcomeCounts counts = count_outcomes(facts);
  bool incomplete = counts.not_run > 0 || facts.end == RunEnd::timed_out;
  return counts.failures() > 0 || incomplete ? kExitTestsFailed : kExitOk;
}

int RunSession::finish() {
  int code = kExitOk;
  if (runs_.size() > 1) {
    sink_to(kScreen)(runs_total(runs_, describe_terminal(kScreen, common_.color_choice()).style,
                                slow_threshold(options_)));
  }
  for (const RunFacts& facts : runs_) code = std::max(code, exit_code_of(facts));
  Status written;
  if (!options_.junit.empty()) written = write_file(options_.junit, junit_xml(runs_));
  if (!written) return report_error(written.error());
  if (!options_.json.empty()) {
    auto json = runs_.size() == 1 ? run_to_json(runs_.front()) : runs_to_json(runs_);
    written = write_file(options_.json, dump_json(json));
  }
  return written ? code : report_error(written.error());
}

}  // namespace gordian
