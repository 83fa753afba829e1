// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/declared.h"

#include <algorithm>
#include <functional>

namespace gordian {

Declared::Declared(const Suite& suite) : size_(suite.size()) {
  any_ = std::any_of(suite.tests().begin(), suite.tests().end(),
                     [](const Test& test) { return !test.declared.empty(); });
  if (!any_) return;
  before_.resize(size_ * size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (const std::string& name : suite.tests()[i].declared) {
      auto id = suite.find(name);
      if (id && id->value() != i) before_[i * size_ + id->value()] = true;
    }
  }
  for (std::size_t via = 0; via < size_; ++via) {
    for (std::size_t second = 0; second < size_; ++second) {
      if (!before_[second * size_ + via]) continue;
      for (std::size_t first = 0; first < size_; ++first) {
        if (first != second && before_[via * size_ + first]) before_[second * size_ + first] = true;
      }
    }
  }
}

Order Declared::needed_by(TestId test) const {
  Order needed;
  for (std::uint32_t i = 0; any_ && i < size_; ++i) {
    if (before(TestId{i}, test)) needed.push_back(TestId{i});
  }
  return needed;
}

Order Declared::lawful(const Order& order) const {
  if (!any_) return order;
  Order result;
  std::vector<bool> placed(order.size()), seen(size_);
  std::function<void(std::size_t)> place = [&](std::size_t position) {
    placed[position] = true;
    for (std::size_t later = position + 1; later < order.size(); ++later) {
      const bool too_late =
          !placed[later] && !seen[order[later].value()] && before(order[later], order[position]);
      if (too_late) place(later);
    }
    seen[order[position].value()] = true;
    result.push_back(order[position]);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!placed[i]) place(i);
  }
  return result;
}

Declared::Completed Declared::complete(const Order& order) const {
  Completed completed;
  std::vector<bool> seen(size_);
  for (TestId test : order) {
    for (TestId needed : needed_by(test)) {
      if (seen[needed.value()]) continue;
      seen[needed.value()] = true;
      completed.order.push_back(needed);
    }
    seen[test.value()] = true;
    completed.places.push_back(completed.order.size());
    completed.order.push_back(test);
  }
  return completed;
}

}  // namespace gordian
