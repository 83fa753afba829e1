// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// For tests of our own: leaves parts of snapshot isolation out, to see that each is missed.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace gordian {

/// The bits of wire Header::without for a list of names such as "umask,directory"; "" is none.
Result<std::uint32_t> parse_snapshot_parts(std::string_view list);

/// What $GORDIAN_SNAPSHOT_WITHOUT asks for; 0 when it is not set.
Result<std::uint32_t> snapshot_parts_left_out();

}  // namespace gordian
