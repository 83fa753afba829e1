// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which compilation unit an address of code belongs to. There is a table for that in debug
// information, but not every compiler writes it (Clang does not): then the units themselves are
// asked, once for each module. Entries belong to the modules and are void when these are.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gordian {

class UnitRanges {
 public:
  /// Null when there is no debug information for `address`. `bias`: how much further up the module
  /// was loaded than it was linked.
  Dwarf_Die* unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr& bias);

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;  ///< as linked
    Dwarf_Die* unit = nullptr;
  };
  struct Table {
    std::vector<Range> ranges;  ///< by begin
    Dwarf_Addr bias = 0;
  };
  const Table& table_of(Dwfl_Module* module);

  std::unordered_map<Dwfl_Module*, Table> tables_;
};

}  // namespace gordian
