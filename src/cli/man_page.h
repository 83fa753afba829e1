// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian(1), made of what commands and options declare and of the help topics.
#pragma once

#include <string>

#include "cli/options.h"

namespace gordian {

/// In the language of man(7).
std::string man_page(const CommandParser& program, const std::string& version);

}  // namespace gordian
