// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One function or one piece of data as text that does not change when code moves: addresses are
// replaced by the names or contents of what they point to, and line numbers of checks left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/code_map.h"

namespace gordian {

struct CodeDigest {
  std::string sha256;
  std::vector<std::uint64_t> uses;  ///< starts of the symbols of this program that it refers to
};

/// x86-64 only, as CodeMap.
CodeDigest digest_function(const CodeMap& map, const CodeSymbol& function);

/// Its bytes as the file has them, with pointers by what they point to. Of .bss the name only.
CodeDigest digest_data(const CodeMap& map, const CodeSymbol& object);

/// Without what a compiler appends to a name and numbers anew each time: ".constprop.0", ".cold".
std::string stable_name(const std::string& name);

}  // namespace gordian
