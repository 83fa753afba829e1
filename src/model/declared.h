// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the authors of tests have declared about their order: DEPENDS of ctest, depends_on of
// Boost.Test. A search keeps to it. A test never runs without the ones that it declares, which are
// run before it where an order does not have them; and never before one of them that the order has.
// So a declared dependence cannot be mistaken for one that nobody knows of. Pure.
#pragma once

#include <vector>

#include "model/test.h"

namespace gordian {

class Declared {
 public:
  explicit Declared(const Suite& suite);

  bool any() const { return any_; }
  /// `first` has to run before `second`, by its own or another one's declaration.
  bool before(TestId first, TestId second) const {
    return any_ && before_[second.value() * size_ + first.value()];
  }
  /// Those that have to run before it, in the default order.
  Order needed_by(TestId test) const;

  /// The same tests; those that stand too early wait for what they declare.
  Order lawful(const Order& order) const;
  bool is_lawful(const Order& order) const { return !any_ || lawful(order) == order; }

  struct Completed {
    Order order;
    std::vector<std::size_t> places;  ///< in it, of the tests that were there before
  };
  /// With what is missing, just before the first test that declares it.
  Completed complete(const Order& order) const;

 private:
  std::size_t size_;
  bool any_ = false;
  std::vector<bool> before_;  ///< by second, then first
};

}  // namespace gordian
