// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/journal.h"

namespace gordian {
namespace {

/// What a killed search may lose. Storing takes some milliseconds.
constexpr auto kInterval = std::chrono::seconds(2);

}  // namespace

TestRecord record_of(const Knowledge& knowledge, const Suite& suite, TestId test) {
  TestRecord record;
  record.name = suite.test(test).full_name();
  record.expected = knowledge.expected(test);
  record.alone = knowledge.alone(test);
  record.covered = knowledge.covered_behind(test);
  record.changed_by = knowledge.changed_by(test);
  return record;
}

void Journal::begin(SearchStore& store, const SearchSettings& settings,
                    const SearchRecord& record) {
  auto state = store.begin(settings, record);
  if (!state) return give_up(state.error().message);
  store_ = &store;
  state_ = *state;
  stored_ = std::chrono::steady_clock::now();
}

void Journal::go_on(SearchStore& store, SearchStateId state, const SearchRecord& record) {
  store_ = &store;
  state_ = state;
  left_at_ = record.phases;
  stored_ = std::chrono::steady_clock::now();
}

void Journal::give_up(std::string why) {
  trouble_ = std::move(why);
  state_.reset();
}

const PhaseRecord* Journal::left_at(const PhaseKey& phase) const {
  auto it = left_at_.find(phase);
  return it == left_at_.end() ? nullptr : &it->second;
}

void Journal::reached(const PhaseKey& phase, std::string mark, bool finished) {
  news_[phase] = {std::move(mark), finished};
  known_.insert(phase);
}

void Journal::take_back(const std::function<bool(const PhaseKey&)>& which) {
  for (const auto& [phase, mark] : left_at_) known_.insert(phase);
  for (const PhaseKey& phase : known_) {
    if (!which(phase)) continue;
    news_[phase] = {"", false};
    left_at_.erase(phase);
  }
}

void Journal::store_if_due(Knowledge& knowledge, const DetectFacts& facts) {
  if (std::chrono::steady_clock::now() - stored_ >= kInterval) store_now(knowledge, facts);
}

void Journal::store_now(Knowledge& knowledge, const DetectFacts& facts) {
  if (!state_) return;
  const auto begun = std::chrono::steady_clock::now();
  SearchUpdate update;
  update.seed = seed_;
  update.order_cost_ns = order_cost_.count();
  for (TestId test : knowledge.take_news()) {
    update.tests.emplace_back(test, record_of(knowledge, facts.suite, test));
  }
  update.phases = std::exchange(news_, {});
  update.dependences = facts.dependences;
  update.nondeterministic = facts.nondeterministic;
  auto stored = store_->update(*state_, update);
  if (!stored) return give_up(stored.error().message);
  if (!*stored) return give_up("another search of this binary has begun afresh meanwhile");
  stored_ = std::chrono::steady_clock::now();
  store_cost_ = stored_ - begun;
}

}  // namespace gordian
