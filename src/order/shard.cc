// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/shard.h"

#include <algorithm>
#include <numeric>

namespace gordian {
namespace {

/// Union-find over places in a list of tests.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
  }
  /// The smaller place is the root.
  void join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

constexpr std::size_t kNowhere = SIZE_MAX;

std::vector<std::size_t> places_of(const Order& tests, std::size_t all) {
  std::vector<std::size_t> places(all, kNowhere);
  for (std::size_t i = 0; i < tests.size(); ++i) places[tests[i].value()] = i;
  return places;
}

/// The shortest sequence of which all tests are there; null if there is none.
const Constraint::Sequence* cheapest(const Constraint& constraint,
                                     const std::vector<std::size_t>& places) {
  const Constraint::Sequence* best = nullptr;
  for (const Constraint::Sequence& sequence : constraint.sequences) {
    const bool all = std::all_of(sequence.tests.begin(), sequence.tests.end(),
                                 [&](TestId t) { return places[t.value()] != kNowhere; });
    if (all && (best == nullptr || sequence.tests.size() < best->tests.size())) best = &sequence;
  }
  return best;
}

std::chrono::nanoseconds time_of(const Order& group, const ShardRequest& request) {
  std::chrono::nanoseconds sum{0};
  for (TestId test : group) {
    sum += request.times.empty() ? std::chrono::nanoseconds(1) : request.times[test.value()];
  }
  return sum;
}

using TimedGroup = std::pair<std::chrono::nanoseconds, Order>;

/// The longest ones first.
std::vector<TimedGroup> timed_groups(const ShardRequest& request) {
  std::vector<TimedGroup> groups;
  for (Order& group : inseparable_groups(request.constraints, request.tests)) {
    const auto time = time_of(group, request);
    groups.emplace_back(time, std::move(group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return groups;
}

/// Where the next group goes.
std::size_t least_loaded(const std::vector<Shard>& shards, const ShardRequest& request) {
  // Where nothing is known of the time of tests, their number still says something.
  auto load = [&](std::size_t i) {
    const auto besides = request.loads.empty() ? std::chrono::nanoseconds(0) : request.loads[i];
    return std::pair(shards[i].time + besides, shards[i].tests);
  };
  std::size_t least = 0;
  for (std::size_t i = 1; i < shards.size(); ++i) {
    if (load(i) < load(least)) least = i;
  }
  return least;
}

}  // namespace

std::vector<Order> inseparable_groups(const Constraints& constraints, const Order& tests) {
  const std::vector<std::size_t> places = places_of(tests, constraints.tests());
  Groups groups(tests.size());
  for (const Constraint& constraint : constraints.all()) {
    const std::size_t place = places[constraint.test.value()];
    if (constraint.kind != Constraint::Kind::needs || place == kNowhere) continue;
    const Constraint::Sequence* sequence = cheapest(constraint, places);
    if (sequence == nullptr) continue;
    for (TestId test : sequence->tests) groups.join(place, places[test.value()]);
  }
  std::vector<Order> result;
  std::vector<std::size_t> index(tests.size(), kNowhere);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    std::size_t& at = index[groups.root(i)];
    if (at == kNowhere) {
      at = result.size();
      result.emplace_back();
    }
    result[at].push_back(tests[i]);
  }
  return result;
}

std::vector<Shard> make_shards(const ShardRequest& request) {
  std::vector<Shard> shards(request.count);
  std::vector<Order> contents(request.count);
  for (const auto& [time, group] : timed_groups(request)) {
    const std::size_t least = least_loaded(shards, request);
    shards[least].time += time;
    shards[least].tests += group.size();
    contents[least].insert(contents[least].end(), group.begin(), group.end());
  }
  if (request.times.empty()) {
    for (Shard& shard : shards) shard.time = {};
  }
  const std::vector<std::size_t> places = places_of(request.tests, request.constraints.tests());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    std::sort(contents[i].begin(), contents[i].end(),
              [&](TestId a, TestId b) { return places[a.value()] < places[b.value()]; });
    auto ranking = rank_as_listed(contents[i]);
    shards[i].schedule =
        make_schedule({request.constraints, contents[i], request.helpers}, *ranking);
  }
  return shards;
}

}  // namespace gordian
