// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the writers of Graphviz files share.
#pragma once

#include <string>
#include <string_view>

namespace gordian {

/// A quoted string of the DOT language that shows `text` on one line, whatever it holds.
std::string dot_quoted(std::string_view text);

}  // namespace gordian
