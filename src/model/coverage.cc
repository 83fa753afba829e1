// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/coverage.h"

#include <bit>

namespace gordian {

std::size_t CoverSet::count() const {
  std::size_t total = 0;
  for (std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
  return total;
}

std::size_t CoverSet::count_outside(const CoverSet& other) const {
  std::size_t total = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    total += static_cast<std::size_t>(std::popcount(words_[i] & ~other.words_[i]));
  }
  return total;
}

void CoverSet::merge(const CoverSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

std::string_view to_string(CoverageWay way) {
  return way == CoverageWay::alone ? "alone" : "in order";
}

}  // namespace gordian
