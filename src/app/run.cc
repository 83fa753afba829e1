// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "config/test_override.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"
#include "store/facts_json.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

/// One run from an open session to facts. Lives for one call of run_target().
class Runner : public RunListener {
 public:
  Runner(const RunRequest& request, RunObserver& observer)
      : request_(request), observer_(observer) {}

  Result<RunFacts> run();

  void test_finished(const TestRun& run) override;
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override;
  void notice(const Notice& notice) override;

 private:
  Status prepare();
  Status choose_order();
  void describe();
  Result<OrderRun> run_once();
  Result<OrderRun> run_apart();
  Status verify(const OrderRun& seen);
  bool should_stop();
  RunEnd how_it_ended() const;

  const RunRequest& request_;
  RunObserver& observer_;
  std::unique_ptr<Session> session_;
  RunFacts facts_;
  Order order_;
  std::map<TestId, std::vector<StackFrame>> stacks_;
  Clock::time_point started_ = Clock::now();
  std::size_t done_before_ = 0, done_apart_ = 0, reported_ = 0;
  bool failed_ = false, out_of_time_ = false;
};

bool Runner::should_stop() {
  auto limit = request_.total_timeout;
  if (limit.count() > 0 && Clock::now() - started_ > limit) out_of_time_ = true;
  return interrupted() || out_of_time_ || (request_.fail_fast && failed_);
}

Status Runner::prepare() {
  SessionRequest wanted{request_.target, request_.isolation, request_.also_disabled,
                        /*any_order=*/false, request_.engine};
  wanted.engine.should_stop = [this] { return should_stop(); };
  auto opened = runtime_of(request_.target).open(std::move(wanted));
  if (!opened) return opened.error();
  session_ = std::move(*opened);
  facts_.suite = session_->suite();
  facts_.notices = session_->notices();
  reported_ = facts_.notices.size();
  return {};
}

Status Runner::choose_order() {
  if (request_.exact_order) {
    for (const std::string& name : *request_.exact_order) {
      auto id = facts_.suite.find(name);
      if (!id) {
        const RuntimeTraits& runtime = facts_.suite.runtime();
        return usage_error(
            fmt::format("the {} has no test called {} any more", runtime.thing, name),
            fmt::format("it was {} since that run; run it anew", runtime.made_anew));
      }
      order_.push_back(*id);
    }
  } else {
    auto made = make_order(facts_.suite, request_.order, request_.filter);
    if (!made) return made.error();
    order_ = std::move(*made);
  }
  if (facts_.suite.size() == 0) return no_tests_error(request_.target);
  if (order_.empty()) {
    return no_match_error(request_.target, facts_.suite, request_.filter);
  }
  return {};
}

void Runner::describe() {
  RunHeader& header = facts_.header;
  header.binary = session_->identity();
  header.target = session_->target();
  header.requested = request_.isolation;
  header.used = session_->isolation();
  header.snapshot_backend = session_->snapshot_backend();
  header.control = session_->control();
  header.private_fs = session_->private_fs();
  header.order_spec = request_.exact_order ? request_.exact_order_name : request_.order.text();
  header.seed = request_.order.seed;
  header.jobs = request_.engine.jobs;
  header.repeat = request_.repeat;
  header.test_timeout_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(request_.engine.limits.test_timeout)
          .count();
  header.command = request_.command;
  header.started_unix_ms = unix_ms();
}

Result<RunFacts> Runner::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  if (Status chosen = choose_order(); !chosen) return chosen.error();
  if (Status fit = session_->check_order(order_); !fit) return fit.error();
  describe();
  if (Status begun = observer_.run_begins(facts_, order_); !begun) return begun.error();
  for (const Notice& n : facts_.notices) observer_.notice(n);

  started_ = Clock::now();
  for (int i = 0; i < request_.repeat && (i == 0 || !should_stop()); ++i) {
    if (i > 0) {
      if (Status begun = observer_.repeat_begins(i, order_); !begun) return begun.error();
    }
    auto order_run = run_once();
    if (!order_run) return order_run.error();
    if (Status verified = verify(*order_run); !verified) return verified.error();
    for (TestRun& r : order_run->runs) {
      auto it = stacks_.find(r.test);
      if (it != stacks_.end() && r.stack.empty() && r.outcome.kind == OutcomeKind::crash) {
        r.stack = it->second;
      }
    }
    facts_.orders.push_back(std::move(*order_run));
    done_before_ += order_.size();
  }
  facts_.wall = Clock::now() - started_;
  facts_.end = how_it_ended();
  return std::move(facts_);
}

RunEnd Runner::how_it_ended() const {
  if (interrupted()) return RunEnd::interrupted;
  if (out_of_time_) return RunEnd::timed_out;
  if (request_.fail_fast && failed_) return RunEnd::failed_fast;
  return RunEnd::finished;
}

Result<OrderRun> Runner::run_once() {
  if (facts_.header.used != Isolation::none) return run_apart();
  auto runs = session_->run_fresh(std::vector<Order>{order_}, *this);
  if (!runs) return runs.error();
  return std::move(runs->front());
}

/// Each test by itself; those that the user calls serial while no other runs.
Result<OrderRun> Runner::run_apart() {
  OrderRun joined{order_, std::vector<TestRun>(order_.size())};
  done_apart_ = 0;
  auto run_these = [&](std::span<const std::size_t> positions) -> Status {
    std::vector<TestId> tests;
    for (std::size_t p : positions) tests.push_back(order_[p]);
    auto runs = session_->run_apart(tests, *this);
    if (!runs) return runs.error();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      joined.runs[positions[i]] = std::move((*runs)[i]);
    }
    done_apart_ += positions.size();
    return {};
  };
  Status ran = run_split(split_serial(order_, facts_.suite, request_.engine.overrides), run_these);
  done_apart_ = 0;
  if (!ran) return ran.error();
  return joined;
}

/// --verify-isolation: what the session found in memory, and every test in a fresh process.
Status Runner::verify(const OrderRun& seen) {
  const auto compared = session_->verified();
  if (!compared || facts_.header.used == Isolation::none) return {};
  for (const std::vector<Notice>& all = session_->notices(); reported_ < all.size(); ++reported_) {
    notice(all[reported_]);
  }
  RunListener silent;
  Order distinct = order_;  // a test that stands in the order twice is started once
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<Order> alone;
  for (TestId test : distinct) alone.push_back({test});
  auto fresh = session_->run_fresh(alone, silent);
  if (!fresh) return fresh.error();
  if (fresh->size() < distinct.size()) return {};  // interrupted
  std::size_t differ = 0;
  for (std::size_t i = 0; i < seen.runs.size(); ++i) {
    const Outcome& here = seen.runs[i].outcome;
    auto at = std::lower_bound(distinct.begin(), distinct.end(), order_[i]) - distinct.begin();
    const Outcome& there = (*fresh)[static_cast<std::size_t>(at)].runs.front().outcome;
    if (same_result(here, there)) continue;
    ++differ;
    notice({Notice::Level::warning,
            fmt::format("{} was {} here and {} in a fresh process: it is not deterministic, or "
                        "isolation leaked (then it is a bug of Gordian)",
                        facts_.suite.test(order_[i]).full_name(), to_string(here.kind),
                        to_string(there.kind))});
  }
  notice({Notice::Level::info,
          fmt::format("verified: memory compared after {} tests, {} of {} outcomes as in a fresh "
                      "process",
                      *session_->verified(), seen.runs.size() - differ, seen.runs.size())});
  return {};
}

/// A crash is run once more, to see where: with handlers that the first run must not have.
void Runner::test_finished(const TestRun& run) {
  constexpr std::size_t kMostStacks = 8;
  failed_ = failed_ || is_failure(run.outcome.kind);
  bool wanted = run.outcome.kind == OutcomeKind::crash && request_.crash_stacks &&
                stacks_.size() < kMostStacks && !stacks_.contains(run.test) && !interrupted();
  if (!wanted) {
    observer_.test_finished(run);
    return;
  }
  Order order = {run.test};
  if (facts_.header.used == Isolation::none) {
    auto end = std::find(order_.begin(), order_.end(), run.test);
    order.assign(order_.begin(), end + 1);
  }
  TestRun with_stack = run;
  stacks_[run.test] = session_->crash_stack(order);
  if (!stacks_[run.test].empty()) with_stack.stack = stacks_[run.test];
  observer_.test_finished(with_stack);
}

void Runner::tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) {
  (void)total;
  observer_.tick(running, done_before_ + done_apart_ + done,
                 order_.size() * static_cast<std::size_t>(request_.repeat));
}

void Runner::notice(const Notice& notice) {
  facts_.notices.push_back(notice);
  observer_.notice(notice);
}

}  // namespace

Result<RunFacts> run_target(const RunRequest& request, RunObserver& observer) {
  return Runner(request, observer).run();
}

}  // namespace gordian
