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

std::uint32_t Plan::add_test(TestId test, std::uint32_t branch) {
  auto token = static_cast<std::uint32_t>(tokens_.size());
  tokens_.push_back(static_cast<std::int32_t>(test.value()));
  branch_of_.push_back(branch);
  tests_.push_back(token);
  return token;
}

void Plan::open_branch(std::uint32_t parent) {
  tokens_.push_back(kOpen);
  tokens_.push_back(0);  // patched by close_branch
  branch_of_.push_back(parent);
  branch_of_.push_back(parent);
}

void Plan::close_branch(std::uint32_t open) {
  tokens_.push_back(kClose);
  branch_of_.push_back(open);
  tokens_[open + 1] = static_cast<std::int32_t>(tokens_.size() - open - 2);
}

Plan Plan::flat(std::span<const Order> orders) {
  Plan plan;
  for (const Order& order : orders) {
    auto open = static_cast<std::uint32_t>(plan.tokens_.size());
    plan.open_branch(kNoBranch);
    std::vector<std::uint32_t> positions;
    for (TestId test : order) positions.push_back(plan.add_test(test, open));
    plan.positions_.push_back(std::move(positions));
    plan.close_branch(open);
  }
  plan.tokens_.push_back(kClose);
  plan.branch_of_.push_back(kNoBranch);
  return plan;
}

Plan Plan::in_process(const Order& order) {
  Plan plan;
  std::vector<std::uint32_t> positions;
  for (TestId test : order) positions.push_back(plan.add_test(test, kNoBranch));
  plan.positions_.push_back(std::move(positions));
  plan.tokens_.push_back(kClose);
  plan.branch_of_.push_back(kNoBranch);
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
      auto open = static_cast<std::uint32_t>(tokens_.size());
      open_branch(branch);
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
    auto open = static_cast<std::uint32_t>(plan.tokens_.size());
    plan.open_branch(kNoBranch);
    plan.emit(*child, open, path);
    plan.close_branch(open);
  }
  plan.tokens_.push_back(kClose);
  plan.branch_of_.push_back(kNoBranch);
  return plan;
}

}  // namespace gordian
