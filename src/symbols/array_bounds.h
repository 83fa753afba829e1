// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The dimensions of an array type, outermost first; 0 where the number is not a constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "symbols/dwarf_die.h"

namespace gordian {

inline std::vector<std::uint64_t> array_bounds(Dwarf_Die array, std::size_t most) {
  std::vector<std::uint64_t> result;
  each_child(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
    const auto count = constant(child, DW_AT_count);
    const auto last = constant(child, DW_AT_upper_bound);
    result.push_back(count ? *count : last ? *last + 1 : 0);
    return result.size() < most;
  });
  return result;
}

}  // namespace gordian
