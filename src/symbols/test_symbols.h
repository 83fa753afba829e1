// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which symbols belong to a GoogleTest test, by the names that its macros give to classes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/test.h"
#include "symbols/code_map.h"

namespace gordian {

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

}  // namespace gordian
