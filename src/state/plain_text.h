// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Values that are nothing but their bytes, and characters, as source code has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "symbols/process_memory.h"
#include "symbols/types.h"

namespace gordian {

/// A bool, character, number or enumerator: true, 'x', -3, 0.5, red.
std::string plain_text(const MemoryImage& image, const Type& type, std::uint64_t address,
                       const Member* member);

/// UTF-8 passes through; control characters, `quote`, backslashes and broken bytes are escaped.
std::string escaped(std::string_view bytes, char quote);

/// The UTF-8 of one code point; what is none becomes a question mark.
std::string utf8_of(std::uint32_t code_point);

}  // namespace gordian
