// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/rank_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/stored_dependences.h"
#include "coverage/import.h"
#include "detect/detect.h"
#include "model/order_spec.h"
#include "order/ranking.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"
#include "runtime/session.h"
#include "store/coverage_store.h"
#include "store/dependence_store.h"

namespace gordian {
namespace {

struct FoundCoverage {
  Coverage coverage;
  CoverageSource about;
};

FoundCoverage found(Coverage coverage) {
  FoundCoverage result;
  result.about.source = coverage.source;
  result.about.way = to_string(coverage.way);
  result.about.statements = coverage.statements.units.size();
  result.about.functions = coverage.functions.units.size();
  result.about.notices = coverage.notices;
  result.coverage = std::move(coverage);
  return result;
}

Result<FoundCoverage> collect(const CoverageRequest& request, const RankedBinary& of,
                              FrontEnd& front_end) {
  auto listener = front_end.count(CountWork::collect);
  CoverageOptions options;
  options.engine = request.engine;
  options.engine.should_stop = [] { return interrupted(); };
  options.way = request.way;
  options.progress = [&listener](const CoverageProgress& progress) {
    listener->show({progress.done, progress.total, progress.doing});
  };
  auto collected = runtime_of(of.target).cover(of.target, options);
  listener.reset();
  if (!collected) return collected.error();
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return found(std::move(collected->coverage));
}

/// All that is there.
Result<FoundCoverage> find_everything(const CoverageRequest& request, const RankedBinary& of,
                                      FrontEnd& front_end) {
  if (!request.file.empty()) {
    auto imported = import_coverage(request.file, of.suite);
    if (!imported) return imported.error();
    FoundCoverage result = found(std::move(*imported));
    result.about.file = request.file;
    return result;
  }
  if (request.db.empty()) return collect(request, of, front_end);
  const SearchedBuild build{of.binary.sha256, of.binary.build_id,
                            runtime_of(of.target).libraries(of.target)};
  auto store = CoverageStore::open(request.db);
  if (!store) return store.error();
  if (!request.again) {
    auto stored = store->load(of.target, build, of.suite, request.way);
    if (!stored) return stored.error();
    if (*stored) {
      FoundCoverage result = found(std::move((*stored)->coverage));
      result.about.age = (*stored)->age;
      return result;
    }
  }
  auto collected = collect(request, of, front_end);
  if (!collected) return collected;
  Status saved = store->save(of.target, build, of.suite, collected->coverage);
  if (!saved) return saved.error();
  return collected;
}

/// What is collected is stored. An error says what to do.
Result<FoundCoverage> find_coverage(const CoverageRequest& request, const RankedBinary& of,
                                    FrontEnd& front_end) {
  auto result = find_everything(request, of, front_end);
  if (!result || request.test_code) return result;
  const std::size_t left_out = leave_out_test_code(result->coverage, of.suite);
  result->about.statements = result->coverage.statements.units.size();
  result->about.functions = result->coverage.functions.units.size();
  if (left_out > 0) {
    result->about.notices.push_back(fmt::format(
        "{} lines of the tests' own files do not count (--test-code counts them)", left_out));
  }
  return result;
}

RankedOrder named_order(Technique technique, std::uint64_t seed) {
  RankedOrder order;
  order.technique = name_of(technique);
  order.description = describe(technique);
  order.seed = seed;
  return order;
}

/// From now on coverage builds that we start leave their counters in a directory of ours and not
/// among the user's: orders are tried here, and nobody wants to see them counted. By our own
/// environment, so that stored targets do not name a directory that is gone.
Result<TemporaryDir> send_counters_elsewhere() {
  std::error_code none;
  const std::filesystem::path places[] = {"/var/tmp", std::filesystem::temp_directory_path(none)};
  auto dir = TemporaryDir::make(places);
  if (!dir) return dir;
  ::setenv("GCOV_PREFIX", dir->path().c_str(), 1);
  ::unsetenv("GCOV_PREFIX_STRIP");
  ::setenv("LLVM_PROFILE_FILE", (dir->path() / "%p-%m.profraw").c_str(), 1);
  return dir;
}

/// Whether one of `list` has the same test behind the same tests.
bool holds(const std::vector<Dependence>& list, const Dependence& d) {
  return std::any_of(list.begin(), list.end(), [&d](const Dependence& old) {
    return old.test == d.test && old.by == d.by && old.singles == d.singles &&
           old.cleaners == d.cleaners;
  });
}

}  // namespace

/// What a check tells goes to whoever listens now.
class RankSession::Relay : public SearchListener {
 public:
  void progress(const SearchProgress& progress) override {
    if (now_ == nullptr) return;
    now_->show({progress.tests_run, 0,
                progress.algorithm + (progress.doing.empty() ? "" : ": " + progress.doing)});
  }
  void tell(CountListener* listener) { now_ = listener; }

 private:
  CountListener* now_ = nullptr;
};

RankSession::RankSession(RankRequest request, TemporaryDir counters, FrontEnd& front_end)
    : counters_(std::move(counters)),
      request_(std::move(request)),
      front_end_(front_end),
      relay_(std::make_unique<Relay>()) {}

RankSession::RankSession(RankSession&&) noexcept = default;
RankSession::~RankSession() = default;

Result<RankSession> RankSession::open(const Target& target, RankRequest request,
                                      FrontEnd& front_end) {
  request.search.target = target;
  auto counters = send_counters_elsewhere();
  if (!counters) return counters.error();
  RankSession session(std::move(request), std::move(*counters), front_end);
  auto suite = runtime_of(target).list(target, session.request_.search.engine, session.notices_);
  if (!suite) return suite.error();
  auto binary = identity_of(target);
  if (!binary) return binary.error();
  auto tests = choose_tests(target, *suite, session.request_.search.filter);
  if (!tests) return tests.error();
  session.known_.constraints = Constraints(suite->size(), {});
  session.binary_ = {std::move(*binary), target, *suite, std::move(*tests)};
  return session;
}

Status RankSession::need_coverage() {
  if (coverage_) return {};
  CoverageRequest coverage = request_.coverage;
  coverage.engine = request_.search.engine;
  coverage.db = request_.db;
  auto found = find_coverage(coverage, binary_, front_end_);
  if (!found) return found.error();
  coverage_ = std::move(found->coverage);
  source_ = std::move(found->about);
  return {};
}

Status RankSession::need_constraints() {
  if (request_.db.empty()) {
    known_.constraints = Constraints(binary_.suite, known_.list, known_.changed);
    return {};
  }
  auto known = known_dependences(binary_.binary, binary_.suite, request_.db);
  if (!known) return known.error();
  known_ = std::move(*known);
  known_is_loaded_ = true;
  notices_.insert(notices_.end(), known_.notices.begin(), known_.notices.end());
  return {};
}

void RankSession::need_numbers() {
  if (known_is_loaded_ || request_.db.empty()) return;
  auto known = known_dependences(binary_.binary, binary_.suite, request_.db);
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
  order.processes = in_one_process(binary_.tests);
  draw_curves(order);
  return order;
}

RankedOrder RankSession::ranked(Technique technique, std::uint64_t seed) const {
  RankedOrder order = named_order(technique, seed);
  order.processes = in_one_process(prioritize(technique, coverage(), binary_.tests, seed));
  draw_curves(order);
  return order;
}

RankedOrder RankSession::made_of(const Schedule& schedule, RankedOrder order) const {
  auto because = [this](const std::vector<KeptOut>& list) {
    std::vector<std::pair<TestId, DependenceId>> reasons;
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

RankedOrder RankSession::ranked_aware(Technique technique, std::uint64_t seed) const {
  auto ranking = rank_by(technique, coverage(), binary_.tests, seed);
  const ScheduleRequest request{known_.constraints, binary_.tests,
                                binary_.suite.default_order_without(binary_.tests)};
  return made_of(make_schedule(request, *ranking), named_order(technique, seed));
}

RankedOrder RankSession::scheduled(const Order& kept) const {
  RankedOrder order;
  order.technique = "reduced";
  order.description = "Harrold, Gupta and Soffa";
  auto ranking = rank_as_listed(kept);
  const ScheduleRequest request{known_.constraints, kept,
                                binary_.suite.default_order_without(kept)};
  return made_of(make_schedule(request, *ranking), std::move(order));
}

DependenceId RankSession::dependence_of(TestId test) const {
  for (const Dependence& one : known_.list) {
    if (one.test == test) return one.id;
  }
  return kNoDependence;
}

const Outcome* RankSession::settled_result(TestId test) const {
  if (!check_ || !check_->is_settled(test)) return nullptr;
  return &*check_->expected(test);
}

Status RankSession::run_check(RankedOrder& order) {
  need_numbers();
  auto listener = front_end_.count(CountWork::check);
  relay_->tell(listener.get());
  auto checked = [&]() -> Result<CheckedOrder> {
    if (!check_) {
      auto opened = OrderCheck::open(request_.search, *relay_);
      if (!opened) return opened.error();
      check_ = std::move(*opened);
    }
    return check_->check(order.technique, order.processes);
  }();
  relay_->tell(nullptr);
  listener.reset();
  if (!checked) return checked.error();
  for (ChangedResult& changed : checked->changed) changed.dependence = dependence_of(changed.test);
  order.checked = std::move(*checked);
  return {};
}

Status RankSession::check(RankedOrder& order) {
  if (Status ran = run_check(order); !ran) return ran;
  std::vector<ChangedResult> unknown;
  for (const ChangedResult& changed : order.checked->changed) {
    if (changed.dependence == kNoDependence) unknown.push_back(changed);
  }
  auto learned = learn(unknown);
  if (!learned) return learned.error();
  for (ChangedResult& changed : order.checked->changed) {
    changed.dependence = dependence_of(changed.test);
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

Result<bool> RankSession::learn(const std::vector<ChangedResult>& changed) {
  if (changed.empty()) return false;
  DetectRequest request = request_.search;
  for (const ChangedResult& one : changed) {
    request.suspects.push_back(names_of(binary_.suite, one.order));
  }
  auto listener = front_end_.search();
  auto facts = detect(request, *listener);
  listener.reset();
  if (!facts) return facts.error();
  if (Status stored = store(*facts); !stored) return stored.error();
  bool any = false;
  for (const Dependence& found : facts->dependences) {
    if (holds(known_.list, found)) continue;
    known_.list.push_back(found);
    if (is_stored(found.id)) learned_.push_back(found.id);
    any = true;
  }
  known_.constraints = Constraints(binary_.suite, known_.list, known_.changed);
  return any;
}

Status RankSession::store(DetectFacts& facts) {
  if (request_.db.empty()) {
    for (Dependence& found : facts.dependences) found.id = kUnstored;
    return {};
  }
  auto store = DependenceStore::open(request_.db);
  if (!store) return store.error();
  facts.db = request_.db;
  return store->add(facts);
}

}  // namespace gordian
