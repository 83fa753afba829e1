// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose variable is this? Told by its name and by the file that declares it.
#pragma once

#include <string_view>

#include "symbols/types.h"

namespace gordian {

/// `file` is where it is declared; empty when that is not known.
Owner owner_of(std::string_view name, std::string_view file);

/// A library that came with the system, by the directory it is in.
bool is_system_path(std::string_view path);

}  // namespace gordian
