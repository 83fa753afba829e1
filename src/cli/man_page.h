// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian(1), made of what commands and options declare and of the help topics.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace gordian {

/// In the language of man(7).
std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace gordian
