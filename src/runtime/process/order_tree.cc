// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/order_tree.h"

#include <algorithm>

namespace gordian {

OrderForest::OrderForest(std::span<const Order> orders) {
  std::map<TestId, std::size_t> by_first;
  for (const Order& order : orders) {
    Path path;
    if (!order.empty()) {
      auto [found, is_new] = by_first.emplace(order.front(), trees_.size());
      if (is_new) trees_.push_back({{order.front()}, {{}}});
      path.tree = found->second;
      path.positions.push_back(0);
      for (std::size_t i = 1; i < order.size(); ++i) {
        path.positions.push_back(
            position_behind(trees_[path.tree], path.positions.back(), order[i]));
      }
    }
    paths_.push_back(std::move(path));
  }
}

std::uint32_t OrderForest::position_behind(OrderTree& tree, std::uint32_t position, TestId test) {
  for (std::uint32_t next : tree.branches[position]) {
    if (tree.tests[next] == test) return next;
  }
  const auto fresh = static_cast<std::uint32_t>(tree.tests.size());
  tree.branches[position].push_back(fresh);
  tree.tests.push_back(test);
  tree.branches.emplace_back();
  return fresh;
}

OrderRun OrderForest::run_of(std::size_t number, const Order& order,
                             const std::vector<OrderRun>& trees) const {
  const Path& path = paths_[number];
  OrderRun run{order, {}};
  for (std::uint32_t position : path.positions) {
    run.runs.push_back(trees[path.tree].runs[position]);
  }
  return run;
}

}  // namespace gordian
