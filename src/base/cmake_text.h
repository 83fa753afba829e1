// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Any text in a script of CMake's.
#pragma once

#include <string>

namespace gordian {

/// As one argument of a command.
std::string bracket_argument(const std::string& text);

/// As an element of a list. A list whose elements have unbalanced brackets comes apart all the
/// same.
std::string list_element(const std::string& text);

}  // namespace gordian
