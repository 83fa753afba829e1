// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/ranking.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/front_end.h"
#include "base/result.h"
#include "model/rank_facts.h"
#include "order/ranking.h"
#include "store/curve_store.h"

namespace gordian {
namespace {

// What all tests and the reduced ones take, with each isolation: wall time from start to end, one
// test at a time.

/// A listener for runs that are only timed.
class TimedRun : public SilentRunObserver {
 public:
  explicit TimedRun(std::function<void(std::size_t done, std::size_t total)> progress)
      : progress_(std::move(progress)) {}
  bool wants_results() const override { return false; }
  void tick(const std::vector<RunningTest>&, std::size_t done, std::size_t total) override {
    progress_(done, total);
  }

 private:
  std::function<void(std::size_t, std::size_t)> progress_;
};

struct Timed {
  std::chrono::nanoseconds wall{0};
  Isolation used = Isolation::process;
};

/// One run for each process: only with isolation none it makes a difference where they part.
Result<Timed> time_of(RunRequest request, const RankedBinary& of,
                      const std::vector<ProcessOrder>& processes, RunObserver& observer) {
  std::vector<Order> orders;
  if (request.isolation == Isolation::none) {
    for (const ProcessOrder& process : processes) orders.push_back(process.order);
  } else {
    orders.push_back(joined(processes));
  }
  Timed timed;
  for (const Order& order : orders) {
    request.exact_order = names_of(of.suite, order);
    auto facts = run_target(request, observer);
    if (!facts) return facts.error();
    if (facts->end == RunEnd::interrupted) return Error{ErrorKind::interrupted, "interrupted", ""};
    timed.wall += facts->wall;
    timed.used = facts->header.used;
  }
  return timed;
}

/// Isolations process, snapshot and none, in turn, `rounds` times; the least time counts. An
/// interrupt is an error.
Result<std::vector<ReducedTime>> measure_times(const RunRequest& asked, const RankedBinary& of,
                                               const std::vector<ProcessOrder>& reduced, int rounds,
                                               RunObserver& observer) {
  const std::vector<ProcessOrder> all = in_one_process(of.tests);
  RunRequest request = asked;
  request.target = of.target;
  request.engine.jobs = 1;
  request.crash_stacks = false;
  std::vector<ReducedTime> times;
  for (Isolation isolation : {Isolation::process, Isolation::snapshot, Isolation::none}) {
    times.push_back(
        {isolation, isolation, std::chrono::hours(24 * 365), std::chrono::hours(24 * 365)});
  }
  for (int round = 0; round < rounds; ++round) {
    for (ReducedTime& time : times) {
      request.isolation = time.asked;
      auto whole = time_of(request, of, all, observer);
      if (!whole) return whole.error();
      auto part = time_of(request, of, reduced, observer);
      if (!part) return part.error();
      time.used = whole->used;
      time.all = std::min(time.all, whole->wall);
      time.reduced = std::min(time.reduced, part->wall);
    }
  }
  return times;
}

Status store_curves(const RankSession& session, std::span<const RankedOrder* const> orders) {
  std::vector<ReportedCurve> curves;
  for (const RankedOrder* order : orders) {
    const std::string name = order->technique + (order->aware ? " aware" : "");
    if (order->statements) curves.push_back({name, "statements", order->seed, *order->statements});
    if (order->functions) curves.push_back({name, "functions", order->seed, *order->functions});
  }
  if (session.db().empty() || curves.empty()) return {};
  auto store = CurveStore::open(session.db());
  if (!store) return store.error();
  return store->save(session.binary().binary, curves);
}

Error with_way_out(Error error) {
  error.hint += "; --technique T1 needs no coverage";
  return error;
}

/// T1 does without coverage, and then has no curve.
Status coverage_to_prioritize(const PrioritizeRequest& request, RankSession& session,
                              std::vector<Notice>& notices) {
  Status got = session.need_coverage();
  if (got.ok() || got.error().kind != ErrorKind::target) return got;
  if (needs_coverage(request.technique) || session.coverage_is_given()) {
    return with_way_out(got.error());
  }
  notices.push_back({Notice::Level::info, "no growth curve: " + got.error().message});
  return {};
}

/// Coverage is needed as soon as one order looks at it; else it is good for curves.
Status coverage_for_all(const std::vector<AskedOrder>& asked, RankSession& session) {
  Status got = session.need_coverage();
  if (got.ok() || got.error().kind != ErrorKind::target) return got;
  const bool needed = std::any_of(asked.begin(), asked.end(), [](const AskedOrder& one) {
    return needs_coverage(one.technique);
  });
  return needed ? with_way_out(got.error()) : Status();
}

Result<RankedOrder> checked_order(const AskedOrder& asked, bool aware, RankSession& session) {
  if (aware) {
    return session.checked_until_right(
        [&] { return session.ranked_aware(asked.technique, asked.seed); });
  }
  RankedOrder order = session.ranked(asked.technique, asked.seed);
  if (Status ran = session.check(order); !ran) return ran.error();
  return order;
}

Result<RankedOrder> prioritized_order(const PrioritizeRequest& request, RankSession& session) {
  const auto& [technique, seed, aware, verify] = request;
  if (aware) {
    if (Status known = session.need_constraints(); !known) return known.error();
  }
  if (verify) return checked_order({technique, seed}, aware, session);
  return aware ? session.ranked_aware(technique, seed) : session.ranked(technique, seed);
}

std::size_t statements_of(const Coverage& coverage, const Order& tests) {
  CoverSet all(coverage.statements.units.size());
  for (TestId test : tests) all.merge(coverage.statements.tests[test.value()]);
  return all.count();
}

/// Tests of the order that are not among `kept`: others need them.
Order needed_besides(const RankedOrder& order, const Order& kept) {
  Order besides;
  for (TestId test : joined(order.processes)) {
    const bool known = std::find(kept.begin(), kept.end(), test) != kept.end() ||
                       std::find(besides.begin(), besides.end(), test) != besides.end();
    if (!known) besides.push_back(test);
  }
  return besides;
}

/// What is needed is kept like all the others, with what it needs itself.
RankedOrder with_what_they_need(const RankSession& session, Order kept) {
  for (;;) {
    RankedOrder order = session.scheduled(kept);
    const Order besides = needed_besides(order, kept);
    if (besides.empty()) return order;
    kept.insert(kept.end(), besides.begin(), besides.end());
    std::sort(kept.begin(), kept.end());
  }
}

Result<RankedOrder> reduced_order(const ReduceRequest& request, const Order& by_coverage,
                                  RankSession& session) {
  if (request.unaware) {
    RankedOrder order = session.scheduled(by_coverage);  // nothing is known: as they stand
    order.aware.reset();
    Status ran = request.verify ? session.check(order) : Status();
    return ran ? Result<RankedOrder>(std::move(order)) : ran.error();
  }
  if (Status known = session.need_constraints(); !known) return known.error();
  auto make = [&] { return with_what_they_need(session, by_coverage); };
  if (!request.verify) return make();
  return session.checked_until_right(make);
}

Status measure(const ReduceRequest& request, const RankSession& session, ReduceFacts& facts) {
  const auto listener = session.front_end().count(CountWork::measure);
  std::string doing = "timing";
  TimedRun observer([&](std::size_t done, std::size_t total) {
    listener->show({done, total, doing});
  });
  RunRequest run;
  run.engine = session.request().engine;
  if (request.times) {
    auto times = measure_times(run, facts.of, facts.order.processes, request.rounds, observer);
    if (!times) return times.error();
    facts.times = std::move(*times);
    facts.rounds = request.rounds;
  }
  facts.faults_file = request.faults_file;
  const FaultCheck check{facts.of, facts.order.processes, run,
                         [&](TestId test) { return session.settled_result(test); }, observer};
  for (const ListedFault& fault : request.faults) {
    doing = "fault " + fault.name;
    auto seen = check_fault(check, fault);
    if (!seen) return seen.error();
    facts.faults.push_back(std::move(*seen));
  }
  return {};
}

}  // namespace

Result<PrioritizeFacts> prioritize_tests(const PrioritizeRequest& request, RankSession& session) {
  PrioritizeFacts facts;
  facts.of = session.binary();
  if (Status got = coverage_to_prioritize(request, session, facts.notices); !got) {
    return got.error();
  }
  auto order = prioritized_order(request, session);
  if (!order) return order.error();
  facts.order = std::move(*order);
  facts.coverage = session.coverage_source();
  facts.default_order = session.default_order();
  if (request.aware) facts.unaware = session.ranked(request.technique, request.seed);
  for (const Notice& notice : session.notices()) facts.notices.push_back(notice);
  std::vector<const RankedOrder*> orders = {&facts.default_order, &facts.order};
  if (facts.unaware) orders.push_back(&*facts.unaware);
  if (Status stored = store_curves(session, orders); !stored) return stored.error();
  return facts;
}

Result<ImpactFacts> impact_of_orders(const std::vector<AskedOrder>& asked, bool aware,
                                     RankSession& session) {
  if (Status got = coverage_for_all(asked, session); !got) return got.error();
  if (aware) {
    if (Status known = session.need_constraints(); !known) return known.error();
  }
  ImpactFacts facts;
  facts.of = session.binary();
  facts.coverage = session.coverage_source();
  facts.aware = aware;
  facts.confirmations = session.request().confirmations;
  for (const AskedOrder& one : asked) {
    auto order = checked_order(one, aware, session);
    if (!order && order.error().kind == ErrorKind::interrupted) {
      facts.end = RunEnd::interrupted;
      break;
    }
    if (!order) return order.error();
    facts.orders.push_back(std::move(*order));
  }
  facts.notices = session.notices();
  const RankedOrder by_default = session.default_order();
  std::vector<const RankedOrder*> curves = {&by_default};
  for (const RankedOrder& order : facts.orders) curves.push_back(&order);
  if (Status stored = store_curves(session, curves); !stored) return stored.error();
  return facts;
}

Result<ReduceFacts> reduce_tests(const ReduceRequest& request, RankSession& session) {
  if (Status got = session.need_coverage(); !got) return got.error();
  const Coverage& coverage = *session.coverage();
  ReduceFacts facts;
  facts.of = session.binary();
  facts.coverage = session.coverage_source();
  facts.by_coverage = reduce_suite(coverage.statements, facts.of.tests);
  if (facts.by_coverage.empty()) {
    return target_error("no test covers anything, so there is nothing to choose by",
                        "are the sources under test built for coverage, too?");
  }
  auto order = reduced_order(request, facts.by_coverage, session);
  if (!order) return order.error();
  facts.order = std::move(*order);
  facts.kept_for_them = needed_besides(facts.order, facts.by_coverage);
  facts.statements_of_all = statements_of(coverage, facts.of.tests);
  facts.statements_of_kept = statements_of(coverage, joined(facts.order.processes));
  facts.notices = session.notices();
  if (Status measured = measure(request, session, facts); !measured) return measured.error();
  return facts;
}

}  // namespace gordian
