// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The debug information of one module, opened with libdw: its units, and numbers for its entries
// that mean the same the next time the same file is opened. Split units (.dwo beside the objects)
// and a common part of several files (dwz) belong to it where libdw finds them. Single thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "symbols/debug_file.h"
#include "symbols/dwarf_die.h"

namespace gordian {

class DwarfFile {
 public:
  static Result<DwarfFile> open(OpenElf file);

  struct Unit {
    Dwarf_Die die;  ///< of a split unit the full one
    std::uint8_t type = DW_UT_compile;
  };
  const OpenElf& file() const { return file_; }
  /// All units that can be read.
  void each_unit(const std::function<void(const Unit&)>& visit);
  /// Names of .dwo files that were not found; known after each_unit().
  const std::vector<std::string>& missing() const { return missing_; }

  /// The entry that says where a unit's table of files is: a split unit has it in the module.
  std::optional<Dwarf_Die> line_unit(Dwarf_CU* unit) const;

  /// Never 0 for an entry that this file can find again; 0 for others.
  std::uint64_t id_of(Dwarf_Die die);
  std::optional<Dwarf_Die> entry(std::uint64_t id);

 private:
  struct DwarfEnd {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };
  DwarfFile(OpenElf file, Dwarf* dwarf) : file_(std::move(file)), dwarf_(dwarf) {}
  /// The file with the full version of the skeleton unit `number`, which counts from 1.
  Dwarf* split_file(std::uint64_t number);

  OpenElf file_;  // before dwarf_, which reads from it
  std::unique_ptr<Dwarf, DwarfEnd> dwarf_;
  std::unordered_map<Dwarf*, std::uint64_t> split_numbers_;
  std::unordered_map<Dwarf_CU*, Dwarf_Die> skeletons_;  ///< of the split units seen
  std::vector<std::string> missing_;
};

}  // namespace gordian
