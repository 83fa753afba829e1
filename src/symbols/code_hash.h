// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether a rebuild has changed a test. The hash of a test covers its own class, its fixture's
// set-up and tear-down, main(), and everything in the program that these refer to, step by step:
// called functions, functions and vtables whose address is taken, initial values of variables,
// literals. It does not cover other modules (libraries, also the framework's), virtual functions of
// objects made elsewhere, static initialisers, and files. Moving code changes nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/test.h"
#include "symbols/code_map.h"

namespace gordian {

/// One for each test of the suite; empty where its functions were not found. An error says why
/// there is none at all: "it has no symbols".
Result<std::vector<std::string>> hash_tests(const std::filesystem::path& program,
                                            const Suite& suite);

/// Which symbols belong to a GoogleTest test, by the names that its macros give to classes.
class TestSymbols {
 public:
  explicit TestSymbols(const CodeMap& map);

  /// Where the functions and vtables of the test's class and the set-up and tear-down of its
  /// fixture begin. Of typed tests, for all types together. Empty when its body was not found.
  std::vector<std::uint64_t> of(const Test& test) const;

 private:
  void add(std::string_view mangled, std::uint64_t start);

  std::map<std::string, std::vector<std::uint64_t>, std::less<>> classes_;  ///< members, vtables
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> fixtures_;
};

/// Who is meant by a mangled member: "_ZN3foo3BarC2Ev" is {"foo", "Bar"} and "C2Ev". Names before
/// the first template argument only.
struct ScopedName {
  std::vector<std::string_view> names;
  std::string_view rest;
};
ScopedName parse_scoped(std::string_view nested);

// One function or one piece of data as text that does not change when code moves: addresses are
// replaced by the names or contents of what they point to, and line numbers of checks left out.

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
