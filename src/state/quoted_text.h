// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Characters as source code has them: escaped, in quotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gordian {

/// UTF-8 passes through; control characters, `quote`, backslashes and broken bytes are escaped.
std::string escaped(std::string_view bytes, char quote);

/// The UTF-8 of one code point; what is none becomes a question mark.
std::string utf8_of(std::uint32_t code_point);

}  // namespace gordian
