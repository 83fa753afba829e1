// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The tests of a binary as commands for ctest. gordian_discover_tests() has written the rest: a
// function that adds one test with its command and properties (cmake/GordianDiscoverTests.cmake).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian::batch {

struct NamingStyle {
  std::string prefix, suffix;
  bool pretty_types = true;   ///< Stack.Holds<int> instead of Stack.Holds<0>
  bool pretty_values = true;  ///< All/Parity.IsEven/42 instead of All/Parity.IsEven/0
};

/// The name that gtest_discover_tests gives the test: people's filters must keep working.
std::string ctest_name(const Test& test, const NamingStyle& style);

/// Its tests by the framework's own flag, which works for every binary, and the names are as
/// printed. Registering tests one by one takes GoogleTest's own flags: another framework is an
/// error.
Result<Suite> discover_tests(const Target& target, std::chrono::milliseconds start_timeout);

/// One gordian_add_discovered_test(NAME TEST DISABLED) for each test, and a list of all names in
/// the variable `list_variable`.
std::string discovered_script(const std::vector<Test>& tests, const NamingStyle& style,
                              const std::string& list_variable);

}  // namespace gordian::batch
