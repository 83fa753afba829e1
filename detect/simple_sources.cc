// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sources whose orders are few enough to be written down at once.
#include <algorithm>
#include <string>
#include <utility>

#include "detect/order_source.h"

namespace gordian {
namespace {

class FixedSource : public OrderSource {
 public:
  FixedSource(std::string_view name, std::vector<Order> orders)
      : name_(name), orders_(std::move(orders)) {}

  std::string_view name() const override { return name_; }
  std::uint64_t total() const override { return orders_.size(); }
  std::optional<Order> next() override {
    if (at_ == orders_.size()) return std::nullopt;
    return std::move(orders_[at_++]);
  }

 private:
  std::string name_;
  std::vector<Order> orders_;
  std::size_t at_ = 0;
};

/// A test that ends the process would hide all that follow: it goes last.
void enders_last(const Knowledge& knowledge, Order& order) {
  std::stable_partition(order.begin(), order.end(),
                        [&](TestId test) { return !knowledge.may_end_process(test); });
}

/// Row-complete Latin square (Williams): 0, 1, n-1, 2, n-2, ... and its rotations. Every ordered
/// pair of different numbers stands side by side in exactly one row. n must be even.
std::vector<std::size_t> zigzag(std::size_t n) {
  std::vector<std::size_t> row = {0};
  for (std::size_t low = 1, high = n - 1; row.size() < n; ++low, --high) {
    row.push_back(low);
    if (row.size() < n) row.push_back(high);
  }
  return row;
}

}  // namespace

std::unique_ptr<OrderSource> fixed_source(std::string_view name, std::vector<Order> orders) {
  return std::make_unique<FixedSource>(name, std::move(orders));
}

std::unique_ptr<OrderSource> isolation_source(const Knowledge& knowledge) {
  std::vector<Order> orders;
  for (TestId test : knowledge.tests()) orders.push_back({test});
  return fixed_source("isolation", std::move(orders));
}

std::unique_ptr<OrderSource> reversal_source(const Knowledge& knowledge) {
  Order order(knowledge.tests().rbegin(), knowledge.tests().rend());
  enders_last(knowledge, order);
  return fixed_source("reversal", {order});
}

std::unique_ptr<OrderSource> self_source(const Knowledge& knowledge) {
  std::vector<Order> orders;
  for (TestId test : knowledge.tests()) {
    if (!knowledge.ends_process(test)) orders.push_back({test, test});
  }
  return fixed_source("self", std::move(orders));
}

std::unique_ptr<OrderSource> pairs_source(const Knowledge& knowledge) {
  Order tests;
  for (TestId test : knowledge.tests()) {
    if (!knowledge.ends_process(test)) tests.push_back(test);
  }
  std::vector<Order> orders;
  const std::size_t n = tests.size(), even = n + n % 2;  // an odd number gets a blank, left out
  if (n < 2) return fixed_source("pairs", {});
  const std::vector<std::size_t> row = zigzag(even);
  for (std::size_t shift = 0; shift < even; ++shift) {
    Order order;
    for (std::size_t place : row) {
      std::size_t index = (place + shift) % even;
      if (index < n) order.push_back(tests[index]);
    }
    orders.push_back(std::move(order));
  }
  return fixed_source("pairs", std::move(orders));
}

}  // namespace gordian
