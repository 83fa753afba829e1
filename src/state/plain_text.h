// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Values that are nothing but their bytes, as text.
#pragma once

#include <cstdint>
#include <string>

#include "symbols/memory_image.h"
#include "symbols/types.h"

namespace gordian {

/// A bool, character, number or enumerator: true, 'x', -3, 0.5, red.
std::string plain_text(const MemoryImage& image, const Type& type, std::uint64_t address,
                       const Member* member);

}  // namespace gordian
