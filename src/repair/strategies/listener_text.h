// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The text of a listener that saves states before each test and puts them back after it, for the
// frameworks that have listeners: see frameworks/isolation_listener.h.
#pragma once

#include <string>
#include <vector>

#include "frameworks/isolation_listener.h"

namespace gordian::strategies {

struct ListenerText {
  std::vector<std::string> makers;  ///< "std::make_shared<gordian::ScopedRestore<int>>(app::level)"
  std::vector<std::string> scope;   ///< declarations that they need
};

/// Everything behind the includes.
std::string listener_code(const ListenerSource& listener, const ListenerText& text);

}  // namespace gordian::strategies
