// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The two halves of reading a stack, for symbols/backtrace.cc: which modules a live process has,
// and how an address becomes frames with names and lines. Separate debug information comes from
// this machine's disk only. Not thread-safe.
#pragma once

#include <elfutils/libdwfl.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "symbols/backtrace.h"

namespace gordian {

/// Which compilation unit an address of code belongs to. There is a table for that in debug
/// information, but not every compiler writes it (Clang does not): then the units themselves are
/// asked, once for each module. Entries belong to the modules and are void when these are.
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

struct DwflEnd {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};
using DwflHandle = std::unique_ptr<Dwfl, DwflEnd>;

/// The modules of the process as they are now; with `for_stacks`, ready to unwind threads that the
/// calling thread holds stopped by ptrace.
Result<DwflHandle> open_modules(pid_t pid, bool for_stacks);

/// Reads the list of modules again; what is known of those still there is kept.
bool refresh_modules(Dwfl* dwfl, pid_t pid);

/// The return addresses of a stopped thread, innermost first; empty when none could be read.
std::vector<FrameAddress> walk_thread(Dwfl* dwfl, pid_t tid, int max_frames);

/// Appends the frames at this address, inlined functions first. Returns how many. Files are named
/// with the directory that the compiler ran in; relative only when that is. Without
/// `library_lines`, libraries of the system have the names of functions only: where their debug
/// information is installed, reading it takes longer than everything else.
std::size_t describe_frame(Dwfl* dwfl, UnitRanges& units, const FrameAddress& address,
                           std::vector<StackFrame>& frames, bool library_lines = true);

std::string demangled(const char* name);

}  // namespace gordian
