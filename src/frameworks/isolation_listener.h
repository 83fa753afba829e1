// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A listener that a patch can add to the tests of a framework: the class `Isolation`, which calls
// save() and put_back(Guards&) around each test. In GoogleTest it does so around each suite too:
// else what SetUpTestSuite made would be undone after the first test.
#pragma once

#include <string>
#include <vector>

namespace gordian {

struct ListenerSource {
  std::string code;                   ///< the class, and what registers it
  std::vector<std::string> includes;  ///< "<gtest/gtest.h>"
  bool in_main_header = true;         ///< every test file has these includes already
  /// A line that must stand before the header; empty: none. A file that holds one of `defined_by`
  /// has it already.
  std::string define{};
  std::vector<std::string> defined_by{};
  std::string define_reason{};  ///< "X needs a macro before its header for listeners"
};

}  // namespace gordian
