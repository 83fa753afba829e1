// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/runner.h"
#include "runtime/session.h"

#include <fmt/format.h>

#include <future>
#include <map>
#include <utility>

#include "base/sha256.h"
#include "runtime/native/flags_driver.h"
#include "runtime/native/inspect.h"
#include "runtime/interrupt.h"
#include "runtime/native/isolated_runs.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t unix_ms() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

/// Each test in an order of its own.
std::vector<Order> singles(const Order& order) {
  std::vector<Order> orders;
  for (TestId id : order) orders.push_back({id});
  return orders;
}

/// What we know to do without the agent is in GoogleTest's words.
Status check_flags_known(const Inspection& inspection, const Target& target,
                         const std::string& why) {
  if (inspection.framework.framework == Framework::gtest) return {};
  return target_error(fmt::format("{} cannot be driven: {}", target.binary.string(), why),
                      "keep its symbol table, and link it dynamically");
}

/// One run from inspection to facts. Lives for one call of run_target().
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
  Status open_hooks(const Inspection& inspection);
  Status open_flags(const Inspection& inspection, const std::string& why);
  Status choose_order();
  void choose_isolation();
  Status check_flags_order() const;
  Result<OrderRun> run_once();
  Result<OrderRun> run_apart();
  Result<std::vector<OrderRun>> run_orders(const std::vector<Order>& orders);
  Status verify(const OrderRun& seen);
  bool should_stop();
  RunEnd how_it_ended() const;

  const RunRequest& request_;
  RunObserver& observer_;
  ExecutorOptions engine_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<FlagsDriver> flags_;
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
  engine_ = request_.engine;
  engine_.should_stop = [this] { return should_stop(); };
  engine_.snapshots =
      request_.isolation == Isolation::snapshot || request_.isolation == Isolation::automatic;
  // Reading a large binary for its digest takes a while, and so does all that comes before its
  // first test: do both at once.
  auto digest =
      std::async(std::launch::async, [this] { return sha256_file(request_.target.binary); });
  auto inspection = inspect(request_.target);
  if (!inspection) return inspection.error();
  facts_.header.target = request_.target;
  engine_.also_disabled = request_.also_disabled;
  if (request_.also_disabled) {
    facts_.header.target =
        with_disabled(std::move(facts_.header.target), inspection->framework.framework);
  }
  Status opened = inspection->unhookable.empty() ? open_hooks(*inspection)
                                                 : open_flags(*inspection, inspection->unhookable);
  if (!opened) return opened;
  auto digested = digest.get();
  if (!digested) return digested.error();
  facts_.header.binary = identify(request_.target, inspection->elf, std::move(*digested));
  return {};
}

Status Runner::open_hooks(const Inspection& inspection) {
  engine_.hook_offsets = inspection.hook_offsets;
  auto opened = Executor::open(facts_.header.target, inspection.elf, inspection.framework, engine_);
  if (!opened) {
    if (opened.error().kind != ErrorKind::unhookable) return opened.error();
    return open_flags(inspection, opened.error().message);
  }
  executor_ = std::move(*opened);
  facts_.suite = executor_->suite();
  facts_.notices = executor_->notices();
  reported_ = facts_.notices.size();
  facts_.header.private_fs = executor_->private_fs();
  return {};
}

Status Runner::open_flags(const Inspection& inspection, const std::string& why) {
  if (Status known = check_flags_known(inspection, request_.target, why); !known) return known;
  flags_ = std::make_unique<FlagsDriver>(request_.target, inspection.framework.version, engine_);
  auto suite = flags_->list(request_.also_disabled);
  if (!suite) return suite.error();
  facts_.suite = std::move(*suite);
  facts_.header.control = Control::flags;
  facts_.notices.push_back(
      {Notice::Level::warning, fmt::format("driven by GoogleTest's own flags, because {}", why)});
  return {};
}

Status Runner::choose_order() {
  if (request_.exact_order) {
    for (const std::string& name : *request_.exact_order) {
      auto id = facts_.suite.find(name);
      if (!id) {
        return usage_error(fmt::format("the binary has no test called {} any more", name),
                           "it was rebuilt since that run; run it anew");
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

void Runner::choose_isolation() {
  RunHeader& header = facts_.header;
  header.requested = header.used = request_.isolation;
  if (executor_) {
    header.used = usable_isolation(request_.isolation, *executor_, facts_.notices);
    if (header.used == Isolation::snapshot) header.snapshot_backend = executor_->snapshot_backend();
  } else if (request_.isolation != Isolation::none) {
    header.used = Isolation::process;
  }
}

Status Runner::check_flags_order() const {
  if (!flags_ || facts_.header.used == Isolation::process ||
      flags_->can_run(facts_.suite, order_)) {
    return {};
  }
  return target_error(
      "GoogleTest's own flags cannot run this order in one process",
      facts_.notices.back().text + "; the default order and --isolate process work");
}

Result<RunFacts> Runner::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  if (Status chosen = choose_order(); !chosen) return chosen.error();
  choose_isolation();
  if (Status fit = check_flags_order(); !fit) return fit.error();
  RunHeader& header = facts_.header;
  header.order_spec = request_.exact_order ? request_.exact_order_name : request_.order.text();
  header.seed = request_.order.seed;
  header.jobs = request_.engine.jobs;
  header.repeat = request_.repeat;
  header.test_timeout_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(request_.engine.limits.test_timeout)
          .count();
  header.command = request_.command;
  header.started_unix_ms = unix_ms();
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

Result<std::vector<OrderRun>> Runner::run_orders(const std::vector<Order>& orders) {
  if (flags_) return flags_->run(facts_.suite, orders, *this);
  return run_isolated(*executor_, facts_.header.used, orders, *this);
}

Result<OrderRun> Runner::run_once() {
  if (facts_.header.used != Isolation::none) return run_apart();
  auto runs = run_orders({order_});
  if (!runs) return runs.error();
  return std::move(runs->front());
}

/// Each test by itself; those that the user calls serial while no other runs.
Result<OrderRun> Runner::run_apart() {
  OrderRun joined{order_, std::vector<TestRun>(order_.size())};
  done_apart_ = 0;
  auto run_these = [&](std::span<const std::size_t> positions) -> Status {
    std::vector<Order> orders;
    for (std::size_t p : positions) orders.push_back({order_[p]});
    auto runs = run_orders(orders);
    if (!runs) return runs.error();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      joined.runs[positions[i]] = std::move((*runs)[i].runs.front());
    }
    done_apart_ += positions.size();
    return {};
  };
  Status ran = run_split(split_serial(order_, facts_.suite, request_.engine.overrides), run_these);
  done_apart_ = 0;
  if (!ran) return ran.error();
  return joined;
}

/// --verify-isolation: what the executor found in memory, and every test in a fresh process.
Status Runner::verify(const OrderRun& seen) {
  if (!engine_.verify_snapshots || !executor_ || facts_.header.used == Isolation::none) return {};
  for (std::size_t i = reported_; i < executor_->notices().size(); ++i) {
    notice(executor_->notices()[i]);
  }
  reported_ = executor_->notices().size();
  RunListener silent;
  Order distinct = order_;  // a test that stands in the order twice is started once
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  auto fresh = executor_->run_fresh(singles(distinct), silent);
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
                      executor_->verified(), seen.runs.size() - differ, seen.runs.size())});
  return {};
}

/// A crash is run once more, to see where: with handlers that the first run must not have.
void Runner::test_finished(const TestRun& run) {
  constexpr std::size_t kMostStacks = 8;
  failed_ = failed_ || is_failure(run.outcome.kind);
  bool wanted = run.outcome.kind == OutcomeKind::crash && executor_ && request_.crash_stacks &&
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
  with_stack.stack = stacks_[run.test] = executor_->crash_stack(order);
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

Result<Suite> list_tests(const Target& target, const ExecutorOptions& options,
                         std::vector<Notice>& notices) {
  auto inspection = inspect(target);
  if (!inspection) return inspection.error();
  std::string why = inspection->unhookable;
  if (why.empty()) {
    ExecutorOptions informed = options;
    informed.hook_offsets = inspection->hook_offsets;
    auto suite = Executor::list(target, inspection->elf, inspection->framework, informed);
    if (suite || suite.error().kind != ErrorKind::unhookable) return suite;
    why = suite.error().message;
  }
  if (Status known = check_flags_known(*inspection, target, why); !known) return known.error();
  FlagsDriver flags(target, inspection->framework.version, options);
  auto suite = flags.list(false);
  if (suite && suite->size() > 0) {
    notices.push_back({Notice::Level::warning, "listed by GoogleTest's own flags, because " + why});
  }
  return suite;
}

}  // namespace gordian
