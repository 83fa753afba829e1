// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Without debug information a std::string is 32 bytes. Those of libstdc++ give themselves away: a
// short one points into itself, a long one to a block of the heap that its capacity fits into, and
// a zero ends the text. For the x86-64 ABI.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "state/value_text.h"

namespace gordian {

constexpr std::uint64_t kStringSize = 32;

/// The text of what looks like a std::string of readable characters; nullopt: it does not.
std::optional<std::string> string_by_shape(const MemoryView& view, std::uint64_t address);

}  // namespace gordian
