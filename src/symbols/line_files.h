// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The files that a unit was compiled from. libdw answers that only after it decoded all lines of
// the unit, which for a large program costs more than all the rest, and its dwarf_decl_file ends
// the process when a split unit has no lines of its own. Here only the table of files at the head
// of .debug_line is read (DWARF 2 to 5). One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbols/dwarf_die.h"
#include "symbols/dwarf_file.h"

namespace gordian {

/// The sections that file tables are made of.
struct LineSections {
  std::string_view line, line_strings, strings;
};

/// The names in the table at `offset`, in the numbers that DW_AT_decl_file uses; empty on damage.
/// Relative names start at `directory`.
std::vector<std::string> read_line_files(const LineSections& sections, std::uint64_t offset,
                                         std::string_view directory);

class LineFiles {
 public:
  /// `dwarf` must live as long as this.
  explicit LineFiles(const DwarfFile& dwarf);

  /// Of the file that declares this entry; empty when that is not known.
  const std::string& declaring_file(Dwarf_Die die);

 private:
  const std::vector<std::string>& table_of(Dwarf_CU* unit);

  const DwarfFile& dwarf_;
  LineSections sections_;
  std::unordered_map<Dwarf_CU*, std::vector<std::string>> tables_;
};

}  // namespace gordian
