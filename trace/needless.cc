// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/needless.h"

namespace gordian {

Needless::Needless(const DataFlow& alone, std::size_t tests)
    : influence_(influence(alone, tests)),
      reads_nothing_(tests),
      writes_nothing_(tests),
      sound_(alone.misses.empty()) {
  for (const TestFlow& test : alone.tests) {
    const bool sure = test.unsure.empty();
    reads_nothing_[test.test.value()] = sure && test.reads.empty();
    writes_nothing_[test.test.value()] = sure && test.writes.empty();
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
  if (reads_nothing_[order[last].value()] || writes_nothing_[order[0].value()]) return true;
  for (std::size_t i = 0; i < last; ++i) {
    if (influence_.may_affect(order[i], order[last])) return false;
  }
  return is_quiet(order, last);
}

}  // namespace gordian
