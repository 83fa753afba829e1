// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Bounded search: every order of up to k tests, in full or without what cannot tell anything new.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "detect/order_source.h"
#include "flow/needless.h"
#include "model/estimate.h"

namespace gordian {
namespace {

/// Walks the k-permutations of n places in lexicographic order, with a say in what to leave out.
class Permutations {
 public:
  Permutations(std::size_t n, std::size_t k) : n_(n), k_(k), used_(n) {}

  /// The next one for which allowed(prefix) holds at every length; nullopt at the end, or once
  /// stop(), asked between beginnings, says so.
  template <class Allowed, class Stop>
  std::optional<std::vector<std::size_t>> next(Allowed allowed, Stop stop) {
    if (k_ == 0 || k_ > n_ || (begun_ && places_.empty())) return std::nullopt;
    std::size_t from = begun_ ? retreat() : 0;
    begun_ = true;
    for (;;) {
      if (!extend(from, allowed)) {
        if (places_.empty() || stop()) return std::nullopt;
        from = retreat();
        continue;
      }
      if (places_.size() == k_) return places_;
      from = 0;
    }
  }

  /// The places given out last, "3 0 7"; "" before the first and "end" after the last.
  std::string mark() const {
    if (begun_ && places_.empty()) return "end";
    return fmt::format("{}", fmt::join(places_, " "));
  }
  void go_on_behind(std::string_view mark) {
    std::vector<std::size_t> places;
    std::vector<bool> used(n_);
    if (mark == "end") begun_ = true;
    const char *at = mark.data(), *end = at + mark.size();
    while (at != end) {
      std::size_t place = 0;
      auto [next, error] = std::from_chars(at, end, place);
      if (error != std::errc() || place >= n_ || used[place]) return;
      used[place] = true;
      places.push_back(place);
      at = next != end && *next == ' ' ? next + 1 : next;
    }
    if (places.size() != k_) return;
    places_ = std::move(places);
    used_ = std::move(used);
    begun_ = true;
  }

 private:
  /// Takes the last place back; the next candidate for it is returned.
  std::size_t retreat() {
    std::size_t last = places_.back();
    places_.pop_back();
    used_[last] = false;
    return last + 1;
  }

  template <class Allowed>
  bool extend(std::size_t from, Allowed& allowed) {
    for (std::size_t place = from; place < n_; ++place) {
      if (used_[place]) continue;
      places_.push_back(place);
      if (allowed(places_)) {
        used_[place] = true;
        return true;
      }
      places_.pop_back();
    }
    return false;
  }

  std::size_t n_, k_;
  std::vector<std::size_t> places_;
  std::vector<bool> used_;
  bool begun_ = false;
};

/// What an earlier search has not run already. Pairs are known one by one; of longer orders only
/// that all of them were run.
bool is_new(const Knowledge& knowledge, bool without_settled, const Order& order) {
  if (order.size() == 2) return !knowledge.pair_taken_over(order[0], order[1]);
  if (order.size() < 2 || !without_settled) return true;
  return !std::all_of(order.begin(), order.end(),
                      [&](TestId test) { return knowledge.settled(test); });
}

class ExhaustiveSource : public OrderSource {
 public:
  ExhaustiveSource(const Knowledge& knowledge, int k)
      : knowledge_(knowledge),
        tests_(knowledge.tests()),
        k_(std::min(static_cast<std::size_t>(k), tests_.size())),
        permutations_(tests_.size(), k_) {}

  PhaseKey key() const override { return {PhaseKind::exhaustive, {}, static_cast<int>(k_)}; }
  bool shares_prefixes() const override { return true; }
  std::uint64_t total() const override {
    std::uint64_t count = k_ == 0 ? 0 : 1;
    for (std::size_t i = 0; i < k_; ++i) count = saturating_product(count, tests_.size() - i);
    return count;
  }
  std::uint64_t total_tests() const override { return saturating_product(total(), k_); }
  std::size_t complete_for() const override { return k_; }
  std::optional<Order> next() override {
    auto never = [] { return false; };
    while (auto places = permutations_.next([](const auto&) { return true; }, never)) {
      Order order = tests_at(tests_, *places);
      if (is_new(knowledge_, without_settled_, order)) return order;
      if (should_stop()) break;
    }
    return std::nullopt;
  }
  std::vector<Order> draw(Random& random, std::size_t most) const override {
    if (k_ == 0) return {};
    Order prefix = tests_;
    for (std::size_t i = 0; i < k_; ++i) {
      std::swap(prefix[i], prefix[i + random.below(prefix.size() - i)]);
    }
    TestId last = prefix[k_ - 1];
    prefix.resize(k_ - 1);
    std::vector<Order> orders;
    const auto from =
        static_cast<std::size_t>(std::find(tests_.begin(), tests_.end(), last) - tests_.begin());
    for (std::size_t i = 0; i < tests_.size() && orders.size() < most; ++i) {
      TestId next = tests_[(from + i) % tests_.size()];  // around the end: no place is favoured
      if (std::find(prefix.begin(), prefix.end(), next) != prefix.end()) continue;
      orders.push_back(prefix);
      orders.back().push_back(next);
    }
    return orders;
  }
  std::string mark() const override { return permutations_.mark(); }
  void go_on_behind(std::string_view mark) override { permutations_.go_on_behind(mark); }
  void leave_out_settled() override { without_settled_ = true; }

 private:
  const Knowledge& knowledge_;
  bool without_settled_ = false;
  Order tests_;
  std::size_t k_;
  Permutations permutations_;
};

class AwareSource : public OrderSource {
 public:
  AwareSource(const Knowledge& knowledge, int k, const Needless* needless)
      : knowledge_(knowledge),
        needless_(needless),
        tests_(knowledge.tests()),
        most_(std::min(static_cast<std::size_t>(k), tests_.size())),
        permutations_(tests_.size(), 1) {}

  PhaseKey key() const override {
    return {PhaseKind::aware, is_proved() ? "" : "seen", static_cast<int>(most_)};
  }
  bool shares_prefixes() const override { return true; }
  std::optional<Order> next() override {
    bool stopped = false;
    auto stop = [&] { return stopped = stopped || should_stop(); };
    while (length_ <= most_ && !stopped) {
      auto places =
          permutations_.next([this](const auto& prefix) { return worth_trying(prefix); }, stop);
      if (stopped) break;
      if (!places) {
        permutations_ = Permutations(tests_.size(), ++length_);
        continue;
      }
      Order order = tests_at(tests_, *places);
      const bool is_old = !is_new(knowledge_, without_settled_, order);
      if (!is_old && (needless_ == nullptr || !needless_->needless(order))) return order;
      needless_orders_ += !is_old;
      stop();
    }
    return std::nullopt;
  }
  std::size_t complete_for() const override { return is_proved() ? most_ : 0; }
  std::uint64_t needless() const override { return needless_orders_; }
  std::string mark() const override { return fmt::format("{}: {}", length_, permutations_.mark()); }
  void go_on_behind(std::string_view mark) override {
    std::size_t length = 0;
    auto [end, error] = std::from_chars(mark.data(), mark.data() + mark.size(), length);
    const bool sound = error == std::errc() && length >= 1 && length <= most_ + 1;
    const std::string_view rest = mark.substr(static_cast<std::size_t>(end - mark.data()));
    if (!sound || !rest.starts_with(": ")) return;
    length_ = length;
    permutations_ = Permutations(tests_.size(), length_);
    permutations_.go_on_behind(rest.substr(2));
  }
  void leave_out_settled() override { without_settled_ = true; }

 private:
  bool is_proved() const { return needless_ == nullptr || needless_->is_sound(); }

  /// Shorter orders were all tried before, so only the last test can tell something new. What ends
  /// the process when run alone need not do so after another test.
  bool worth_trying(const std::vector<std::size_t>& prefix) const {
    TestId last = tests_[prefix.back()];
    if (prefix.size() == length_) {
      const auto standing = knowledge_.standing(last);
      return standing == Knowledge::Standing::open || standing == Knowledge::Standing::dependent;
    }
    return prefix.size() > 1 || !knowledge_.ends_process(last);
  }

  const Knowledge& knowledge_;
  const Needless* needless_;
  std::uint64_t needless_orders_ = 0;
  bool without_settled_ = false;
  Order tests_;
  std::size_t most_, length_ = 1;
  Permutations permutations_;
};

}  // namespace

/// Sharing a prefix saves its run time only; below this a fork costs more than it saves.
OrderRunner::Shape best_shape(const OrderSource& source, std::chrono::nanoseconds test_cost) {
  constexpr auto kWorthSharing = std::chrono::microseconds(50);
  return source.shares_prefixes() && test_cost > kWorthSharing ? OrderRunner::Shape::tree
                                                               : OrderRunner::Shape::flat;
}

std::unique_ptr<OrderSource> exhaustive_source(const Knowledge& knowledge, int k) {
  return std::make_unique<ExhaustiveSource>(knowledge, k);
}

std::unique_ptr<OrderSource> aware_source(const Knowledge& knowledge, int k,
                                          const Needless* needless) {
  return std::make_unique<AwareSource>(knowledge, k, needless);
}

}  // namespace gordian
