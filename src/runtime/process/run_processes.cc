// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/run_processes.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "model/declared.h"
#include "runtime/native/inspect.h"
#include "runtime/session.h"
#include "runtime/interrupt.h"
#include "runtime/process/process_runner.h"
#include "runtime/process/process_suite.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

class Run : public RunListener {
 public:
  Run(const RunRequest& request, RunObserver& observer) : request_(request), observer_(observer) {}

  Result<RunFacts> run();

  void test_finished(const TestRun& run) override {
    failed_ = failed_ || is_failure(run.outcome.kind);
    observer_.test_finished(run);
  }
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t) override {
    observer_.tick(running, done_before_ + done_apart_ + done,
                   order_.size() * static_cast<std::size_t>(request_.repeat));
  }

 private:
  Status prepare();
  Status choose_order(const Suite& suite);
  void describe();
  Result<OrderRun> run_once();
  Result<OrderRun> run_isolated();
  bool should_stop();

  const RunRequest& request_;
  RunObserver& observer_;
  std::unique_ptr<ProcessRunner> runner_;
  RunFacts facts_;
  Order order_;
  Clock::time_point started_ = Clock::now();
  std::size_t done_before_ = 0, done_apart_ = 0;
  bool failed_ = false, out_of_time_ = false;
};

bool Run::should_stop() {
  const auto limit = request_.total_timeout;
  if (limit.count() > 0 && Clock::now() - started_ > limit) out_of_time_ = true;
  return interrupted() || out_of_time_ || (request_.fail_fast && failed_);
}

Status Run::choose_order(const Suite& suite) {
  if (!request_.exact_order) {
    auto made = make_order(suite, request_.order, request_.filter);
    if (!made) return made.error();
    order_ = std::move(*made);
    return order_.empty() ? Status(no_match_error(request_.target, suite, request_.filter))
                          : Status();
  }
  for (const std::string& name : *request_.exact_order) {
    auto id = suite.find(name);
    if (!id) {
      return usage_error(fmt::format("the build has no test called {} any more", name),
                         "it was changed since that run; run it anew");
    }
    order_.push_back(*id);
  }
  return {};
}

Status Run::prepare() {
  auto suite = ProcessSuite::open(request_.target, request_.also_disabled);
  if (!suite) return suite.error();
  facts_.suite = suite->suite();
  facts_.header.binary = suite->identity();
  if (Status chosen = choose_order(facts_.suite); !chosen) return chosen;
  ExecutorOptions engine = request_.engine;
  engine.should_stop = [this] { return should_stop(); };
  auto runner = ProcessRunner::open(std::move(*suite), std::move(engine));
  if (!runner) return runner.error();
  runner_ = std::move(*runner);
  facts_.notices = runner_->notices();
  return {};
}

void Run::describe() {
  RunHeader& header = facts_.header;
  header.target = request_.target;
  header.requested = request_.isolation;
  header.used = request_.isolation == Isolation::none ? Isolation::none : Isolation::process;
  header.private_fs = runner_->private_fs();
  header.order_spec = request_.exact_order ? request_.exact_order_name : request_.order.text();
  header.seed = request_.order.seed;
  header.jobs = request_.engine.jobs;
  header.repeat = request_.repeat;
  header.test_timeout_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(request_.engine.limits.test_timeout)
          .count();
  header.command = request_.command;
  header.started_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
}

Result<OrderRun> Run::run_once() {
  if (facts_.header.used != Isolation::none) return run_isolated();
  auto runs = runner_->run_fresh(std::vector<Order>{order_}, *this);
  if (!runs) return runs.error();
  return std::move(runs->front());
}

/// Each in a view of its own, with what it declares before it: that is part of it.
Result<OrderRun> Run::run_isolated() {
  const Declared declared(facts_.suite);
  OrderRun joined{order_, std::vector<TestRun>(order_.size())};
  done_apart_ = 0;
  auto run_these = [&](std::span<const std::size_t> positions) -> Status {
    std::vector<Order> orders;
    for (std::size_t p : positions) orders.push_back(declared.complete({order_[p]}).order);
    auto runs = runner_->run_for_last(orders, *this);
    if (!runs) return runs.error();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      joined.runs[positions[i]] = std::move((*runs)[i].runs.back());
    }
    done_apart_ += positions.size();
    return {};
  };
  Status ran = run_split(split_serial(order_, facts_.suite, request_.engine.overrides), run_these);
  done_apart_ = 0;
  if (!ran) return ran.error();
  return joined;
}

Result<RunFacts> Run::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  describe();
  if (Status begun = observer_.run_begins(facts_, order_); !begun) return begun.error();
  for (const Notice& notice : facts_.notices) observer_.notice(notice);
  started_ = Clock::now();
  for (int i = 0; i < request_.repeat && (i == 0 || !should_stop()); ++i) {
    if (i > 0) {
      if (Status begun = observer_.repeat_begins(i, order_); !begun) return begun.error();
    }
    auto order_run = run_once();
    if (!order_run) return order_run.error();
    facts_.orders.push_back(std::move(*order_run));
    done_before_ += order_.size();
  }
  facts_.wall = Clock::now() - started_;
  facts_.end = interrupted()                   ? RunEnd::interrupted
               : out_of_time_                  ? RunEnd::timed_out
               : request_.fail_fast && failed_ ? RunEnd::failed_fast
                                               : RunEnd::finished;
  return std::move(facts_);
}

}  // namespace

Result<RunFacts> run_processes(const RunRequest& request, RunObserver& observer) {
  return Run(request, observer).run();
}

}  // namespace gordian
