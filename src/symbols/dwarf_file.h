// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The debug information of one module, opened with libdw: its units, and numbers for its entries
// that mean the same the next time the same file is opened. Split units (.dwo beside the objects)
// and a common part of several files (dwz) belong to it where libdw finds them. Single thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "symbols/dwarf_die.h"
#include "symbols/elf_file.h"

struct Dwarf;  // of libdw

namespace gordian {

// The debug information of a module (program or shared library) may be in another file: by build
// id, or by the .gnu_debuglink of a stripped file. Only this machine's disk is asked, never a
// server.

/// Where the debug information of a file may be, the likeliest first. `link` is the name in its
/// .gnu_debuglink, or empty.
std::vector<std::filesystem::path> debug_file_candidates(const std::filesystem::path& file,
                                                         std::string_view build_id,
                                                         std::string_view link,
                                                         const std::filesystem::path& debug_root);

/// The separate debug file that belongs to `module`: same build id, or the checksum that the link
/// tells. An error when there is none.
Result<OpenElf> find_debug_file(const OpenElf& module, const std::filesystem::path& debug_root);

/// The end of a module's last loaded page, as linked, zeroed data included: the mappings of a
/// process do not say where that is, because the kernel joins it with whatever lies behind. nullopt
/// when the file cannot be read.
std::optional<std::uint64_t> image_end(const std::string& path);

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

// The files that a unit was compiled from. libdw answers that only after it decoded all lines of
// the unit, which for a large program costs more than all the rest, and its dwarf_decl_file ends
// the process when a split unit has no lines of its own. Here only the table of files at the head
// of .debug_line is read (DWARF 2 to 5). One thread at a time.

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
