// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Turns orders into the token list of wire/protocol.h, and remembers where each position of each
// order went. Pure: no process is involved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/test.h"

namespace gordian {

class Plan {
 public:
  static constexpr std::uint32_t kNoBranch = ~std::uint32_t{0};

  /// One branch per order, each from the snapshot.
  static Plan flat(std::span<const Order> orders);
  /// Common prefixes run once; a branch starts from the state that its prefix left. Orders that are
  /// prefixes of others cost nothing extra.
  static Plan tree(std::span<const Order> orders);
  /// One order for the process itself, without a fork.
  static Plan in_process(const Order& order);

  const std::vector<std::int32_t>& tokens() const { return tokens_; }
  /// tokens of order i's positions.
  const std::vector<std::uint32_t>& positions(std::size_t order) const { return positions_[order]; }
  std::size_t orders() const { return positions_.size(); }
  /// The kOpen token of the branch that executes `token`; kNoBranch for the process itself.
  std::uint32_t branch_of(std::uint32_t token) const { return branch_of_[token]; }
  /// Tokens that are tests, ascending: the order in which one worker would run them.
  const std::vector<std::uint32_t>& tests() const { return tests_; }

 private:
  struct Node;
  std::uint32_t add(std::int32_t token, std::uint32_t branch);
  std::uint32_t open_branch(std::uint32_t parent);
  void close_branch(std::uint32_t open);
  std::uint32_t add_test(TestId test, std::uint32_t branch);
  void add_order(const Order& order, std::uint32_t branch);
  void emit(const Node& node, std::uint32_t branch, std::vector<std::uint32_t>& path);

  std::vector<std::int32_t> tokens_;
  std::vector<std::uint32_t> branch_of_;
  std::vector<std::uint32_t> tests_;
  std::vector<std::vector<std::uint32_t>> positions_;
};

}  // namespace gordian
