// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Orders put together by their common beginnings: one tree for each first test. Pure.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/run.h"
#include "runtime/process/order_process.h"

namespace gordian {

struct OrderTree {
  Order tests;        ///< of each position; the root is 0
  Branches branches;  ///< the positions that follow each
};

class OrderForest {
 public:
  explicit OrderForest(std::span<const Order> orders);

  const std::vector<OrderTree>& trees() const { return trees_; }
  /// What the order with this number did, from the runs of the trees by position.
  OrderRun run_of(std::size_t number, const Order& order, const std::vector<OrderRun>& trees) const;

 private:
  struct Path {
    std::size_t tree = 0;
    std::vector<std::uint32_t> positions;
  };
  std::uint32_t position_behind(OrderTree& tree, std::uint32_t position, TestId test);

  std::vector<OrderTree> trees_;
  std::vector<Path> paths_;
};

}  // namespace gordian
