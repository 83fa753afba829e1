// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/recorder.h"

#include <utility>

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 200;
constexpr std::chrono::milliseconds kLongestWait{500};

}  // namespace

Status Recorder::begin(const RunFacts& facts, const Order& order) {
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

Status Recorder::next_repeat(int index, const Order& order) {
  if (!id_) return {};
  if (Status flushed = flush(); !flushed) return flushed;
  begin_repeat(index, order);
  return store_->add_order(*id_, index, order);
}

void Recorder::add(const TestRun& run) {
  if (!id_) return;
  auto places = open_places_.find(run.test);
  if (places == open_places_.end() || places->second.empty()) return;  // a second try: see end()
  const std::size_t position = places->second.back();
  places->second.pop_back();
  if (run.outcome.kind == OutcomeKind::lost || run.outcome.kind == OutcomeKind::not_run) return;
  waiting_.push_back({position, run});
  stored_.push_back(position);
  if (waiting_.size() >= kBatch) {
    keep(flush());
  } else {
    flush_if_due();
  }
}

void Recorder::flush_if_due() {
  if (id_ && Clock::now() - last_flush_ >= kLongestWait) keep(flush());
}

Status Recorder::end(const RunFacts& facts) {
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

void Recorder::begin_repeat(int index, const Order& order) {
  repeat_ = index;
  stored_.clear();
  open_places_.clear();
  for (std::size_t p = order.size(); p-- > 0;) open_places_[order[p]].push_back(p);
}

Status Recorder::flush() {
  last_flush_ = Clock::now();
  if (waiting_.empty()) return {};
  Status added = store_->add_results(*id_, repeat_, waiting_);
  waiting_.clear();
  return added;
}

void Recorder::keep(Status status) {
  if (trouble_.ok()) trouble_ = std::move(status);
}

}  // namespace gordian
