// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/plan.h"

#include <memory>

#include "wire/protocol.h"

namespace gordian {

using gordian_wire::kClose;
using gordian_wire::kOpen;

/// One test of the trie; children in the order of first appearance.
struct Plan::Node {
  TestId test;
  std::vector<std::size_t> ends_here;  ///< orders whose last test this is
  std::vector<std::unique_ptr<Node>> children;

  Node& child(TestId id) {
    // Orders arrive sorted by prefix in practice, so the last child is nearly always the one.
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
      if ((*it)->test == id) return **it;
    }
    children.push_back(std::make_unique<Node>());
    children.back()->test = id;
    return *children.back();
  }
};

std::uint32_t Plan::add(std::int32_t token, std::uint32_t branch) {
  tokens_.push_back(token);
  branch_of_.push_back(branch);
  return static_cast<std::uint32_t>(tokens_.size() - 1);
}

std::uint32_t Plan::add_test(TestId test, std::uint32_t branch) {
  tests_.push_back(add(static_cast<std::int32_t>(test.value()), branch));
  return tests_.back();
}

void Plan::add_order(const Order& order, std::uint32_t branch) {
  std::vector<std::uint32_t>& positions = positions_.emplace_back();
  for (TestId test : order) positions.push_back(add_test(test, branch));
}

std::uint32_t Plan::open_branch(std::uint32_t parent) {
  const std::uint32_t open = add(kOpen, parent);
  add(0, parent);  // patched by close_branch
  return open;
}

void Plan::close_branch(std::uint32_t open) {
  add(kClose, open);
  tokens_[open + 1] = static_cast<std::int32_t>(tokens_.size() - open - 2);
}

Plan Plan::flat(std::span<const Order> orders) {
  Plan plan;
  for (const Order& order : orders) {
    const std::uint32_t open = plan.open_branch(kNoBranch);
    plan.add_order(order, open);
    plan.close_branch(open);
  }
  plan.add(kClose, kNoBranch);
  return plan;
}

Plan Plan::in_process(const Order& order) {
  Plan plan;
  plan.add_order(order, kNoBranch);
  plan.add(kClose, kNoBranch);
  return plan;
}

/// A chain without forks stays in one process; where the trie forks, every child gets a branch.
void Plan::emit(const Node& node, std::uint32_t branch, std::vector<std::uint32_t>& path) {
  path.push_back(add_test(node.test, branch));
  for (std::size_t order : node.ends_here) positions_[order] = path;
  if (node.children.size() == 1) {
    emit(*node.children.front(), branch, path);
  } else {
    for (const auto& child : node.children) {
      const std::uint32_t open = open_branch(branch);
      emit(*child, open, path);
      close_branch(open);
    }
  }
  path.pop_back();
}

Plan Plan::tree(std::span<const Order> orders) {
  Node root;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Node* node = &root;
    for (TestId test : orders[i]) node = &node->child(test);
    node->ends_here.push_back(i);
  }
  Plan plan;
  plan.positions_.resize(orders.size());
  std::vector<std::uint32_t> path;
  for (const auto& child : root.children) {
    const std::uint32_t open = plan.open_branch(kNoBranch);
    plan.emit(*child, open, path);
    plan.close_branch(open);
  }
  plan.add(kClose, kNoBranch);
  return plan;
}

}  // namespace gordian
