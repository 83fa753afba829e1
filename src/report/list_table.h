// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of `gordian list`: for each binary a header, then its tests with their places.
#pragma once

#include <string>

#include "model/target.h"
#include "model/test.h"
#include "report/terminal_style.h"

namespace gordian {

/// One binary. On a terminal (style.width > 0) wide names are cut in the middle so that the places
/// stay in one column; in a pipe nothing is cut. Ends with a newline.
std::string list_table(const Target& target, const Suite& suite, const Style& style);

}  // namespace gordian
