// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sources that shuffle: random orders, and screening with shuffled tails.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/random.h"
#include "detect/order_source.h"
#include "model/estimate.h"
#include "model/order_spec.h"

namespace gordian {
namespace {

/// A seed of its own for each trial, so that trial 7 is the same whatever ran before it.
std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial) {
  return Random(seed ^ (trial * 0x9e3779b97f4a7c15u)).next();
}

std::optional<std::uint64_t> number_of(std::string_view mark) {
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(mark.data(), mark.data() + mark.size(), number);
  if (error != std::errc() || end != mark.data() + mark.size()) return std::nullopt;
  return number;
}

class RandomSource : public OrderSource {
 public:
  RandomSource(const Suite& suite, const Knowledge& knowledge, std::uint64_t seed,
               std::uint64_t trials, Shuffling shuffling)
      : suite_(suite), knowledge_(knowledge), seed_(seed), trials_(trials), shuffling_(shuffling) {}

  PhaseKey key() const override {
    const char* how = shuffling_ == Shuffling::suites ? "suites"
                      : shuffling_ == Shuffling::free ? "free"
                                                      : "both";
    return {PhaseKind::random, fmt::format("seed={} shuffle={}", seed_, how)};
  }
  std::uint64_t total() const override { return trials_; }
  std::uint64_t total_tests() const override {
    return saturating_product(trials_, knowledge_.tests().size());
  }
  std::optional<Order> next() override {
    if (trial_ == trials_) return std::nullopt;
    return order_of(trial_++);
  }
  std::vector<Order> draw(Random& random, std::size_t) const override {
    if (trials_ == 0) return {};
    return {order_of(random.below(trials_))};
  }

 private:
  Order order_of(std::uint64_t trial) const {
    bool free = shuffling_ == Shuffling::free || (shuffling_ == Shuffling::both && trial % 2 == 1);
    std::uint64_t seed = trial_seed(seed_, trial);
    Order order = free ? interleave(knowledge_.tests(), seed)
                       : shuffle_suites(suite_, knowledge_.tests(), seed);
    knowledge_.enders_last(order);
    return order;
  }
  std::string mark() const override { return std::to_string(trial_); }
  void go_on_behind(std::string_view mark) override {
    trial_ = std::min(trials_, number_of(mark).value_or(0));
  }

  const Suite& suite_;
  const Knowledge& knowledge_;
  std::uint64_t seed_, trials_, trial_ = 0;
  Shuffling shuffling_;
};

class ScreenSource : public OrderSource {
 public:
  ScreenSource(const Knowledge& knowledge, std::uint64_t seed, int rounds)
      : knowledge_(knowledge), seed_(seed), rounds_(rounds) {}

  PhaseKey key() const override {
    return {PhaseKind::screen, fmt::format("seed={} rounds={}", seed_, rounds_)};
  }
  std::uint64_t total() const override {
    const Order& tests = knowledge_.tests();
    auto firsts = std::count_if(tests.begin(), tests.end(),
                                [this](TestId test) { return !knowledge_.ends_process(test); });
    return static_cast<std::uint64_t>(firsts) * static_cast<std::uint64_t>(rounds_);
  }
  std::uint64_t total_tests() const override {
    return saturating_product(total(), knowledge_.tests().size());
  }
  std::optional<Order> next() override {
    const Order& tests = knowledge_.tests();
    while (round_ < rounds_) {
      if (at_ == tests.size()) {
        at_ = 0;
        ++round_;
        continue;
      }
      TestId first = tests[at_++];
      if (knowledge_.ends_process(first)) continue;
      Order order = order_from(first, round_);
      if (order.size() > 1 || !leave_out_settled_) return order;
    }
    return std::nullopt;
  }
  std::vector<Order> draw(Random& random, std::size_t) const override {
    const Order& tests = knowledge_.tests();
    if (tests.empty() || rounds_ <= 0) return {};
    const auto rounds = static_cast<std::uint64_t>(rounds_);
    TestId first = tests[random.below(tests.size())];
    int round = static_cast<int>(random.below(rounds));
    if (knowledge_.ends_process(first)) return {};
    return {order_from(first, round)};
  }
  std::string mark() const override {
    return std::to_string(static_cast<std::uint64_t>(round_) * knowledge_.tests().size() + at_);
  }
  void go_on_behind(std::string_view mark) override {
    const std::uint64_t n = knowledge_.tests().size();
    const std::uint64_t given = std::min(total(), number_of(mark).value_or(0));
    round_ = n == 0 ? rounds_ : static_cast<int>(given / n);
    at_ = n == 0 ? 0 : given % n;
  }
  /// A settled test is then followed by the others only.
  void leave_out_settled() override { leave_out_settled_ = true; }

 private:
  Order order_from(TestId first, int round) const {
    const bool only_unsettled = leave_out_settled_ && knowledge_.settled(first);
    Order tail;
    for (TestId test : knowledge_.tests()) {
      if (test == first || (only_unsettled && knowledge_.settled(test))) continue;
      tail.push_back(test);
    }
    if (round > 0) {
      Random(trial_seed(seed_, first.value() + (static_cast<std::uint64_t>(round) << 32)))
          .shuffle(tail);
    }
    knowledge_.enders_last(tail);
    tail.insert(tail.begin(), first);
    return tail;
  }

  const Knowledge& knowledge_;
  std::uint64_t seed_;
  int rounds_, round_ = 0;
  bool leave_out_settled_ = false;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<OrderSource> random_source(const Suite& suite, const Knowledge& knowledge,
                                           std::uint64_t seed, std::uint64_t trials,
                                           Shuffling shuffling) {
  return std::make_unique<RandomSource>(suite, knowledge, seed, trials, shuffling);
}

std::unique_ptr<OrderSource> screen_source(const Knowledge& knowledge, std::uint64_t seed,
                                           int rounds) {
  return std::make_unique<ScreenSource>(knowledge, seed, rounds);
}

}  // namespace gordian
