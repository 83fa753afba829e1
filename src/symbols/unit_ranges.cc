// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/unit_ranges.h"

#include <algorithm>

namespace gordian {

Dwarf_Die* UnitRanges::unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  const Table& table = table_of(module);
  bias = table.bias;
  const std::uint64_t linked = address - bias;
  auto after =
      std::upper_bound(table.ranges.begin(), table.ranges.end(), linked,
                       [](std::uint64_t wanted, const Range& r) { return wanted < r.begin; });
  if (after == table.ranges.begin()) return nullptr;
  const Range& range = *--after;
  return linked < range.end ? range.unit : nullptr;
}

const UnitRanges::Table& UnitRanges::table_of(Dwfl_Module* module) {
  const auto [known, is_new] = tables_.try_emplace(module);
  Table& table = known->second;
  if (!is_new) return table;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &table.bias)) != nullptr) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
      // Code that the linker dropped is said to begin at 0.
      if (begin != 0 && begin < end) table.ranges.push_back({begin, end, unit});
    }
  }
  std::sort(table.ranges.begin(), table.ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  return table;
}

}  // namespace gordian
