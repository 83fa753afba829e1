// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Lines of help texts, and the tables of the program as they stand in the pages of `gordian help`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gordian {

/// Words from `column` on, in lines not longer than `width`; the first line has begun already.
std::string wrapped(std::string_view text, std::size_t column, std::size_t width);

/// "  word   what it means" in two columns, the second one wrapped.
std::string two_columns(const std::vector<std::pair<std::string, std::string_view>>& rows);

}  // namespace gordian
