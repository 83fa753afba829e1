// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where a framework's hook points are in a process that has just been loaded. From symbol tables
// where there are some, else by what the framework's symbols.cc finds in memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "frameworks/framework_symbols.h"

namespace gordian {

/// What the symbol tables of a module tell, as offsets from its base. `framework` is 0 where they
/// tell too little of it: the module is stripped, or the framework is elsewhere.
gordian_wire::Hooks hook_offsets(const ElfFile& elf, const FrameworkSymbols& symbols);

/// Remembers what it found by module file, so that the hundredth process of a binary costs nothing.
/// Not thread safe.
class HookAddresses {
 public:
  /// `framework`: by which the program is driven.
  explicit HookAddresses(Framework framework) : symbols_(symbols_of(framework)) {}

  /// What is known of a module already, so that its file need not be read again.
  void remember(const std::string& path, const gordian_wire::Hooks& offsets);
  /// From now on nothing is found by which coverage counters are written out.
  void leave_counters() { counters_stay_ = true; }

  /// An error says why this binary cannot be hooked; its hint names the way round.
  Result<gordian_wire::Hooks> find(pid_t pid, const std::vector<LoadedModule>& modules);

 private:
  gordian_wire::Hooks search(pid_t pid, const LoadedModule& module) const;

  const FrameworkSymbols& symbols_;
  bool counters_stay_ = false;
  /// Offsets from a module's base; framework 0 means that it is not in it.
  std::map<std::string, gordian_wire::Hooks> by_module_;
};

}  // namespace gordian
