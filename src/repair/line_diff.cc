// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The fewest lines to take out and put in to make one text from another (Myers 1986). Written here
// because the one library at hand that does it, libgit2, would bring TLS, SSH and HTTP into every
// installation for a page of code.
#include "repair/change.h"

#include <algorithm>

namespace gordian {

namespace {

constexpr int kMostDifferences = 2000;  // the trace takes its square in memory

/// Myers' greedy search over what is left between the common begin and the common end. On diagonal
/// k = x - y, `reach_` holds the furthest x for the number of differences tried so far.
class Search {
 public:
  Search(const Lines& before, const Lines& after, std::size_t begin, std::size_t old_size,
         std::size_t new_size)
      : before_(before),
        after_(after),
        begin_(begin),
        old_size_(static_cast<int>(old_size)),
        new_size_(static_cast<int>(new_size)),
        limit_(std::min(old_size_ + new_size_, kMostDifferences)),
        reach_(2 * static_cast<std::size_t>(limit_) + 3, 0) {}

  /// Pairs of equal lines, last first; false: too different.
  bool run(std::vector<std::pair<int, int>>& common) {
    for (int differences = 0; differences <= limit_; ++differences) {
      trace_.push_back(slice(differences));
      if (step(differences)) return trace_back(differences, common), true;
    }
    return false;
  }

 private:
  int& reach(int k) { return reach_[static_cast<std::size_t>(k + limit_ + 1)]; }
  bool same(int x, int y) const {
    return before_[begin_ + static_cast<std::size_t>(x)] ==
           after_[begin_ + static_cast<std::size_t>(y)];
  }
  bool down(int k, int differences, int below, int above) const {
    return k == -differences || (k != differences && below < above);
  }

  /// reach(-d-1 .. d+1) as it was before step d: all that tracing back needs.
  std::vector<int> slice(int d) {
    const auto first = reach_.begin() + (limit_ - d);
    return {first, first + (2 * d + 3)};
  }

  bool step(int differences) {
    for (int k = -differences; k <= differences; k += 2) {
      const bool insert = down(k, differences, reach(k - 1), reach(k + 1));
      int x = insert ? reach(k + 1) : reach(k - 1) + 1;
      int y = x - k;
      while (x < old_size_ && y < new_size_ && same(x, y)) ++x, ++y;
      reach(k) = x;
      if (x >= old_size_ && y >= new_size_) return true;
    }
    return false;
  }

  void trace_back(int differences, std::vector<std::pair<int, int>>& common) const {
    int x = old_size_, y = new_size_;
    for (int d = differences; d >= 0; --d) {
      const auto& was = trace_[static_cast<std::size_t>(d)];
      const auto at = [&](int k) { return was[static_cast<std::size_t>(k + d + 1)]; };
      const int k = x - y;
      const bool insert = down(k, d, at(k - 1), at(k + 1));
      const int from_x = insert ? at(k + 1) : at(k - 1);
      const int start_x = d == 0 ? 0 : (insert ? from_x : from_x + 1);
      while (x > start_x) common.emplace_back(--x, --y);
      if (d == 0) return;
      x = from_x;
      y = x - (insert ? k + 1 : k - 1);
    }
  }

  const Lines& before_;
  const Lines& after_;
  std::size_t begin_;
  int old_size_, new_size_, limit_;
  std::vector<int> reach_;
  std::vector<std::vector<int>> trace_;
};

}  // namespace

Lines whole_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<LineChange> diff_lines(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t begin = 0, tail = 0;
  while (begin < shorter && before[begin] == after[begin]) ++begin;
  while (tail < shorter - begin &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t old_end = before.size() - tail, new_end = after.size() - tail;
  std::vector<std::pair<int, int>> common;
  Search search(before, after, begin, old_end - begin, new_end - begin);
  if (!search.run(common)) common.clear();
  std::vector<LineChange> changes;
  std::size_t x = begin, y = begin;
  const auto meet = [&](std::size_t next_x, std::size_t next_y) {
    if (next_x > x || next_y > y) changes.push_back({x, next_x, y, next_y});
    x = next_x + 1, y = next_y + 1;
  };
  for (auto pair = common.rbegin(); pair != common.rend(); ++pair) {
    meet(begin + static_cast<std::size_t>(pair->first),
         begin + static_cast<std::size_t>(pair->second));
  }
  meet(old_end, new_end);
  return changes;
}

}  // namespace gordian
