// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where GoogleTest's hook points are in a process that has just been loaded. From symbol tables
// where there are some, else by looking for the vtables in memory.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "symbols/process_memory.h"
#include "wire/protocol.h"

namespace gordian {

struct LoadedModule {
  std::string path;  ///< absolute
  std::uint64_t base = 0;
};

class ElfFile;

/// What the symbol tables of a module tell, as offsets from its base. Fields are 0 where they tell
/// nothing: the module is stripped, or the framework is elsewhere.
gordian_wire::Hooks hook_offsets(const ElfFile& elf);

/// Remembers what it found by module file, so that the hundredth process of a binary costs nothing.
/// Not thread safe.
class GtestAddresses {
 public:
  /// What is known of a module already, so that its file need not be read again.
  void remember(const std::string& path, const gordian_wire::Hooks& offsets);

  /// An error says why this binary cannot be hooked; its hint names the way round.
  Result<gordian_wire::Hooks> find(pid_t pid, const std::vector<LoadedModule>& modules);

 private:
  /// Offsets from a module's base; an empty value means that the framework is not in it.
  std::map<std::string, gordian_wire::Hooks> by_module_;
};

}  // namespace gordian
