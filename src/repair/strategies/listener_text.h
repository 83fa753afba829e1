// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The text of a listener that saves states before each test and puts them back behind it, for the
// frameworks that have listeners. In GoogleTest it does so around each suite too: else what
// SetUpTestSuite made would be undone behind the first test.
#pragma once

#include <string>
#include <vector>

#include "model/test.h"

namespace gordian::strategies {

struct ListenerText {
  std::vector<std::string> makers;  ///< "std::make_shared<gordian::ScopedRestore<int>>(app::level)"
  std::vector<std::string> scope;   ///< declarations that they need
};

/// GoogleTest, Catch2, doctest.
bool has_listeners(Framework framework);

/// Catch2 from 3 on has other headers and names.
bool is_catch2_3(const std::string& version);

/// What to include for the framework's listener, and a macro to define before that; empty: none.
std::vector<std::string> framework_includes(Framework framework, const std::string& version);
std::string framework_define(Framework framework, const std::string& version);

/// Everything behind the includes.
std::string listener_code(Framework framework, const std::string& version,
                          const ListenerText& text);

}  // namespace gordian::strategies
