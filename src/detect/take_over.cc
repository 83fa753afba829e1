// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search takes over from an earlier one. Pairs are taken over as they are; a dependence only
// after its witness and the test alone were run again. The database is written last: a search that
// is ended before it knows where it stands leaves the earlier state alone.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "detect/search.h"
#include "runtime/interrupt.h"
#include "store/facts_json.h"

namespace gordian {

/// An earlier search, seen from this one.
struct Search::Earlier {
  const SearchRecord& record;
  bool same_build = false;
  std::vector<std::optional<TestId>> now;  ///< by number in the record
  std::vector<bool> kept;                  ///< by number now: the same as then

  std::optional<Order> translate(const Order& order) const {
    Order translated;
    for (TestId test : order) {
      if (!now[test.value()]) return std::nullopt;
      translated.push_back(*now[test.value()]);
    }
    return translated;
  }
  bool keeps(const Order& order) const {
    return std::all_of(order.begin(), order.end(), [this](TestId t) { return kept[t.value()]; });
  }
  /// Those that still exist and are the same.
  std::vector<TestId> kept_of(const std::vector<TestId>& tests) const {
    std::vector<TestId> left;
    for (TestId test : tests) {
      const auto& id = now[test.value()];
      if (id && kept[id->value()]) left.push_back(*id);
    }
    return left;
  }
};

namespace {

/// A failure that only moved in its file is the same failure of a rebuilt test.
bool same_but_for_line(Outcome a, Outcome b) {
  a.line = b.line = 0;
  return same_result(a, b);
}

bool has_code_hashes(const SearchRecord& record) {
  return std::any_of(record.tests.begin(), record.tests.end(),
                     [](const TestRecord& test) { return !test.code_hash.empty(); });
}

}  // namespace

void Search::tell(std::string text) {
  facts_.notices.push_back({Notice::Level::info, std::move(text)});
  listener_.notice(facts_.notices.back());
}

Search::Earlier Search::look_back(const SearchRecord& record, bool same_build,
                                  const std::vector<std::string>& hashes) const {
  Earlier earlier{record, same_build, {}, std::vector<bool>(facts_.suite.size())};
  const std::set<TestId> searched(knowledge_.tests().begin(), knowledge_.tests().end());
  for (const TestRecord& then : record.tests) {
    auto id = facts_.suite.find(then.name);
    if (id && !searched.contains(*id)) id = std::nullopt;
    earlier.now.push_back(id);
    if (!id) continue;
    const bool same_code = !then.code_hash.empty() && then.code_hash == hashes[id->value()];
    const bool as_known = then.expected.has_value() == knowledge_.expected(*id).has_value();
    earlier.kept[id->value()] = as_known && (same_build || same_code);
  }
  return earlier;
}

/// Kept tests whose result in the default order is another one than then.
std::vector<TestId> Search::changed_results(const Earlier& earlier) const {
  std::vector<TestId> changed;
  for (std::size_t i = 0; i < earlier.now.size(); ++i) {
    const auto& id = earlier.now[i];
    if (!id || !earlier.kept[id->value()]) continue;
    const auto &then = earlier.record.tests[i].expected, &now = knowledge_.expected(*id);
    const bool wavers =
        knowledge_.standing(*id) == Knowledge::Standing::nondeterministic ||
        std::any_of(earlier.record.nondeterministic.begin(), earlier.record.nondeterministic.end(),
                    [i](const auto& test) { return test.test.value() == i; });
    if (wavers || (!then && !now)) continue;
    const bool same =
        then && now &&
        (earlier.same_build ? same_result(*then, *now) : same_but_for_line(*then, *now));
    if (!same) changed.push_back(*id);
  }
  return changed;
}

/// A dependence of then in the numbers of now; nullopt when a test of its witness is gone.
std::optional<Dependence> Search::translate(const Earlier& earlier, const Dependence& then) const {
  auto witness = earlier.translate(then.witness);
  if (!witness) return std::nullopt;
  Dependence known = then;
  known.witness = *witness;
  known.test = witness->back();
  known.by = Order(witness->begin(), witness->end() - 1);
  known.singles = earlier.kept_of(then.singles);
  known.cleaners = earlier.kept_of(then.cleaners);
  known.passes_after = earlier.translate(then.passes_after).value_or(Order{});
  return known;
}

/// Lists of tests that were tried one by one: in the same build they hold; in another one they say
/// which tests to try again, besides the new ones.
void Search::take_over_lists(const Earlier& earlier, Dependence& known, bool as_before) {
  const bool hold = earlier.same_build && as_before;
  if (hold) return;
  if (earlier.keeps(known.witness)) {
    for (TestId first : known.singles) {
      knowledge_.take_over_change(first, known.test, known.witnessed);
    }
    if (known.cleaners_complete) judge_.know_cleaners(known.witness, known.cleaners);
  }
  known.singles = known.by.size() == 1 ? known.by : Order{};
  known.cleaners.clear();
  known.singles_complete = known.cleaners_complete = false;
}

/// `seen`: the witness, then the test alone, each as often as it takes to confirm.
Status Search::check_again(Earlier& earlier, Dependence known, std::span<const Outcome> seen) {
  const TestId test = known.test;
  const auto witnessed = seen.first(seen.size() / 2), alone = seen.last(seen.size() / 2);
  auto stable = [](std::span<const Outcome> all) { return all_like(all, all.front()); };
  const auto& expected = knowledge_.expected(test);
  const auto standing = knowledge_.standing(test);
  const bool concerned =
      standing == Knowledge::Standing::open || standing == Knowledge::Standing::dependent;
  if (!concerned || !expected) return {};
  const Outcome after = witnessed.front(), by_itself = alone.front();
  if (stable(witnessed) && stable(alone) && !same_result(after, by_itself)) {
    const bool as_before = earlier.keeps(known.witness) &&
                           same_but_for_line(after, known.witnessed) &&
                           same_but_for_line(by_itself, known.alone);
    known.expected = *expected;
    const bool same_crash = earlier.same_build && as_before && after.kind == OutcomeKind::crash;
    if (!same_crash) known.witnessed = after;  // else its place is known, which is not looked for
    known.alone = by_itself;
    known.confirmed = request_.confirmations;
    known.role = role_of(by_itself, after, known.by, test);
    known.splits_suite = splits_suites(facts_.suite, known.witness);
    take_over_lists(earlier, known, as_before);
    if (!as_before) earlier.kept[test.value()] = false;
    knowledge_.set_alone(test, by_itself);
    // In the same build that was done when it was found.
    if (earlier.same_build && known.fresh >= request_.confirmations) {
      add(std::move(known));
      return {};
    }
    auto verdict = judge_.confirm_fresh(std::move(known));
    if (!verdict) return verdict.error();
    for (Dependence& found : verdict->dependences) add(std::move(found));
    leave_open(verdict->open);
    if (verdict->nondeterministic && !interrupted()) add(*verdict->nondeterministic);
    if (verdict->dependences.empty()) earlier.kept[test.value()] = false;
    return {};
  }
  // It did not come back: the test is searched afresh, beginning with what it shows now.
  earlier.kept[test.value()] = false;
  Suspects suspects;
  for (const Outcome& outcome : witnessed) {
    if (!is_known(outcome) || same_result(outcome, *expected)) continue;
    suspects[test] = {Suspicion{known.witness, outcome, known.found_by}};
  }
  return judge(suspects);
}

Status Search::check_known(Earlier& earlier) {
  std::vector<Dependence> known;
  std::vector<Order> orders;
  for (const Dependence& then : earlier.record.dependences) {
    auto translated = translate(earlier, then);
    if (!translated) {
      const auto& test = earlier.now[then.test.value()];
      if (test) earlier.kept[test->value()] = false;
      continue;
    }
    const auto times = static_cast<std::size_t>(request_.confirmations);
    orders.insert(orders.end(), times, translated->witness);
    orders.insert(orders.end(), times, Order{translated->test});
    known.push_back(std::move(*translated));
  }
  if (known.empty()) return {};
  progress_.algorithm = to_string(PhaseKind::known_dependences);
  const std::uint64_t orders_before = lab_.orders(), tests_before = lab_.tests_run();
  const auto since = budget_->now();
  auto outcomes = lab_.last_outcomes(orders);
  if (!outcomes) return outcomes.error();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (should_stop()) {
      const Dependence& one = known[i];
      facts_.suspected.push_back({one.test, one.witness, one.expected, one.witnessed});
      ++known_unchecked_;
      continue;
    }
    const std::size_t each = orders.size() / known.size();
    auto seen = std::span<const Outcome>(*outcomes).subspan(i * each, each);
    if (Status done = check_again(earlier, std::move(known[i]), seen); !done) return done;
  }
  if (known_unchecked_ > 0) {
    tell(fmt::format("{} of {} dependences that an earlier search has found were not run again: {}",
                     known_unchecked_, known.size(),
                     interrupted() ? "it was ended" : "the budget is spent"));
  }
  SearchPhase phase{PhaseKind::known_dependences,    lab_.orders() - orders_before,
                    lab_.tests_run() - tests_before, static_cast<int>(facts_.dependences.size()),
                    budget_->now() - since,          !should_stop()};
  facts_.search.phases.push_back(phase);
  listener_.phase_ended(phase);
  return {};
}

/// That a test is nondeterministic was seen, and more runs cannot unsee it.
void Search::take_over_nondeterministic(Earlier& earlier) {
  for (NondeterministicTest test : earlier.record.nondeterministic) {
    const auto& id = earlier.now[test.test.value()];
    if (!id || !earlier.kept[id->value()]) continue;
    if (knowledge_.standing(*id) != Knowledge::Standing::open) continue;
    auto order = earlier.translate(test.order);
    if (!order || !earlier.keeps(*order)) {
      earlier.kept[id->value()] = false;
      continue;
    }
    test.test = *id;
    test.order = *order;
    knowledge_.set_standing(*id, Knowledge::Standing::nondeterministic);
    for (const Outcome& outcome : {test.usual, test.other}) {
      if (ends_its_process(outcome)) knowledge_.note_ended(*id);
    }
    facts_.nondeterministic.push_back(test);
    listener_.found_nondeterministic(test);
  }
}

void Search::take_over_results(const Earlier& earlier) {
  const auto& tests = earlier.record.tests;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto& first = earlier.now[i];
    if (!first || !earlier.kept[first->value()]) continue;
    for (std::size_t j = 0; j < tests.size(); ++j) {
      const auto& second = earlier.now[j];
      if (!tests[i].covered[j] || !second || !earlier.kept[second->value()]) continue;
      knowledge_.take_over_pair(*first, *second);
    }
    // Results may name lines, which another build has moved.
    if (!earlier.same_build) continue;
    if (tests[i].alone && !knowledge_.alone(*first)) knowledge_.set_alone(*first, *tests[i].alone);
    for (const auto& [before, outcome] : tests[i].changed_by) {
      const auto& id = earlier.now[before.value()];
      if (id && earlier.kept[id->value()]) knowledge_.take_over_change(*id, *first, outcome);
    }
  }
}

SearchRecord Search::snapshot(const Memory& memory, const std::vector<std::string>& hashes) const {
  SearchRecord record;
  record.build = memory.build;
  record.seed = request_.seed;
  record.order_cost_ns = order_cost_.count();
  for (std::uint32_t i = 0; i < facts_.suite.size(); ++i) {
    record.tests.push_back(record_of(knowledge_, facts_.suite, TestId{i}));
    record.tests.back().code_hash = hashes[i];
  }
  record.dependences = facts_.dependences;
  record.nondeterministic = facts_.nondeterministic;
  record.left_out = facts_.left_out;
  record.phases = journal_.all_left_at();
  return record;
}

/// Whether anything can be taken over at all; if not, says why.
bool Search::comparable(const Earlier& earlier, const Memory& memory, const CodeHashes& hashes) {
  const std::string when = ago(age_of(earlier.record.updated_unix_ms)),
                    afresh = ": everything is searched afresh";
  if (earlier.same_build) {
    const std::vector<TestId> changed = changed_results(earlier);
    if (changed.empty()) return true;
    std::string which = facts_.suite.test(changed.front()).full_name();
    if (changed.size() > 1) which += fmt::format(" and {} more", changed.size() - 1);
    tell(fmt::format("the default order gives other results than in the search of {} ({}){}", when,
                     which, afresh));
    return false;
  }
  std::string why;
  if (earlier.record.build.libraries != memory.build.libraries) {
    why = "a shared library of the binary was changed";
  } else if (!hashes.problem.empty() || !has_code_hashes(earlier.record)) {
    why = "the binary was rebuilt, and its tests cannot be compared (" +
          (hashes.problem.empty() ? "they had no symbols then" : hashes.problem) + ")";
  } else if (std::none_of(earlier.kept.begin(), earlier.kept.end(), [](bool k) { return k; })) {
    why = "the binary was rebuilt and every test was changed";
  }
  if (!why.empty()) tell(fmt::format("{} since the search of {}{}", why, when, afresh));
  return why.empty();
}

Status Search::take_over(const Memory& memory) {
  if (memory.store == nullptr || should_stop()) return {};
  const SearchRecord* record = memory.earlier ? &memory.earlier->record : nullptr;
  const bool same_build = record != nullptr && record->build == memory.build &&
                          record->tests.size() == facts_.suite.size();
  CodeHashes hashes;
  if (same_build) {
    for (const TestRecord& test : record->tests) hashes.by_test.push_back(test.code_hash);
  } else {
    hashes = memory.hash_code();
  }
  bool all_kept = false;
  if (record != nullptr) {
    Earlier earlier = look_back(*record, same_build, hashes.by_test);
    if (comparable(earlier, memory, hashes)) {
      for (TestId test : changed_results(earlier)) earlier.kept[test.value()] = false;
      if (Status done = check_known(earlier); !done || should_stop()) return done;
      take_over_nondeterministic(earlier);
      take_over_results(earlier);
      all_kept = settle(earlier);
      order_cost_ = std::chrono::nanoseconds(record->order_cost_ns);
    }
  }
  knowledge_.take_news();  // what is stored now is none
  journal_.set_seed(request_.seed);
  journal_.set_order_cost(order_cost_);
  if (same_build && all_kept) {
    journal_.go_on(*memory.store, memory.earlier->id, *record);
    journal_.store_now(knowledge_, facts_);
  } else {
    journal_.begin(*memory.store, memory.settings, snapshot(memory, hashes.by_test));
  }
  note_exhausted();
  return {};
}

/// Says what was taken over, and which part of each algorithm is left. True if nothing is new.
bool Search::settle(const Earlier& earlier) {
  std::uint64_t changed = 0;
  for (TestId test : knowledge_.tests()) changed += !earlier.kept[test.value()];
  ResumedFrom resumed;
  resumed.kind = earlier.same_build ? ResumedFrom::Kind::continued : ResumedFrom::Kind::rebuilt;
  resumed.age = age_of(earlier.record.updated_unix_ms);
  resumed.pairs_covered = knowledge_.pairs_covered();
  resumed.changed_tests = changed;
  resumed.known = facts_.dependences.size();
  facts_.search.resumed = resumed;
  facts_.search.pairs_total = knowledge_.pairs_total();
  listener_.resumed(facts_);
  const bool same_list = std::equal(
      earlier.record.tests.begin(), earlier.record.tests.end(), facts_.suite.tests().begin(),
      facts_.suite.tests().end(),
      [](const TestRecord& then, const Test& now) { return then.name == now.full_name(); });
  if (changed == 0 && same_list) {
    auto phases = earlier.record.phases;
    if (!earlier.same_build) {  // results alone are not taken over from another build
      phases.erase(PhaseKey{PhaseKind::isolation});
      phases.erase(PhaseKey{PhaseKind::automatic});
    }
    journal_.set_left_at(std::move(phases));
    return true;
  }
  for (TestId test : knowledge_.tests()) {
    if (earlier.kept[test.value()]) knowledge_.set_settled(test);
  }
  for (const auto& [key, phase] : earlier.record.phases) {
    if (phase.finished) finished_before_.insert(key);
  }
  return false;
}

}  // namespace gordian
