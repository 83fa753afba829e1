// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// All variables with static storage of one module, and where the types are that units only
// declare: what one long look over the debug information yields. Plain values, so that it can be
// kept (index_cache.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "symbols/debug_file.h"
#include "symbols/dwarf_file.h"
#include "symbols/types.h"
#include "symbols/unit_scopes.h"

namespace gordian {

struct VariableIndex {
  std::vector<Variable> variables;  ///< by (thread_local_storage, address)

  /// The flag that is set once a variable is initialised. In the same kind of storage.
  struct Guard {
    std::uint64_t guard = 0, variable = 0;
    bool thread_local_storage = false;
  };
  std::vector<Guard> guards;  ///< by (thread_local_storage, variable)

  /// Complete types that any unit may name: name_hash() of the qualified name, id of the entry.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> types;  ///< by hash

  /// What could not be read, each a sentence. Such an index is not worth keeping.
  std::vector<std::string> notes;

  std::optional<std::uint64_t> type_id(std::uint64_t hash) const;
};

/// `symbols` is where the symbol table is: the module or its debug file. `dwarf` is null when there
/// is no debug information: then only what has a symbol is known.
VariableIndex build_variable_index(const OpenElf& module, const OpenElf& symbols, DwarfFile* dwarf,
                                   ScopeNames& names);

}  // namespace gordian
