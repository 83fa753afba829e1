// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/rank_session.h"

#include <algorithm>
#include <utility>

#include "app/stored_ids.h"
#include "cli/collect_display.h"
#include "cli/screen.h"
#include "model/order_spec.h"
#include "order/curve.h"
#include "report/search_display.h"
#include "report/write_file.h"
#include "runtime/native/inspect.h"
#include "runtime/runtime.h"
#include "runtime/session.h"
#include "store/dependence_store.h"

namespace gordian {

/// What a check tells goes to whichever display is there now.
class RankSession::Relay : public SearchListener {
 public:
  void progress(const SearchProgress& progress) override {
    if (display_ == nullptr) return;
    display_->show({progress.tests_run, 0,
                    progress.algorithm + (progress.doing.empty() ? "" : ": " + progress.doing)});
  }
  void show_on(CollectDisplay* display) { display_ = display; }

 private:
  CollectDisplay* display_ = nullptr;
};

RankSession::RankSession(RankOptions options, const CommonOptions& common, DetectRequest request,
                         CountersElsewhere counters)
    : counters_(std::move(counters)),
      options_(std::move(options)),
      common_(common),
      request_(std::move(request)),
      terminal_(describe_terminal(kScreen, common.color_choice())),
      relay_(std::make_unique<Relay>()) {}

RankSession::RankSession(RankSession&&) noexcept = default;
RankSession::~RankSession() = default;

Result<RankSession> RankSession::open(const Target& target, const RankOptions& options,
                                      const CommonOptions& common) {
  auto request = to_detect_request(options);
  if (!request) return request.error();
  request->target = target;
  request->engine.overrides = common.config.overrides;
  auto counters = CountersElsewhere::begin();
  if (!counters) return counters.error();
  RankSession session(options, common, std::move(*request), std::move(*counters));
  auto suite = runtime_of(target).list(target, session.request_.engine, session.notices_);
  if (!suite) return suite.error();
  auto binary = identity_of(target);
  if (!binary) return binary.error();
  auto tests = choose_tests(target, *suite, session.request_.filter);
  if (!tests) return tests.error();
  session.known_.constraints = Constraints(suite->size(), {});
  session.of_ = {std::move(*binary), target, *suite, std::move(*tests)};
  return session;
}

Status RankSession::need_coverage() {
  if (coverage_) return {};
  auto found = find_coverage(to_coverage_request(options_, request_, common_), of_, terminal_);
  if (!found) return found.error();
  coverage_ = std::move(found->coverage);
  source_ = std::move(found->about);
  return {};
}

Status RankSession::need_constraints() {
  if (options_.no_db) {
    known_.constraints = Constraints(of_.suite, known_.list);
    return {};
  }
  auto known = known_dependences(of_.binary, of_.suite, common_.db_path());
  if (!known) return known.error();
  known_ = std::move(*known);
  known_is_loaded_ = true;
  notices_.insert(notices_.end(), known_.notices.begin(), known_.notices.end());
  return {};
}

void RankSession::need_numbers() {
  if (known_is_loaded_ || options_.no_db) return;
  auto known = known_dependences(of_.binary, of_.suite, common_.db_path());
  if (known) known_ = std::move(*known);
  known_is_loaded_ = true;
}

void RankSession::draw_curves(RankedOrder& order) const {
  if (!coverage_) return;
  const Order all = joined(order.processes);
  order.statements = growth_curve(coverage_->statements, all);
  order.functions = growth_curve(coverage_->functions, all);
}

RankedOrder RankSession::default_order() const {
  RankedOrder order;
  order.technique = "default";
  order.description = "as the framework runs it";
  order.processes = {{of_.tests, std::vector<bool>(of_.tests.size())}};
  draw_curves(order);
  return order;
}

RankedOrder RankSession::ranked(Technique technique, std::uint64_t seed) const {
  RankedOrder order;
  order.technique = name_of(technique);
  order.description = describe(technique);
  order.seed = seed;
  Order tests = prioritize(technique, coverage(), of_.tests, seed);
  order.processes = {{std::move(tests), std::vector<bool>(of_.tests.size())}};
  draw_curves(order);
  return order;
}

RankedOrder RankSession::made_of(const Schedule& schedule, RankedOrder order) const {
  auto because = [this](const std::vector<KeptOut>& list) {
    std::vector<std::pair<TestId, int>> reasons;
    for (const KeptOut& out : list) {
      reasons.emplace_back(out.test, known_.constraints.all()[out.constraint].dependence);
    }
    return reasons;
  };
  order.processes = schedule.processes;
  order.aware = AwareFacts{known_.constraints.all().size(), because(schedule.moved),
                           because(schedule.impossible), learned_};
  draw_curves(order);
  return order;
}

namespace {

/// The tests of the default order that are not among `tests`.
Order others(const Suite& suite, const Order& tests) {
  std::vector<bool> asked(suite.size());
  for (TestId test : tests) asked[test.value()] = true;
  Order rest = suite.default_order();
  std::erase_if(rest, [&asked](TestId test) { return asked[test.value()]; });
  return rest;
}

}  // namespace

RankedOrder RankSession::ranked_aware(Technique technique, std::uint64_t seed) const {
  RankedOrder order;
  order.technique = name_of(technique);
  order.description = describe(technique);
  order.seed = seed;
  auto ranking = rank_by(technique, coverage(), of_.tests, seed);
  const ScheduleRequest request{known_.constraints, of_.tests, others(of_.suite, of_.tests)};
  return made_of(make_schedule(request, *ranking), std::move(order));
}

RankedOrder RankSession::scheduled(const Order& kept) const {
  RankedOrder order;
  order.technique = "reduced";
  order.description = "Harrold, Gupta and Soffa";
  auto ranking = rank_as_listed(kept);
  const ScheduleRequest request{known_.constraints, kept, others(of_.suite, kept)};
  return made_of(make_schedule(request, *ranking), std::move(order));
}

int RankSession::number_of(TestId test) const {
  for (const KnownDependence& one : known_.list) {
    if (one.dependence.test == test) return one.dependence.id;
  }
  return 0;
}

const Outcome* RankSession::settled_result(TestId test) const {
  if (!check_ || !check_->is_settled(test)) return nullptr;
  return &*check_->expected(test);
}

Status RankSession::run_check(RankedOrder& order) {
  need_numbers();
  CollectDisplay display(screen_options(terminal_), sink_to(kScreen),
                         std::chrono::steady_clock::now, "Check");
  relay_->show_on(&display);
  auto checked = [&]() -> Result<CheckedOrder> {
    if (!check_) {
      auto opened = OrderCheck::open(request_, *relay_);
      if (!opened) return opened.error();
      check_ = std::move(*opened);
    }
    return check_->check(order.technique, order.processes);
  }();
  relay_->show_on(nullptr);
  display.finish();
  if (!checked) return checked.error();
  for (ChangedResult& changed : checked->changed) changed.dependence = number_of(changed.test);
  order.checked = std::move(*checked);
  return {};
}

Status RankSession::check(RankedOrder& order) {
  if (Status ran = run_check(order); !ran) return ran;
  std::vector<ChangedResult> unknown;
  for (const ChangedResult& changed : order.checked->changed) {
    if (changed.dependence == 0) unknown.push_back(changed);
  }
  auto learned = learn(unknown);
  if (!learned) return learned.error();
  for (ChangedResult& changed : order.checked->changed) {
    changed.dependence = number_of(changed.test);
  }
  return {};
}

Result<RankedOrder> RankSession::checked_until_right(const Make& make) {
  constexpr int kMostRounds = 5;
  for (int round = 1;; ++round) {
    RankedOrder order = make();
    if (Status ran = run_check(order); !ran) return ran.error();
    if (order.checked->changed.empty() || round == kMostRounds) return order;
    auto learned = learn(order.checked->changed);
    if (!learned) return learned.error();
    if (!*learned) return order;
  }
}

namespace {

/// Whether one of `list` has the same test behind the same tests.
bool holds(const std::vector<KnownDependence>& list, const Dependence& d) {
  return std::any_of(list.begin(), list.end(), [&d](const KnownDependence& known) {
    const Dependence& old = known.dependence;
    return old.test == d.test && old.by == d.by && old.singles == d.singles &&
           old.cleaners == d.cleaners;
  });
}

}  // namespace

Result<bool> RankSession::learn(const std::vector<ChangedResult>& changed) {
  if (changed.empty()) return false;
  DetectRequest request = request_;
  for (const ChangedResult& one : changed) {
    std::vector<std::string>& names = request.suspects.emplace_back();
    for (TestId test : one.order) names.push_back(of_.suite.test(test).full_name());
  }
  SearchDisplay display(screen_options(terminal_), sink_to(kScreen));
  auto facts = detect(request, display);
  display.finish();
  if (!facts) return facts.error();
  if (Status stored = store(*facts); !stored) return stored.error();
  bool any = false;
  for (const Dependence& found : facts->dependences) {
    if (holds(known_.list, found)) continue;
    known_.list.push_back({found, {}});
    if (found.id > 0) learned_.push_back(found.id);
    any = true;
  }
  known_.constraints = Constraints(of_.suite, known_.list);
  return any;
}

Status RankSession::store(DetectFacts& facts) {
  if (options_.no_db) {
    for (Dependence& found : facts.dependences) found.id = kUnstored;
    return {};
  }
  auto store = DependenceStore::open(common_.db_path());
  if (!store) return store.error();
  facts.db = common_.db_path();
  return store->add(facts);
}

}  // namespace gordian
