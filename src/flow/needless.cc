// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/needless.h"

namespace gordian {

Needless::Needless(const DataFlow& alone, std::size_t tests)
    : influence_(influence(alone, tests)), writes_nothing_(tests), sound_(alone.misses.empty()) {
  for (const TestFlow& test : alone.tests) {
    writes_nothing_[test.test.value()] = test.unsure.empty() && test.writes.empty();
  }
}

bool Needless::is_quiet(const Order& order, std::size_t length) const {
  for (std::size_t later = 1; later < length; ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (influence_.may_affect(order[earlier], order[later])) return false;
    }
  }
  return true;
}

bool Needless::needless(const Order& order) const {
  const std::size_t last = order.size() - 1;
  if (last == 0) return false;
  if (writes_nothing_[order[0].value()]) return true;
  for (std::size_t i = 0; i < last; ++i) {
    if (influence_.may_affect(order[i], order[last])) return false;
  }
  return is_quiet(order, last);
}

}  // namespace gordian
